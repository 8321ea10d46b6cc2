-- +goose Up
CREATE TABLE birth_date_requests (
    id            uuid PRIMARY KEY,
    -- At most one row for each member: another request replaces it.
    user_id       uuid NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
    -- The date that the member asks for.
    birth_date    date NOT NULL,
    -- Why, in the member's words.
    explanation   text NOT NULL CHECK (length(explanation) BETWEEN 1 AND 500),
    status        text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'refused')),
    requested_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The moderator who opened it last, and may decide for an hour.
    opened_by     uuid REFERENCES users ON DELETE SET NULL,
    opened_at     timestamptz,
    decided_at    timestamptz,
    decided_by    uuid REFERENCES users ON DELETE SET NULL,
    -- Told to a member whose request was refused; empty otherwise.
    answer        text NOT NULL DEFAULT '' CHECK (length(answer) <= 500),
    CONSTRAINT birth_date_requests_decided CHECK ((status = 'pending') = (decided_at IS NULL))
);
COMMENT ON TABLE birth_date_requests IS
    'Birth dates that members ask for beyond the one change that they make themselves. A moderator decides.';
CREATE INDEX birth_date_requests_opened_by ON birth_date_requests (opened_by);
CREATE INDEX birth_date_requests_decided_by ON birth_date_requests (decided_by);
CREATE INDEX birth_date_requests_queue ON birth_date_requests (queue_position(requested_at, 2), id) WHERE status = 'pending';

CREATE VIEW birth_dates_waiting AS
    SELECT
        'birth_date'::text AS kind,
        id,
        user_id AS member_id,
        NULL::uuid AS other_id,
        NULL::uuid AS decided_by,
        false AS for_admins,
        'birth_date'::text AS why,
        2 AS urgency,
        requested_at AS waits_since,
        queue_position(requested_at, 2) AS position
    FROM birth_date_requests
    WHERE status = 'pending';

ALTER TABLE queue_claims
    DROP CONSTRAINT queue_claims_kind_check,
    ADD CONSTRAINT queue_claims_kind_check CHECK (kind IN (
        'report', 'flag', 'appeal', 'verification', 'profile', 'graduation', 'post', 'comment', 'birth_date'));

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
