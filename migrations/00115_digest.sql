-- +goose Up

-- The weekly digest: its runs, and one row for each member and week.

CREATE TABLE digest_runs (
    -- The Monday of the ISO week in UTC.
    week         date PRIMARY KEY CHECK (extract(isodow FROM week) = 1),
    -- The digests cover the seven days before.
    started_at   timestamptz NOT NULL DEFAULT now(),
    -- The last member for whom there is a row; NULL before the first batch.
    enqueued_to  uuid,
    -- When the last batch was enqueued; NULL before.
    enqueued_at  timestamptz
);
COMMENT ON TABLE digest_runs IS
    'Runs of the weekly digest. A job deletes them after five weeks.';

CREATE TABLE digest_mails (
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    week        date NOT NULL REFERENCES digest_runs,
    -- sending is committed before the mail server gets the mail. From then on the mail is not sent again, unless
    -- the server certainly did not accept it.
    state       text NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'skipped')),
    -- Why it was skipped or failed; NULL otherwise.
    reason      text CHECK (reason IN ('not_active', 'graduated', 'paused', 'opted_out', 'inactive', 'new_member', 'nothing_new',
                    'refused', 'unavailable', 'interrupted', 'expired')),
    changed_at  timestamptz NOT NULL DEFAULT now(),
    -- One digest for each member and week.
    PRIMARY KEY (user_id, week),
    CONSTRAINT digest_mails_reason CHECK ((reason IS NOT NULL) = (state IN ('failed', 'skipped')))
);
COMMENT ON TABLE digest_mails IS
    'The digest of a member for a week, sent at most once. Rows are counted for the status of the run. A job deletes them '
    'after four weeks.';
CREATE INDEX digest_mails_state ON digest_mails (week, state, reason);
