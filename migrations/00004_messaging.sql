-- +goose Up

-- One row a pair. It numbers the messages (last_seq, under the row's lock) and
-- holds how far each side has received and read. changed_xid is the
-- transaction that last touched the row: GET /api/sync reads the rows at or
-- after the oldest transaction still running at the member's last sync, so a
-- change that commits late is seen twice rather than never.
-- No index holds a column that a message changes, so that those updates stay
-- within the page (HOT).
CREATE TABLE conversations (
    id               uuid PRIMARY KEY,
    user_a           uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    user_b           uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    match_id         uuid REFERENCES matches ON DELETE SET NULL,
    last_seq         bigint NOT NULL DEFAULT 0,
    a_delivered_seq  bigint NOT NULL DEFAULT 0,
    b_delivered_seq  bigint NOT NULL DEFAULT 0,
    a_read_seq       bigint NOT NULL DEFAULT 0,
    b_read_seq       bigint NOT NULL DEFAULT 0,
    a_notified_seq   bigint NOT NULL DEFAULT 0,
    b_notified_seq   bigint NOT NULL DEFAULT 0,
    last_message_at  timestamptz,
    closed_at        timestamptz, -- unmatched or blocked: hidden from both
    changed_xid      xid8 NOT NULL DEFAULT pg_current_xact_id(),
    created_at       timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT conversations_pair UNIQUE (user_a, user_b),
    CHECK (user_a < user_b),
    CHECK (a_delivered_seq BETWEEN a_read_seq AND last_seq),
    CHECK (b_delivered_seq BETWEEN b_read_seq AND last_seq)
) WITH (fillfactor = 80);
CREATE INDEX conversations_b ON conversations (user_b);
CREATE INDEX conversations_match ON conversations (match_id);

CREATE TABLE messages (
    id               uuid NOT NULL,
    conversation_id  uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
    seq              bigint NOT NULL CHECK (seq > 0),
    sender_id        uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    client_id        uuid NOT NULL,
    message_type     text NOT NULL DEFAULT 'text' CHECK (message_type IN ('text', 'audio', 'video', 'image')),
    content          text NOT NULL DEFAULT '' CHECK (length(content) <= 4000),
    file_id          uuid REFERENCES files ON DELETE SET NULL,
    sent_at          timestamptz NOT NULL DEFAULT now(),
    read_at          timestamptz,
    PRIMARY KEY (conversation_id, seq),
    CONSTRAINT messages_id_key UNIQUE (id),
    -- Kept for ever: a send that is tried again finds its first result.
    CONSTRAINT messages_client UNIQUE (sender_id, client_id),
    CHECK (message_type <> 'text' OR length(btrim(content)) > 0)
) WITH (fillfactor = 90);

-- Who has a socket open on which node. A row older than 35 s is a node that
-- died; UNLOGGED because a crash ends every socket too.
CREATE UNLOGGED TABLE presence (
    user_id  uuid NOT NULL,
    node     uuid NOT NULL,
    seen_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, node)
);

-- +goose Down
DROP TABLE presence, messages, conversations;
