-- +goose Up
-- A request that was sent before the response with a session's new token has the earlier one. It is accepted for a minute,
-- without what the proof gave the session.
ALTER TABLE sessions
    -- SHA-256 of the token before the last change of it; NULL if it has not changed.
    ADD COLUMN replaced_token_hash  bytea CHECK (length(replaced_token_hash) = 32),
    ADD COLUMN token_replaced_at    timestamptz,
    ADD CONSTRAINT sessions_replaced_token CHECK ((replaced_token_hash IS NULL) = (token_replaced_at IS NULL));
CREATE UNIQUE INDEX sessions_replaced_token_hash ON sessions (replaced_token_hash) WHERE replaced_token_hash IS NOT NULL;
