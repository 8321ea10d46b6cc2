-- +goose Up

-- The token itself is only in the member's cookie.
CREATE TABLE sessions (
    id            uuid PRIMARY KEY,
    token_hash    bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    user_agent    text NOT NULL DEFAULT '' CHECK (length(user_agent) <= 400),
    proved_at     timestamptz NOT NULL DEFAULT now(), -- last code or password, for step-up
    last_seen_at  timestamptz NOT NULL DEFAULT now(),
    expires_at    timestamptz NOT NULL,               -- the absolute end
    created_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_user ON sessions (user_id, last_seen_at);
CREATE INDEX sessions_expires ON sessions (expires_at);
CREATE INDEX sessions_idle ON sessions (last_seen_at);

-- Codes sent by mail. Stored as an HMAC, bound to the browser that asked.
CREATE TABLE login_codes (
    id            uuid PRIMARY KEY,
    email         text NOT NULL,
    code_mac      bytea NOT NULL CHECK (length(code_mac) = 32),
    browser_hash  bytea NOT NULL CHECK (length(browser_hash) = 32),
    tries         smallint NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 5),
    used_at       timestamptz,
    expires_at    timestamptz NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX login_codes_email ON login_codes (email, created_at DESC);
CREATE INDEX login_codes_expires ON login_codes (expires_at);

-- Generic cell rate algorithm, one row a key: tat is the theoretical arrival
-- time of the next call. All nodes share it. See api/platform/limits.
CREATE TABLE rate_limits (
    key  text PRIMARY KEY CHECK (length(key) <= 200),
    tat  timestamptz NOT NULL
);
CREATE INDEX rate_limits_tat ON rate_limits (tat);

-- +goose Down
DROP TABLE rate_limits, login_codes, sessions;
