-- +goose Up

-- Conversations and messages.

CREATE TABLE conversations (
    id                   uuid PRIMARY KEY,
    -- No foreign keys: the conversation remains for one member when the other deletes the account.
    user_a               uuid NOT NULL,
    user_b               uuid NOT NULL,
    -- NULL for a request, and after the account of a member was deleted.
    match_id             uuid REFERENCES matches ON DELETE SET NULL,
    -- Who wrote a request, which the other member can accept or decline; NULL for a conversation.
    requested_by         uuid,
    -- NULL unless the request was declined.
    declined_at          timestamptz,
    -- When the members were unmatched or blocked; then both no longer see it. NULL while it is open.
    closed_at            timestamptz,

    -- The seq of the newest message, its time and its sender (one of the two; no foreign key). 0 and NULL
    -- while there is none.
    last_seq             bigint NOT NULL DEFAULT 0,
    last_message_at      timestamptz,
    last_sender          uuid,
    -- Number of changes of existing messages (reactions, deletions), so that a device can ask for those it lacks.
    last_rev             bigint NOT NULL DEFAULT 0,

    -- Up to which seq each member's devices have stored and shown the messages, and pushes were sent.
    a_delivered_seq      bigint NOT NULL DEFAULT 0,
    b_delivered_seq      bigint NOT NULL DEFAULT 0,
    a_read_seq           bigint NOT NULL DEFAULT 0,
    b_read_seq           bigint NOT NULL DEFAULT 0,
    a_notified_seq       bigint NOT NULL DEFAULT 0,
    b_notified_seq       bigint NOT NULL DEFAULT 0,

    -- Each member's own settings; NULL for not pinned, and not muted. Infinity mutes for good.
    a_pinned_at          timestamptz,
    b_pinned_at          timestamptz,
    a_muted_until        timestamptz,
    b_muted_until        timestamptz,

    -- When each member first had a picture or video of the other shown. Until then, NULL, they are blurred.
    a_pictures_shown_at  timestamptz,
    b_pictures_shown_at  timestamptz,

    -- How often the sender changed without a long pause, and who has sent a voice message. The eighth turn sets
    -- message_spark_at, and voice messages of both set voice_connection_at; NULL before, and not changed afterwards.
    turns                integer NOT NULL DEFAULT 0,
    a_spoke              boolean NOT NULL DEFAULT false,
    b_spoke              boolean NOT NULL DEFAULT false,
    message_spark_at     timestamptz,
    voice_connection_at  timestamptz,

    -- Milestones; NULL before, and not changed afterwards. When the second of the two first wrote, and when a message was
    -- first sent 24 hours or more after that.
    both_wrote_at        timestamptz,
    lasted_day_at        timestamptz,

    -- The transaction that last changed the row. GET /api/sync reads the rows at or after the oldest
    -- transaction that was running at the last sync, so that a change which commits late is seen twice
    -- rather than never.
    changed_xid          xid8 NOT NULL DEFAULT pg_current_xact_id(),
    -- The same for changes that only one side sees (a pin, a hidden read position, a declined request); NULL
    -- before the first. They are synced to that side only: from an unchanged summary the other side would
    -- learn that the member was online.
    a_changed_xid        xid8,
    b_changed_xid        xid8,
    created_at           timestamptz NOT NULL DEFAULT now(),

    CONSTRAINT conversations_pair UNIQUE (user_a, user_b),
    CONSTRAINT conversations_order CHECK (user_a < user_b),
    CONSTRAINT conversations_a_receipts CHECK (a_delivered_seq BETWEEN a_read_seq AND last_seq),
    CONSTRAINT conversations_b_receipts CHECK (b_delivered_seq BETWEEN b_read_seq AND last_seq),
    CONSTRAINT conversations_requested_by CHECK (requested_by IN (user_a, user_b)),
    CONSTRAINT conversations_declined CHECK (declined_at IS NULL OR requested_by IS NOT NULL)
) WITH (fillfactor = 80);
COMMENT ON TABLE conversations IS
    'Conversations and requests, one row for each pair, the smaller id first. The row numbers the messages: the next seq '
    'is given under its lock. No index has a column that a message changes, so that these updates stay on their page and '
    'write no index (HOT).';
CREATE INDEX conversations_b ON conversations (user_b);
CREATE INDEX conversations_match ON conversations (match_id);
-- For the job that deletes ended conversations.
CREATE INDEX conversations_closed ON conversations (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX conversations_requests ON conversations (requested_by, created_at) WHERE requested_by IS NOT NULL;

CREATE TABLE messages (
    id                 uuid NOT NULL,
    conversation_id    uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
    -- Gapless within the conversation, from 1.
    seq                bigint NOT NULL CHECK (seq > 0),
    -- One of the two members; no foreign key.
    sender_id          uuid NOT NULL,
    -- Chosen by the sender's device. Not deleted: a retry finds its first result.
    client_id          uuid NOT NULL,
    message_type       text NOT NULL DEFAULT 'text' CHECK (message_type IN ('text', 'audio', 'video', 'image', 'date')),
    -- May be empty for other types than text.
    content            text NOT NULL DEFAULT '' CHECK (length(content) <= 4000),
    -- The seq of the message that this one replies to; NULL for none.
    reply_to           bigint CHECK (reply_to > 0),
    -- The date that the message is about; NULL for other types than date.
    date_id            uuid,
    sent_at            timestamptz NOT NULL DEFAULT now(),
    -- When a device of the recipient first showed it; NULL before.
    read_at            timestamptz,
    -- When its sender deleted it, or the sender's account was deleted; NULL before.
    deleted_at         timestamptz,
    -- An emoji; NULL for none.
    sender_reaction    text CHECK (length(sender_reaction) BETWEEN 1 AND 16),
    receiver_reaction  text CHECK (length(receiver_reaction) BETWEEN 1 AND 16),
    -- Category found by the message filter; NULL for none.
    flag               text CHECK (flag IN ('harassment', 'sexual_pressure', 'money', 'off_platform', 'spam')),
    -- The answer of the recipient; NULL for none.
    flag_answer        text CHECK (flag_answer IN ('fine', 'bothers')),
    -- The conversation's last_rev at the last change; 0 for none.
    rev                bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (conversation_id, seq),
    CONSTRAINT messages_id_key UNIQUE (id),
    CONSTRAINT messages_client UNIQUE (sender_id, client_id),
    CONSTRAINT messages_text CHECK (message_type <> 'text' OR deleted_at IS NOT NULL OR length(btrim(content)) > 0),
    CONSTRAINT messages_deleted CHECK (deleted_at IS NULL OR content = ''),
    CONSTRAINT messages_reply CHECK (reply_to < seq)
) WITH (fillfactor = 90);
COMMENT ON TABLE messages IS
    'Messages of conversations. A deleted one stays as an empty row.';
CREATE INDEX messages_rev ON messages (conversation_id, rev) WHERE rev > 0;

CREATE TABLE message_files (
    file_id          uuid PRIMARY KEY REFERENCES files ON DELETE CASCADE,
    conversation_id  uuid NOT NULL,
    seq              bigint NOT NULL,
    -- Order of the files, from 0.
    position         smallint NOT NULL CHECK (position BETWEEN 0 AND 9),
    CONSTRAINT message_files_message FOREIGN KEY (conversation_id, seq) REFERENCES messages ON DELETE CASCADE,
    CONSTRAINT message_files_position UNIQUE (conversation_id, seq, position)
);
COMMENT ON TABLE message_files IS
    'The files of a message. A file belongs to one message. The package media owns the table.';

-- Deletes the files of a message that is deleted by its sender or with its conversation
-- or an account. If the file was deleted first, there is nothing to delete.
-- +goose StatementBegin
CREATE FUNCTION message_files_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM files WHERE id = OLD.file_id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER message_files_deleted AFTER DELETE ON message_files
    FOR EACH ROW EXECUTE FUNCTION message_files_deleted();

-- Marks the conversations of a member for sync when the other members see the account
-- differently.
-- +goose StatementBegin
CREATE FUNCTION users_status_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE conversations SET changed_xid = pg_current_xact_id() WHERE NEW.id IN (user_a, user_b);
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- Conversations with a member who is suspended or under review are hidden meanwhile.
CREATE TRIGGER users_status AFTER UPDATE OF profile_status ON users
    FOR EACH ROW
    WHEN (OLD.profile_status IS DISTINCT FROM NEW.profile_status)
    EXECUTE FUNCTION users_status_changed();
-- Hiding the online status or read receipts changes what all others see.
CREATE TRIGGER users_hiding AFTER UPDATE OF hide_online, hide_read_receipts ON users
    FOR EACH ROW
    WHEN (OLD.hide_online IS DISTINCT FROM NEW.hide_online OR OLD.hide_read_receipts IS DISTINCT FROM NEW.hide_read_receipts)
    EXECUTE FUNCTION users_status_changed();

-- Marks the conversations of a deleted member for sync: each is shown to the other
-- member again, with a former member.
-- +goose StatementBegin
CREATE FUNCTION users_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE conversations SET changed_xid = pg_current_xact_id() WHERE OLD.id IN (user_a, user_b);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_deleted AFTER DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION users_deleted();

-- A conversation as each of its two members sees it: one row for each member.
-- started is whether the member wrote the first message. has_unread and unread_count, which is at most 100, leave out
-- deleted messages. These three cost a lookup where they are selected.
CREATE VIEW conversation_sides AS
    SELECT
        id              AS conversation_id,
        user_a          AS member_id,
        user_b          AS peer_id,
        match_id,
        last_seq,
        a_read_seq      AS read_seq,
        b_read_seq      AS peer_read_seq,
        a_delivered_seq AS delivered_seq,
        a_notified_seq  AS notified_seq,
        a_muted_until   AS muted_until,
        last_message_at,
        requested_by,
        declined_at,
        closed_at,
        both_wrote_at,
        lasted_day_at,
        (SELECT m.sender_id FROM messages m WHERE m.conversation_id = conversations.id AND m.seq = 1) = user_a AS started,
        last_seq > a_read_seq AND EXISTS (
            SELECT FROM messages m
            WHERE m.conversation_id = conversations.id
                AND m.seq > a_read_seq
                AND m.sender_id <> user_a
                AND m.deleted_at IS NULL
        ) AS has_unread,
        (
            SELECT count(*)
            FROM (
                SELECT FROM messages m
                WHERE m.conversation_id = conversations.id
                    AND m.seq > a_read_seq
                    AND m.sender_id <> user_a
                    AND m.deleted_at IS NULL
                LIMIT 100
            ) unread
        ) AS unread_count
    FROM conversations
    UNION ALL
    SELECT
        id,
        user_b,
        user_a,
        match_id,
        last_seq,
        b_read_seq,
        a_read_seq,
        b_delivered_seq,
        b_notified_seq,
        b_muted_until,
        last_message_at,
        requested_by,
        declined_at,
        closed_at,
        both_wrote_at,
        lasted_day_at,
        (SELECT m.sender_id FROM messages m WHERE m.conversation_id = conversations.id AND m.seq = 1) = user_b,
        last_seq > b_read_seq AND EXISTS (
            SELECT FROM messages m
            WHERE m.conversation_id = conversations.id
                AND m.seq > b_read_seq
                AND m.sender_id <> user_b
                AND m.deleted_at IS NULL
        ),
        (
            SELECT count(*)
            FROM (
                SELECT FROM messages m
                WHERE m.conversation_id = conversations.id
                    AND m.seq > b_read_seq
                    AND m.sender_id <> user_b
                    AND m.deleted_at IS NULL
                LIMIT 100
            ) unread
        )
    FROM conversations;

-- The files of messages, in the order of position. seq is that of the message.
CREATE VIEW attachments AS
    SELECT
        mf.conversation_id,
        mf.seq,
        mf.position,
        f.*
    FROM message_files mf
    JOIN stored_files f ON f.id = mf.file_id;

-- The files of messages with the members who may open them: each member to whom the
-- conversation is shown.
CREATE VIEW shared_files AS
    SELECT mf.file_id, c.member_id
    FROM message_files mf
    JOIN conversation_sides c
        ON c.conversation_id = mf.conversation_id
        AND c.closed_at IS NULL
        AND (c.declined_at IS NULL OR c.requested_by = c.member_id)
    WHERE NOT EXISTS (
        SELECT FROM profiles peer
        WHERE peer.id = c.peer_id
            AND peer.profile_status <> 'active'
    );

-- Opens the conversation of a match and returns its id. An existing conversation, from
-- a request or an ended match, becomes that of the match.
CREATE FUNCTION open_conversation(new_id uuid, a uuid, b uuid, new_match uuid) RETURNS uuid LANGUAGE sql AS $$
    INSERT INTO conversations AS c (id, user_a, user_b, match_id)
    VALUES (new_id, a, b, new_match)
    ON CONFLICT (user_a, user_b) DO UPDATE SET
        match_id = excluded.match_id,
        closed_at = NULL,
        requested_by = NULL,
        declined_at = NULL,
        changed_xid = pg_current_xact_id()
    RETURNING c.id
$$;

-- Closes the open conversation of two members and returns its id, or null without one.
CREATE FUNCTION close_conversation(a uuid, b uuid) RETURNS uuid LANGUAGE sql AS $$
    UPDATE conversations
    SET
        closed_at = clock_timestamp(),
        changed_xid = pg_current_xact_id()
    WHERE user_a = a
        AND user_b = b
        AND closed_at IS NULL
    RETURNING id
$$;
