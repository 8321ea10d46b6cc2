-- +goose Up

-- Every unique key of messages contains the conversation, so that the table can be partitioned by it. It is not the first
-- column of the key of the client id: receipts and unread messages, which are a few of a long conversation, would be planned
-- to read all messages of their sender in the conversation by this index.
ALTER TABLE messages
    DROP CONSTRAINT messages_client,
    ADD CONSTRAINT messages_client UNIQUE (client_id, sender_id, conversation_id),
    DROP CONSTRAINT messages_id_key;

-- For jobs and moderators, who name messages by their ids, and for figures: the ids begin with the time.
CREATE INDEX messages_id ON messages (id);

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
