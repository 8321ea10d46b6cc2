-- +goose Up

-- A block also holds against a second account of the blocked member, where the photos say that it is one.

CREATE TABLE photo_hashes (
    -- In the profile.
    photo_id   uuid PRIMARY KEY REFERENCES member_media ON DELETE CASCADE,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- As those of banned_photos. Comparing it reads the whole table, in a job.
    hash       bigint NOT NULL,
    algorithm  text NOT NULL CHECK (length(algorithm) BETWEEN 1 AND 40)
);
COMMENT ON TABLE photo_hashes IS
    'Keyed perceptual hashes of the photos of members, to find the second account of somebody who is blocked.';
CREATE INDEX photo_hashes_member ON photo_hashes (user_id);

CREATE TABLE lookalikes (
    -- The account that may be a second one.
    member_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The member with a similar photo whom somebody has blocked.
    original_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- Those who have blocked the original and the member are hidden from each other. False after a moderator
    -- decided that the two are different people.
    is_apart     boolean NOT NULL DEFAULT true,
    created_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (member_id, original_id),
    CONSTRAINT lookalikes_not_self CHECK (member_id <> original_id)
);
COMMENT ON TABLE lookalikes IS
    'Members who may have a second account, because a photo looks like that of a blocked member. Neither they nor the blocker learn of it.';
CREATE INDEX lookalikes_original ON lookalikes (original_id, member_id);

-- The pairs that must not see each other: a row for each side of a block, and of a blocker and a lookalike of the blocked
-- member. A match that they have nevertheless stays until one of them ends it.
CREATE OR REPLACE VIEW blocked_pairs AS
    SELECT blocker_id AS member_id, blocked_id AS peer_id FROM blocks
    UNION ALL
    SELECT blocked_id, blocker_id FROM blocks
    UNION ALL
    SELECT b.blocker_id, l.member_id
    FROM lookalikes l
    JOIN blocks b ON b.blocked_id = l.original_id AND b.blocker_id <> l.member_id
    WHERE l.is_apart
        AND NOT EXISTS (
            SELECT
            FROM match_sides m
            WHERE m.member_id = b.blocker_id
                AND m.peer_id = l.member_id
                AND m.unmatched_at IS NULL)
    UNION ALL
    SELECT l.member_id, b.blocker_id
    FROM lookalikes l
    JOIN blocks b ON b.blocked_id = l.original_id AND b.blocker_id <> l.member_id
    WHERE l.is_apart
        AND NOT EXISTS (
            SELECT
            FROM match_sides m
            WHERE m.member_id = l.member_id
                AND m.peer_id = b.blocker_id
                AND m.unmatched_at IS NULL);

-- The report about a lookalike, and the decision that the two are the same person.
ALTER TABLE reports DROP CONSTRAINT reports_source_check;
ALTER TABLE reports ADD CONSTRAINT reports_source_check CHECK (source IN ('member', 'pictures', 'ban', 'block', 'issue')) NOT VALID;
ALTER TABLE reports VALIDATE CONSTRAINT reports_source_check;
ALTER TABLE reports DROP CONSTRAINT reports_action_taken_check;
ALTER TABLE reports ADD CONSTRAINT reports_action_taken_check
    CHECK (action_taken IN ('no_action', 'keep_apart', 'warn', 'suspend', 'ban', 'not_of_age')) NOT VALID;
ALTER TABLE reports VALIDATE CONSTRAINT reports_action_taken_check;
ALTER TABLE reports ADD CONSTRAINT reports_apart CHECK (action_taken <> 'keep_apart' OR source = 'block') NOT VALID;
ALTER TABLE reports VALIDATE CONSTRAINT reports_apart;

-- The queue says that a report is about a second account.
CREATE OR REPLACE VIEW reports_waiting AS
    SELECT
        'report'::text AS kind,
        id,
        reported_user_id AS member_id,
        reporter_id AS other_id,
        NULL::uuid AS decided_by,
        false AS for_admins,
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
