-- +goose Up

-- The conversations that a member keeps in the archive. A newer message takes one out, unless it is muted.
CREATE VIEW archived_sides AS
    SELECT
        id AS conversation_id,
        user_a AS member_id
    FROM conversations
    WHERE last_seq <= a_archived_seq
        OR a_archived_seq IS NOT NULL AND a_muted_until > now()
    UNION ALL
    SELECT
        id,
        user_b
    FROM conversations
    WHERE last_seq <= b_archived_seq
        OR b_archived_seq IS NOT NULL AND b_muted_until > now();

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
