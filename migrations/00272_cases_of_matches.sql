-- +goose Up

-- The matches of somebody of the staff about whom they do not judge, because an admin can who is not their match. In a team
-- without such an admin nobody is withheld, so that no case waits for ever.
CREATE FUNCTION withheld_from(judge uuid) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
    SELECT own.peer_id
    FROM match_sides own
    WHERE own.member_id = judge
        AND own.unmatched_at IS NULL
        AND EXISTS (
            SELECT
            FROM profiles other
            WHERE other.is_admin
                AND other.id NOT IN (judge, own.peer_id)
                AND NOT EXISTS (
                    SELECT
                    FROM match_sides theirs
                    WHERE theirs.member_id = other.id
                        AND theirs.peer_id = own.peer_id
                        AND theirs.unmatched_at IS NULL
                )
        )
$$;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
