-- +goose NO TRANSACTION
-- +goose Up
-- The functions read the admins for each case.
DROP INDEX CONCURRENTLY IF EXISTS users_admins;
CREATE INDEX CONCURRENTLY users_admins ON users (id) WHERE is_admin;

-- Whether judge is one of the admins who decide on an appeal: the least involved ones. An admin is involved most as the other party
-- of the sanction, less as a match of a party, and least as the one who decided on the sanction. An admin who cannot work now comes
-- after all others. So there is always an admin who decides, unless the only admin is the member who appeals, who never does.
-- other and decider may be NULL.
CREATE OR REPLACE FUNCTION may_judge_appeal(judge uuid, member uuid, other uuid, decider uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT judge IN (
        SELECT a.id
        FROM profiles a
        WHERE a.is_admin
            AND a.id <> member
        ORDER BY
            a.profile_status <> 'active',
            a.id IS NOT DISTINCT FROM other,
            EXISTS (
                SELECT
                FROM match_sides m
                WHERE m.member_id = a.id
                    AND m.peer_id IN (member, other)
                    AND m.unmatched_at IS NULL
            ),
            a.id IS NOT DISTINCT FROM decider
        FETCH FIRST ROW WITH TIES
    )
$$;

-- Whether an admin other than judge can decide on a case with these parties: one who works now, and is neither a party nor a match
-- of a party. withheld_from asks this of each match alone, and so counts an admin who is the other party of the case. A NULL party
-- is none.
CREATE OR REPLACE FUNCTION another_can_judge(judge uuid, parties uuid[]) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT
        FROM profiles other
        WHERE other.is_admin
            AND other.profile_status = 'active'
            AND other.id <> judge
            AND NOT ARRAY[other.id] && parties
            AND NOT EXISTS (
                SELECT
                FROM match_sides theirs
                WHERE theirs.member_id = other.id
                    AND theirs.peer_id = ANY(parties)
                    AND theirs.unmatched_at IS NULL
            )
    )
$$;

-- As before, but the parties and the decider are looked up for one appeal at a time (LIMIT 1 lets PostgreSQL do nothing else). As a
-- join it reads all sanctions and sorts all pending appeals for each page, because it does not know what may_judge_appeal costs.
CREATE OR REPLACE VIEW appeals_waiting AS
    SELECT
        'appeal'::text AS kind,
        a.sanction_id AS id,
        a.user_id AS member_id,
        s.other_id,
        s.decided_by,
        true AS for_admins,
        s.kind AS why,
        2 AS urgency,
        a.created_at AS waits_since,
        queue_position(a.created_at, 2) AS position
    FROM appeals a
    CROSS JOIN LATERAL (
        SELECT
            sanctions.kind,
            sanctions.decided_by,
            c.member_id AS other_id
        FROM sanctions
        JOIN sanction_counterparts c ON c.sanction_id = sanctions.id
        WHERE sanctions.id = a.sanction_id
        LIMIT 1
    ) s
    WHERE a.outcome IS NULL;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
