-- +goose Up

CREATE TABLE staff_notes (
    -- Chosen by the client, so that a repetition is recognised.
    id           uuid PRIMARY KEY,
    -- The member whom it is about; NULL for an issue, which is about none.
    user_id      uuid REFERENCES users ON DELETE CASCADE,
    -- The case on which it was written: a report, a flagged message or a sanction that is appealed; NULL for a note on the account.
    case_kind    text CHECK (case_kind IN ('report', 'flag', 'appeal')),
    case_id      uuid,
    -- The moderator; NULL when that account was deleted.
    author_id    uuid REFERENCES users ON DELETE SET NULL,
    -- The moderator's name at that time.
    author_name  text NOT NULL,
    content      text NOT NULL CHECK (length(content) BETWEEN 1 AND 2000),
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT staff_notes_case CHECK ((case_kind IS NULL) = (case_id IS NULL)),
    CONSTRAINT staff_notes_subject CHECK (user_id IS NOT NULL OR case_id IS NOT NULL)
);
COMMENT ON TABLE staff_notes IS
    'What moderators write for each other about an account or a case. No member sees them. Deleted with the account, and after a year.';
CREATE INDEX staff_notes_member ON staff_notes (user_id, created_at DESC, id DESC) WHERE user_id IS NOT NULL;
CREATE INDEX staff_notes_case_newest ON staff_notes (case_kind, case_id, created_at DESC, id DESC) WHERE case_id IS NOT NULL;
CREATE INDEX staff_notes_author ON staff_notes (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX staff_notes_created ON staff_notes (created_at);

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
