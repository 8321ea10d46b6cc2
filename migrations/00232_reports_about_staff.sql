-- +goose Up

ALTER TABLE reports
    -- The reported member was an admin or a moderator when it was filed: only another admin sees it and decides.
    ADD COLUMN about_staff boolean NOT NULL DEFAULT false;
UPDATE reports r
SET about_staff = true
FROM users u
WHERE r.status = 'pending'
    AND u.id = r.reported_user_id
    AND (u.is_admin OR u.is_moderator);

CREATE OR REPLACE VIEW reports_waiting AS
    SELECT
        'report'::text AS kind,
        id,
        reported_user_id AS member_id,
        reporter_id AS other_id,
        NULL::uuid AS decided_by,
        about_staff AS for_admins,
        CASE
            WHEN source = 'issue' THEN 'issue_' || issue_kind
            WHEN source = 'block' THEN 'second_account'
            ELSE reason
        END AS why,
        priority::integer AS urgency,
        created_at AS waits_since,
        -- Those over the daily limit of their reporter wait for a month longer.
        queue_position(created_at, priority + CASE WHEN over_limit THEN 10 ELSE 0 END) AS position,
        departed_id IS NOT NULL AS is_departed
    FROM reports
    WHERE status = 'pending';

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
