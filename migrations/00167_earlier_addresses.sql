-- +goose Up
CREATE TABLE earlier_addresses (
    -- That of the change.
    id          uuid PRIMARY KEY,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The address that the change replaced.
    email       text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
    -- Of the address, as in users. No other account can have it.
    abuse_key   text NOT NULL,
    -- SHA-256. The token itself is only in the mail.
    token_hash  bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    changed_at  timestamptz NOT NULL,
    -- 7 days later. A job then deletes the row; its use deletes it too.
    expires_at  timestamptz NOT NULL
);
COMMENT ON TABLE earlier_addresses IS
    'Addresses that members replaced with the codes of both mailboxes. The mailbox of each can undo the change, once, and '
    'meanwhile no other account can have the mailbox.';
CREATE INDEX earlier_addresses_member ON earlier_addresses (user_id);
CREATE INDEX earlier_addresses_mailbox ON earlier_addresses (abuse_key);
CREATE INDEX earlier_addresses_expires ON earlier_addresses (expires_at);

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
