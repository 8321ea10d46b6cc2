-- +goose Up

-- Messages that an admin should review: flagged by the filter, by a remote filter
-- where one is configured, or by the receiver. The text is a copy, so that deleting
-- the message or the account removes no evidence; a job removes it 90 days after the
-- decision. There is one row a message, under the message's id.
--
-- A flag that the receiver answered with "fine" leaves the queue; a request for money
-- stays, because its targets often notice too late. rank is the order of the queue:
-- messages that bother the receiver first, then by their kind.
CREATE TABLE message_flags (
    message_id       uuid PRIMARY KEY,
    conversation_id  uuid NOT NULL, -- no foreign keys: the row outlives both
    seq              bigint NOT NULL,
    sender_id        uuid REFERENCES users ON DELETE SET NULL,
    receiver_id      uuid REFERENCES users ON DELETE SET NULL,
    content          text NOT NULL,
    category         text CHECK (category IN ('harassment', 'sexual_pressure', 'money', 'off_platform', 'spam')), -- null: the receiver's word alone
    score            real CHECK (score BETWEEN 0 AND 1), -- null: a person's word, or the filter's before it was looked at
    source           text NOT NULL CHECK (source IN ('filter', 'receiver', 'remote')),
    answer           text CHECK (answer IN ('fine', 'bothers')), -- the receiver's
    answered_at      timestamptz,
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    reviewed_by      uuid REFERENCES users ON DELETE SET NULL,
    reviewed_at      timestamptz,
    decision         text CHECK (decision IN ('dismiss', 'warn', 'suspend')),
    open             boolean GENERATED ALWAYS AS (reviewed_at IS NULL
                         AND (answer IS NULL OR answer = 'bothers' OR category IS NOT DISTINCT FROM 'money')) STORED,
    rank             smallint GENERATED ALWAYS AS (CASE WHEN answer = 'bothers' THEN 0 ELSE 10 END + CASE category
                         WHEN 'money' THEN 1 WHEN 'sexual_pressure' THEN 2 WHEN 'harassment' THEN 3
                         WHEN 'off_platform' THEN 5 WHEN 'spam' THEN 6 ELSE 4 END) STORED,
    CONSTRAINT message_flags_decided CHECK ((reviewed_at IS NULL) = (decision IS NULL))
);
CREATE INDEX message_flags_open ON message_flags (rank, created_at, message_id) WHERE open;
CREATE INDEX message_flags_sender ON message_flags (sender_id, created_at DESC);
CREATE INDEX message_flags_receiver ON message_flags (receiver_id) WHERE receiver_id IS NOT NULL;
CREATE INDEX message_flags_reviewed_by ON message_flags (reviewed_by) WHERE reviewed_by IS NOT NULL;
CREATE INDEX message_flags_kept ON message_flags (coalesce(reviewed_at, answered_at)) WHERE content <> '' AND NOT open;

-- Runs in the transaction that stores the message or the recipient's answer. An
-- existing row keeps its source, score and text; a flag that the recipient
-- raises is opened again.
-- +goose StatementBegin
CREATE FUNCTION keep_message_flag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO message_flags AS f (message_id, conversation_id, seq, sender_id, receiver_id, content, category, source, answer, answered_at)
    SELECT NEW.id, c.id, NEW.seq, NEW.sender_id, CASE c.user_a WHEN NEW.sender_id THEN c.user_b ELSE c.user_a END, NEW.content,
        NEW.flag, CASE WHEN NEW.flag IS NULL THEN 'receiver' ELSE 'filter' END,
        NEW.flag_answer, CASE WHEN NEW.flag_answer IS NOT NULL THEN clock_timestamp() END
    FROM conversations c WHERE c.id = NEW.conversation_id
    ON CONFLICT (message_id) DO UPDATE SET
        category = coalesce(EXCLUDED.category, f.category), answer = EXCLUDED.answer,
        answered_at = CASE WHEN f.answer IS DISTINCT FROM EXCLUDED.answer THEN EXCLUDED.answered_at ELSE f.answered_at END,
        content = coalesce(nullif(f.content, ''), EXCLUDED.content),
        reviewed_at = CASE WHEN EXCLUDED.answer = 'bothers' AND f.answer IS DISTINCT FROM 'bothers' THEN NULL ELSE f.reviewed_at END,
        decision = CASE WHEN EXCLUDED.answer = 'bothers' AND f.answer IS DISTINCT FROM 'bothers' THEN NULL ELSE f.decision END;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER messages_flagged AFTER INSERT ON messages FOR EACH ROW
    WHEN (NEW.flag IS NOT NULL) EXECUTE FUNCTION keep_message_flag();
CREATE TRIGGER messages_flag_changed AFTER UPDATE OF flag, flag_answer ON messages FOR EACH ROW
    WHEN (NEW.flag IS DISTINCT FROM OLD.flag OR NEW.flag_answer IS DISTINCT FROM OLD.flag_answer) EXECUTE FUNCTION keep_message_flag();

-- +goose Down
DROP TRIGGER messages_flag_changed ON messages;
DROP TRIGGER messages_flagged ON messages;
DROP FUNCTION keep_message_flag;
DROP TABLE message_flags;
