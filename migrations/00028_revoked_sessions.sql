-- +goose Up

-- Sessions that were ended on another device, by an admin or by a new password.
-- Until such a session would have expired, its device is told to delete the
-- member's data; an expired or unknown session only locks the data.
CREATE TABLE revoked_sessions (
    token_hash  bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    expires_at  timestamptz NOT NULL
);
CREATE INDEX revoked_sessions_expires ON revoked_sessions (expires_at);

-- +goose Down
DROP TABLE revoked_sessions;
