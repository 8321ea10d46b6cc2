-- +goose NO TRANSACTION
-- +goose Up
-- The functions read the admins for each case.
DROP INDEX CONCURRENTLY IF EXISTS users_admins;
CREATE INDEX CONCURRENTLY users_admins ON users (id) WHERE is_admin;

-- The admins who decide on an appeal: the least involved ones. An admin is involved most as the other party of the sanction, less
-- as a match of a party, and least as the one who decided on the sanction. An admin who cannot work now comes after all others.
-- So there is always an admin who decides, unless the only admin is the member who appeals, who never does.
-- other and decider may be NULL.
CREATE OR REPLACE FUNCTION appeal_judges(member uuid, other uuid, decider uuid) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
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

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
