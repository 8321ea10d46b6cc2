-- +goose Up

-- Only admins decide on a report about somebody who was of the staff when it was filed, or who is now.
CREATE OR REPLACE VIEW reports_waiting AS
    SELECT
        'report'::text AS kind,
        r.id,
        r.reported_user_id AS member_id,
        r.reporter_id AS other_id,
        NULL::uuid AS decided_by,
        r.about_staff OR EXISTS (
            SELECT
            FROM profiles staff
            WHERE staff.id = r.reported_user_id
                AND staff.is_staff
        ) AS for_admins,
        CASE
            WHEN r.source = 'issue' THEN 'issue_' || r.issue_kind
            WHEN r.source = 'block' THEN 'second_account'
            ELSE r.reason
        END AS why,
        r.priority::integer AS urgency,
        r.created_at AS waits_since,
        -- Those over the daily limit of their reporter wait for a month longer.
        queue_position(r.created_at, r.priority + CASE WHEN r.over_limit THEN 10 ELSE 0 END) AS position,
        r.departed_id IS NOT NULL AS is_departed
    FROM reports r
    WHERE r.status = 'pending';

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
