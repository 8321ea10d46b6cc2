-- +goose Up

ALTER TABLE reports
    -- When the hiding ends without a decision, also if it has ended; NULL if the report hides nobody, and for one that
    -- hides until the decision: that a member is under age, or of a check of pictures.
    ADD COLUMN hides_until timestamptz,
    -- The reason with which it was filed, if an addition has changed it to a more urgent one; NULL otherwise.
    ADD COLUMN filed_reason text,
    -- When a moderator asked the reported member to show the age; NULL if nobody did.
    ADD COLUMN age_asked_at timestamptz;

CREATE TABLE report_additions (
    id           uuid PRIMARY KEY,
    report_id    uuid NOT NULL REFERENCES reports ON DELETE CASCADE,
    reason       text NOT NULL,
    description  text NOT NULL CHECK (length(description) <= 2000),
    -- As that of a report; empty when a job has removed it.
    evidence     jsonb NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE report_additions IS
    'What reporters added to their open reports, with the evidence at that time.';
CREATE INDEX report_additions_report ON report_additions (report_id, created_at);

CREATE TABLE hidden_statements (
    id          uuid PRIMARY KEY,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    content     text NOT NULL CHECK (length(content) BETWEEN 1 AND 2000),
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE hidden_statements IS
    'What members wrote while a report hid their profiles: at most one until all reports about them are decided. Moderators '
    'read it with these reports.';
CREATE INDEX hidden_statements_member ON hidden_statements (user_id, created_at DESC);
CREATE INDEX hidden_statements_created ON hidden_statements (created_at);

-- When a member last wrote to another; NULL if never. Messages of an ended conversation and deleted ones count.
CREATE FUNCTION last_message_to(sender uuid, receiver uuid) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT max(m.sent_at)
    FROM conversation_sides c
    JOIN messages m ON m.conversation_id = c.conversation_id
    WHERE c.member_id = receiver
        AND c.peer_id = sender
        AND m.sender_id = sender
$$;

-- A flag can also end in a ban, as a report can.
ALTER TABLE message_flags DROP CONSTRAINT message_flags_decision_check;
ALTER TABLE message_flags ADD CONSTRAINT message_flags_decision_check CHECK (decision IN ('dismiss', 'warn', 'suspend', 'ban')) NOT VALID;
ALTER TABLE message_flags VALIDATE CONSTRAINT message_flags_decision_check;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
