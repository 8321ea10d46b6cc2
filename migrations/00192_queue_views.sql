-- +goose Up

-- The position is computed from the urgency that the view shows, so that the two cannot differ. Reports are as before:
-- those over the daily limit of their reporter wait longer than their urgency says. Their view also says for which former
-- members a ban is possible.

CREATE OR REPLACE VIEW reports_waiting AS
    SELECT
        'report'::text AS kind,
        id,
        reported_user_id AS member_id,
        reporter_id AS other_id,
        NULL::uuid AS decided_by,
        false AS for_admins,
        CASE WHEN source = 'issue' THEN 'issue_' || issue_kind ELSE reason END AS why,
        priority::integer AS urgency,
        created_at AS waits_since,
        -- Those over the daily limit of their reporter wait for a month longer.
        queue_position(created_at, priority + CASE WHEN over_limit THEN 10 ELSE 0 END) AS position,
        departed_id IS NOT NULL AS is_departed
    FROM reports
    WHERE status = 'pending';

CREATE OR REPLACE VIEW flags_waiting AS
    SELECT
        w.*,
        queue_position(w.waits_since, w.urgency) AS position
    FROM (
        SELECT
            'flag'::text AS kind,
            message_id AS id,
            sender_id AS member_id,
            receiver_id AS other_id,
            NULL::uuid AS decided_by,
            false AS for_admins,
            CASE WHEN answer = 'bothers' OR category IS NULL THEN 'bothers' ELSE category END AS why,
            -- Those that bother the recipient, and about money or sexual pressure, are first in the list of flags, too.
            CASE WHEN rank <= 12 THEN 1 ELSE 2 END AS urgency,
            created_at AS waits_since
        FROM message_flags
        WHERE open
    ) w;

CREATE OR REPLACE VIEW appeals_waiting AS
    SELECT
        w.*,
        queue_position(w.waits_since, w.urgency) AS position
    FROM (
        SELECT
            'appeal'::text AS kind,
            a.sanction_id AS id,
            a.user_id AS member_id,
            (SELECT r.reporter_id FROM reports r WHERE r.id = s.report_id) AS other_id,
            s.decided_by,
            true AS for_admins,
            s.kind AS why,
            2 AS urgency,
            a.created_at AS waits_since
        FROM appeals a
        JOIN sanctions s ON s.id = a.sanction_id
        WHERE a.outcome IS NULL
    ) w;

CREATE OR REPLACE VIEW verifications_waiting AS
    SELECT
        w.*,
        queue_position(w.waits_since, w.urgency) AS position
    FROM (
        SELECT
            'verification'::text AS kind,
            id,
            user_id AS member_id,
            NULL::uuid AS other_id,
            NULL::uuid AS decided_by,
            false AS for_admins,
            'selfie'::text AS why,
            2 AS urgency,
            submitted_at AS waits_since
        FROM verifications
        WHERE status = 'pending'
            AND selfie_id IS NOT NULL
    ) w;

CREATE OR REPLACE VIEW profiles_waiting AS
    SELECT
        w.*,
        queue_position(w.waits_since, w.urgency) AS position
    FROM (
        SELECT
            'profile'::text AS kind,
            id,
            user_id AS member_id,
            NULL::uuid AS other_id,
            NULL::uuid AS decided_by,
            false AS for_admins,
            subject AS why,
            -- Nobody finds the member, or sees the photo, until the decision.
            1 AS urgency,
            submitted_at AS waits_since
        FROM profile_reviews
        WHERE status = 'pending'
    ) w;

CREATE OR REPLACE VIEW graduations_waiting AS
    SELECT
        w.*,
        queue_position(w.waits_since, w.urgency) AS position
    FROM (
        SELECT
            'graduation'::text AS kind,
            id,
            user_one_id AS member_id,
            user_two_id AS other_id,
            NULL::uuid AS decided_by,
            false AS for_admins,
            'couple'::text AS why,
            2 AS urgency,
            accepted_at AS waits_since
        FROM graduated_couples
        WHERE status = 'pending'
    ) w;

CREATE OR REPLACE VIEW posts_waiting AS
    SELECT
        w.*,
        queue_position(w.waits_since, w.urgency) AS position
    FROM (
        SELECT
            'post'::text AS kind,
            id,
            author_id AS member_id,
            NULL::uuid AS other_id,
            NULL::uuid AS decided_by,
            is_admin_post AS for_admins,
            coalesce(flag, 'story') AS why,
            2 AS urgency,
            submitted_at AS waits_since
        FROM community_posts
        WHERE status = 'pending'
    ) w;

CREATE OR REPLACE VIEW comments_waiting AS
    SELECT
        w.*,
        queue_position(w.waits_since, w.urgency) AS position
    FROM (
        SELECT
            'comment'::text AS kind,
            id,
            author_id AS member_id,
            NULL::uuid AS other_id,
            NULL::uuid AS decided_by,
            false AS for_admins,
            coalesce(flag, 'comment') AS why,
            2 AS urgency,
            created_at AS waits_since
        FROM post_comments
        WHERE status = 'pending'
            AND deleted_at IS NULL
    ) w;

CREATE OR REPLACE VIEW birth_dates_waiting AS
    SELECT
        w.*,
        queue_position(w.waits_since, w.urgency) AS position
    FROM (
        SELECT
            'birth_date'::text AS kind,
            id,
            user_id AS member_id,
            NULL::uuid AS other_id,
            NULL::uuid AS decided_by,
            false AS for_admins,
            'birth_date'::text AS why,
            2 AS urgency,
            requested_at AS waits_since
        FROM birth_date_requests
        WHERE status = 'pending'
    ) w;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
