-- +goose Up
-- The notifications are planned once for all members. Without the values of their arguments, the planner read the recent
-- replies to everyone's comments and looked for those to the member's: each comment's replies are a subquery now, which it
-- cannot turn around. A comment has few replies.
CREATE OR REPLACE VIEW community_activity AS
    SELECT
        p.author_id     AS member_id,
        'post_published' AS kind,
        p.id            AS post_id,
        p.id            AS subject_id,
        p.title,
        NULL::uuid      AS other_id,
        p.published_at  AS happened_at
    FROM community_posts p
    WHERE p.status = 'published'
    UNION ALL
    SELECT
        p.author_id,
        'post_rejected',
        p.id,
        p.id,
        p.title,
        NULL,
        p.decided_at
    FROM community_posts p
    WHERE p.status = 'rejected'
    UNION ALL
    SELECT
        p.author_id,
        'comment_received',
        p.id,
        c.id,
        p.title,
        c.author_id,
        c.created_at
    FROM community_posts p
    JOIN post_comments c ON c.post_id = p.id AND c.is_counted AND c.author_id <> p.author_id
    WHERE p.status = 'published'
    UNION ALL
    SELECT
        parent.author_id,
        'reply_received',
        c.post_id,
        c.id,
        p.title,
        c.author_id,
        c.created_at
    FROM post_comments parent
    CROSS JOIN LATERAL (
        SELECT reply.id, reply.post_id, reply.author_id, reply.created_at
        FROM post_comments reply
        WHERE reply.parent_id = parent.id
            AND reply.is_counted
            AND reply.author_id <> parent.author_id
        OFFSET 0
    ) c
    JOIN community_posts p ON p.id = c.post_id AND p.status = 'published' AND p.author_id <> parent.author_id;
