-- +goose Up

-- Sessions and sign-in by mailed codes.

CREATE TABLE sessions (
    id          uuid PRIMARY KEY,
    -- SHA-256. The token itself is only in the cookie.
    token_hash  bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    user_agent  text NOT NULL DEFAULT '' CHECK (length(user_agent) <= 400),
    -- Last code or password. Sensitive changes require a recent one.
    proved_at   timestamptz NOT NULL DEFAULT now(),
    -- The absolute end. A session may end sooner by idleness.
    expires_at  timestamptz NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE sessions IS
    'Signed-in browsers. Signing out deletes the row; a job deletes those past expires_at.';
-- Sessions are found by their member; the order of at most ten needs no index.
CREATE INDEX sessions_member ON sessions (user_id);
CREATE INDEX sessions_expires ON sessions (expires_at);

CREATE TABLE session_activity (
    session_id    uuid PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    last_seen_at  timestamptz NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE session_activity IS
    'When a session was last used; without a row, when it was created. Written once a minute for each session in use. '
    'Updates are HOT, as those of member_activity.';

CREATE TABLE revoked_sessions (
    token_hash  bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    -- When the session would have expired. A job then deletes the row.
    expires_at  timestamptz NOT NULL
);
COMMENT ON TABLE revoked_sessions IS
    'Sessions that were ended on another device, by an admin or by a new password. The device of such a session deletes '
    'the data of the member; the device of an expired or unknown session only locks it.';
CREATE INDEX revoked_sessions_expires ON revoked_sessions (expires_at);

CREATE TABLE login_codes (
    id            uuid PRIMARY KEY,
    email         text NOT NULL,
    -- HMAC of the code.
    code_mac      bytea NOT NULL CHECK (length(code_mac) = 32),
    -- Of the browser that asked; the code is valid in no other.
    browser_hash  bytea NOT NULL CHECK (length(browser_hash) = 32),
    -- Attempts at signing in with the code; after five it is invalid.
    tries         smallint NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 5),
    -- NULL while the code is unused.
    used_at       timestamptz,
    -- Last mail with the code. A code that is still valid is mailed again instead of a new one.
    sent_at       timestamptz NOT NULL DEFAULT now(),
    expires_at    timestamptz NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE login_codes IS
    'Codes sent by mail, for sign-up and sign-in. The address need not have an account.';
CREATE INDEX login_codes_email ON login_codes (email, created_at DESC);
CREATE INDEX login_codes_expires ON login_codes (expires_at);

CREATE TABLE known_browsers (
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    browser_hash  bytea NOT NULL CHECK (length(browser_hash) = 32),
    used_at       timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, browser_hash)
);
COMMENT ON TABLE known_browsers IS
    'Browsers in which a member was signed in, at most ten for each member. Such a browser has its own budget of codes and '
    'password attempts, which others cannot use up. It does not replace the code or the password.';
CREATE INDEX known_browsers_used ON known_browsers (used_at);

CREATE TABLE security_notices (
    id          uuid PRIMARY KEY,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind        text NOT NULL CHECK (kind IN ('sign_in', 'password')),
    -- The session that signed in or set the password. It may have ended, so this is no foreign key.
    session_id  uuid NOT NULL,
    user_agent  text NOT NULL CHECK (length(user_agent) <= 400),
    -- SHA-256. The token itself is only in the mail.
    token_hash  bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    -- When the member opened the link and ended the session; NULL before.
    used_at     timestamptz,
    -- The link is valid for 7 days. A job then deletes the row.
    created_at  timestamptz NOT NULL
);
COMMENT ON TABLE security_notices IS
    'Mails about a sign-in in a new browser or a new password, with a link for a member who did not do this.';
CREATE INDEX security_notices_member ON security_notices (user_id, created_at);
CREATE INDEX security_notices_created ON security_notices (created_at);
