-- +goose Up

-- The members whom the viewer may see: the viewer; members who are shown to everyone; incognito members who like the viewer;
-- and, if active, the viewer's matches, members of the viewer's conversations, and senders of requests that the viewer has
-- not declined. A block and an ended match override all of these but the first. PostgreSQL inlines the function if the
-- viewer is a parameter or a column; it runs it for all members if the viewer is a subselect.
--
-- OFFSET 0 makes PostgreSQL look up each pair by an index. Without it, PostgreSQL reads all blocks or matches of the viewer into a
-- hash table for a page of fifty members, as soon as VACUUM has made that look cheap.
CREATE OR REPLACE FUNCTION visible_members(viewer uuid) RETURNS SETOF profiles LANGUAGE sql STABLE AS $$
    SELECT u.*
    FROM profiles u
    WHERE u.id = viewer
        OR NOT EXISTS (
            SELECT
            FROM blocked_pairs b
            WHERE b.member_id = viewer
                AND b.peer_id = u.id
            OFFSET 0
        )
        AND NOT EXISTS (
            SELECT
            FROM match_sides m
            WHERE m.member_id = viewer
                AND m.peer_id = u.id
                AND m.unmatched_at IS NOT NULL
            OFFSET 0
        )
        AND (
            u.is_shown
            OR u.incognito
                AND u.is_searched
                AND EXISTS (
                    SELECT
                    FROM likes l
                    WHERE l.member_id = u.id
                        AND l.peer_id = viewer
                    OFFSET 0
                )
            OR u.profile_status = 'active'
                AND EXISTS (
                    SELECT
                    FROM match_sides m
                    WHERE m.member_id = viewer
                        AND m.peer_id = u.id
                        AND m.unmatched_at IS NULL
                    OFFSET 0
                )
            OR u.profile_status = 'active'
                AND EXISTS (
                    SELECT
                    FROM conversation_sides c
                    WHERE c.member_id = viewer
                        AND c.peer_id = u.id
                        AND c.closed_at IS NULL
                        AND (c.requested_by IS NULL OR c.requested_by = u.id AND c.declined_at IS NULL)
                    OFFSET 0
                )
        )
$$;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
