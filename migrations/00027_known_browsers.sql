-- +goose Up

-- Browsers in which a member was signed in, at most ten a member. Such a browser
-- has its own budget of codes and password attempts, which others cannot use up.
-- It proves nothing else: signing in still takes a code or the password.
CREATE TABLE known_browsers (
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    browser_hash  bytea NOT NULL CHECK (length(browser_hash) = 32),
    used_at       timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, browser_hash)
);
CREATE INDEX known_browsers_used ON known_browsers (used_at);

-- A code that is still valid is mailed again instead of a new one.
ALTER TABLE login_codes ADD COLUMN sent_at timestamptz NOT NULL DEFAULT now();

-- +goose Down
ALTER TABLE login_codes DROP COLUMN sent_at;
DROP TABLE known_browsers;
