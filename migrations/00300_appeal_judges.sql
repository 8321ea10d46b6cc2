-- +goose NO TRANSACTION
-- +goose Up
-- appeal_judges reads the admins for each appeal.
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

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
