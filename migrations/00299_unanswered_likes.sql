-- +goose Up

-- The likes that the viewer has received and answered neither by a like nor by a pass of the last 30 days. The lists of
-- received likes and the notifications have this one definition; both leave out likes of members whom the viewer may not see.
-- PostgreSQL inlines the function if the viewer is a parameter, and reads the likes by their index, so that a page costs no
-- more than its rows. OFFSET 0 makes it look up the answer to each like. Without it PostgreSQL may read all likes of the viewer
-- for each one, because it expects few: most members have few.
CREATE FUNCTION unanswered_likes(viewer uuid) RETURNS SETOF likes LANGUAGE sql STABLE AS $$
    SELECT l.*
    FROM likes l
    WHERE l.peer_id = viewer
        AND NOT EXISTS (
            SELECT
            FROM likes mine
            WHERE mine.member_id = viewer
                AND mine.peer_id = l.member_id
            OFFSET 0
        )
        AND NOT EXISTS (
            SELECT
            FROM active_passes p
            WHERE p.from_user_id = viewer
                AND p.to_user_id = l.member_id
            OFFSET 0
        )
$$;

-- +goose Down
DROP FUNCTION unanswered_likes(uuid);
