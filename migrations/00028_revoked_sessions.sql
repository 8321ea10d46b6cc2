-- +goose Up

-- Sessions that were signed out elsewhere, by an admin or by a new password. Until such a session would have
-- ended by age, its device is told that it was revoked and removes the member's data; a session that has merely
-- expired, or that this database does not know, only locks the data.
CREATE TABLE revoked_sessions (
    token_hash  bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    expires_at  timestamptz NOT NULL
);
CREATE INDEX revoked_sessions_expires ON revoked_sessions (expires_at);

-- +goose Down
DROP TABLE revoked_sessions;
