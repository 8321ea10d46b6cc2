-- +goose Up

-- A conversation begins by a match, or by a request: what one member wrote to
-- another without one. While requested_by is set it is a request, of which the
-- other side may accept (it is null then), decline or hear no more of it.
--
-- last_rev numbers the changes of messages that are already there (a reaction,
-- a deletion), under the row's lock as last_seq does the messages, so that a
-- device can ask for what it missed.
--
-- turns counts how often the word went over to the other without a long pause;
-- at some point the conversation heats up, once. Both having sent a voice is
-- the other spark.
ALTER TABLE conversations
    ADD COLUMN requested_by        uuid REFERENCES users ON DELETE CASCADE,
    ADD COLUMN declined_at         timestamptz,
    ADD COLUMN last_rev            bigint NOT NULL DEFAULT 0,
    ADD COLUMN last_sender         uuid, -- of the newest message; no foreign key, it is one of the two
    ADD COLUMN turns               integer NOT NULL DEFAULT 0,
    ADD COLUMN a_spoke             boolean NOT NULL DEFAULT false, -- sent a voice
    ADD COLUMN b_spoke             boolean NOT NULL DEFAULT false,
    ADD COLUMN message_spark_at    timestamptz,
    ADD COLUMN voice_connection_at timestamptz,
    ADD COLUMN a_pinned_at         timestamptz,
    ADD COLUMN b_pinned_at         timestamptz,
    ADD COLUMN a_muted_until       timestamptz, -- infinity: for good
    ADD COLUMN b_muted_until       timestamptz,
    ADD CONSTRAINT conversations_requested_by CHECK (requested_by IN (user_a, user_b)),
    ADD CONSTRAINT conversations_declined CHECK (declined_at IS NULL OR requested_by IS NOT NULL);
CREATE INDEX conversations_requests ON conversations (requested_by, created_at) WHERE requested_by IS NOT NULL;

ALTER TABLE messages
    DROP CONSTRAINT messages_message_type_check,
    ADD CONSTRAINT messages_message_type_check CHECK (message_type IN ('text', 'audio', 'video', 'image', 'date')),
    DROP CONSTRAINT messages_check, -- a deleted text is empty
    DROP COLUMN file_id,
    ADD COLUMN reply_to          bigint CHECK (reply_to > 0), -- the seq of a message of the same conversation
    ADD COLUMN date_id           uuid,
    ADD COLUMN deleted_at        timestamptz,
    ADD COLUMN sender_reaction   text CHECK (length(sender_reaction) BETWEEN 1 AND 16),
    ADD COLUMN receiver_reaction text CHECK (length(receiver_reaction) BETWEEN 1 AND 16),
    ADD COLUMN flag              text CHECK (flag IN ('harassment', 'sexual_pressure', 'money', 'off_platform', 'spam')),
    ADD COLUMN flag_answer       text CHECK (flag_answer IN ('fine', 'bothers')), -- the receiver's
    ADD COLUMN rev               bigint NOT NULL DEFAULT 0, -- of the last change, 0 for none
    ADD CONSTRAINT messages_text CHECK (message_type <> 'text' OR deleted_at IS NOT NULL OR length(btrim(content)) > 0),
    ADD CONSTRAINT messages_deleted CHECK (deleted_at IS NULL OR content = ''),
    ADD CONSTRAINT messages_reply CHECK (reply_to < seq);
CREATE INDEX messages_rev ON messages (conversation_id, rev) WHERE rev > 0;

-- The files of a message, in order. A file belongs to one message; it goes with it.
CREATE TABLE message_files (
    file_id          uuid PRIMARY KEY REFERENCES files ON DELETE CASCADE,
    conversation_id  uuid NOT NULL,
    seq              bigint NOT NULL,
    position         smallint NOT NULL CHECK (position BETWEEN 0 AND 9),
    CONSTRAINT message_files_place UNIQUE (conversation_id, seq, position),
    FOREIGN KEY (conversation_id, seq) REFERENCES messages ON DELETE CASCADE
);

-- What the other side may see. A member who hides receipts or presence does not
-- see those of others.
ALTER TABLE users
    ADD COLUMN hide_online        boolean NOT NULL DEFAULT false,
    ADD COLUMN hide_read_receipts boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE users DROP COLUMN hide_online, DROP COLUMN hide_read_receipts;
DROP TABLE message_files;
DROP INDEX messages_rev;
DELETE FROM messages WHERE message_type = 'date' OR deleted_at IS NOT NULL;
ALTER TABLE messages
    DROP CONSTRAINT messages_message_type_check, DROP CONSTRAINT messages_text, DROP CONSTRAINT messages_deleted, DROP CONSTRAINT messages_reply,
    ADD CONSTRAINT messages_message_type_check CHECK (message_type IN ('text', 'audio', 'video', 'image')),
    ADD COLUMN file_id uuid REFERENCES files ON DELETE SET NULL,
    DROP COLUMN reply_to, DROP COLUMN date_id, DROP COLUMN deleted_at, DROP COLUMN sender_reaction, DROP COLUMN receiver_reaction,
    DROP COLUMN flag, DROP COLUMN flag_answer, DROP COLUMN rev,
    ADD CONSTRAINT messages_check CHECK (message_type <> 'text' OR length(btrim(content)) > 0);
-- A request would become a conversation that its recipient has not accepted.
UPDATE conversations SET closed_at = coalesce(closed_at, now()) WHERE requested_by IS NOT NULL;
DROP INDEX conversations_requests;
ALTER TABLE conversations
    DROP COLUMN requested_by, DROP COLUMN declined_at, DROP COLUMN last_rev, DROP COLUMN last_sender, DROP COLUMN turns,
    DROP COLUMN a_spoke, DROP COLUMN b_spoke, DROP COLUMN message_spark_at, DROP COLUMN voice_connection_at,
    DROP COLUMN a_pinned_at, DROP COLUMN b_pinned_at, DROP COLUMN a_muted_until, DROP COLUMN b_muted_until;
