-- +goose Up

-- The other member of what a sanction is about: the reporter, or the recipient of the flagged message. NULL for a sanction about
-- neither, and when that account was deleted.
CREATE VIEW sanction_counterparts AS
    SELECT
        s.id AS sanction_id,
        coalesce(r.reporter_id, f.receiver_id) AS member_id
    FROM sanctions s
    LEFT JOIN reports r ON r.id = s.report_id
    LEFT JOIN message_flags f ON f.message_id = s.message_id;

-- The recipient of the flagged message is a party too, as the reporter is.
CREATE OR REPLACE VIEW appeals_waiting AS
    SELECT
        w.*,
        queue_position(w.waits_since, w.urgency) AS position
    FROM (
        SELECT
            'appeal'::text AS kind,
            a.sanction_id AS id,
            a.user_id AS member_id,
            (SELECT c.member_id FROM sanction_counterparts c WHERE c.sanction_id = s.id) AS other_id,
            s.decided_by,
            true AS for_admins,
            s.kind AS why,
            2 AS urgency,
            a.created_at AS waits_since
        FROM appeals a
        JOIN sanctions s ON s.id = a.sanction_id
        WHERE a.outcome IS NULL
    ) w;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
