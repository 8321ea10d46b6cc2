-- +goose Up

-- One queue of everything that waits for a moderator. Each feature has a view of what waits there, with the same
-- columns; package queue reads their union.

-- The position in the queue: a step of urgency counts as three days of waiting, so nothing waits for ever. Without a time
-- zone, because it is indexed.
CREATE FUNCTION queue_position(waits_since timestamptz, urgency integer) RETURNS timestamp
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (waits_since AT TIME ZONE 'UTC') + urgency * interval '3 days';

CREATE TABLE queue_claims (
    kind          text NOT NULL CHECK (kind IN ('report', 'flag', 'appeal', 'verification', 'profile', 'graduation', 'post', 'comment')),
    -- Of the entry. No foreign key: entries are of several tables.
    entry_id      uuid NOT NULL,
    moderator_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- Renewed whenever the moderator opens the entry again.
    expires_at    timestamptz NOT NULL,
    PRIMARY KEY (kind, entry_id)
);
COMMENT ON TABLE queue_claims IS
    'Entries of the queue that a moderator has open. Others cannot open them until the claim is released or expires.';
CREATE INDEX queue_claims_moderator ON queue_claims (moderator_id);
CREATE INDEX queue_claims_expired ON queue_claims (expires_at);

-- The columns of each view:
-- member_id, other_id: whom the entry is about, and who else is a party; neither decides on it. NULL for a deleted account.
-- decided_by: who decided before; they decide again only if there is no other admin. NULL if nobody did.
-- for_admins: only admins decide.
-- why: what makes it urgent. urgency: to be decided within 1 h (0), 24 h (1) or 72 h (2).

CREATE VIEW reports_waiting AS
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
        queue_position(created_at, priority + CASE WHEN over_limit THEN 10 ELSE 0 END) AS position
    FROM reports
    WHERE status = 'pending';

CREATE VIEW flags_waiting AS
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
        created_at AS waits_since,
        queue_position(created_at, CASE WHEN rank <= 12 THEN 1 ELSE 2 END) AS position
    FROM message_flags
    WHERE open;

CREATE VIEW appeals_waiting AS
    SELECT
        'appeal'::text AS kind,
        a.sanction_id AS id,
        a.user_id AS member_id,
        (SELECT r.reporter_id FROM reports r WHERE r.id = s.report_id) AS other_id,
        s.decided_by,
        true AS for_admins,
        s.kind AS why,
        2 AS urgency,
        a.created_at AS waits_since,
        queue_position(a.created_at, 2) AS position
    FROM appeals a
    JOIN sanctions s ON s.id = a.sanction_id
    WHERE a.outcome IS NULL;

CREATE VIEW verifications_waiting AS
    SELECT
        'verification'::text AS kind,
        id,
        user_id AS member_id,
        NULL::uuid AS other_id,
        NULL::uuid AS decided_by,
        false AS for_admins,
        'selfie'::text AS why,
        2 AS urgency,
        submitted_at AS waits_since,
        queue_position(submitted_at, 2) AS position
    FROM verifications
    WHERE status = 'pending'
        AND selfie_id IS NOT NULL;

CREATE VIEW profiles_waiting AS
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
        submitted_at AS waits_since,
        queue_position(submitted_at, 1) AS position
    FROM profile_reviews
    WHERE status = 'pending';

CREATE VIEW graduations_waiting AS
    SELECT
        'graduation'::text AS kind,
        id,
        user_one_id AS member_id,
        user_two_id AS other_id,
        NULL::uuid AS decided_by,
        false AS for_admins,
        'couple'::text AS why,
        2 AS urgency,
        accepted_at AS waits_since,
        queue_position(accepted_at, 2) AS position
    FROM graduated_couples
    WHERE status = 'pending';

CREATE VIEW posts_waiting AS
    SELECT
        'post'::text AS kind,
        id,
        author_id AS member_id,
        NULL::uuid AS other_id,
        NULL::uuid AS decided_by,
        is_admin_post AS for_admins,
        coalesce(flag, 'story') AS why,
        2 AS urgency,
        submitted_at AS waits_since,
        queue_position(submitted_at, 2) AS position
    FROM community_posts
    WHERE status = 'pending';

CREATE VIEW comments_waiting AS
    SELECT
        'comment'::text AS kind,
        id,
        author_id AS member_id,
        NULL::uuid AS other_id,
        NULL::uuid AS decided_by,
        false AS for_admins,
        coalesce(flag, 'comment') AS why,
        2 AS urgency,
        created_at AS waits_since,
        queue_position(created_at, 2) AS position
    FROM post_comments
    WHERE status = 'pending'
        AND deleted_at IS NULL;
