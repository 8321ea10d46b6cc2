-- +goose Up

CREATE TABLE daily_outcomes (
    -- Of UTC, on which the reports were decided.
    day      date NOT NULL,
    -- The reason of the reports, as at the decision.
    reason   text NOT NULL CHECK (length(reason) BETWEEN 1 AND 40),
    -- The decision, as in reports.action_taken.
    outcome  text NOT NULL CHECK (length(outcome) BETWEEN 1 AND 40),
    reports  integer NOT NULL CHECK (reports > 0),
    PRIMARY KEY (day, reason, outcome)
);
COMMENT ON TABLE daily_outcomes IS
    'How many reports of members were decided in which way, by reason: a reason whose reports are dismissed more often than '
    'others may show a bias. Stored with the figures of the day, and never changed. It refers to no member.';

-- The days whose figures are stored.
INSERT INTO daily_outcomes (day, reason, outcome, reports)
SELECT
    (r.reviewed_at AT TIME ZONE 'UTC')::date,
    r.reason,
    r.action_taken,
    count(*)
FROM reports r
WHERE r.status <> 'pending'
    AND r.source = 'member'
    AND r.action_taken IS NOT NULL
    AND (r.reviewed_at AT TIME ZONE 'UTC')::date IN (SELECT day FROM daily_figures)
GROUP BY 1, 2, 3;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
