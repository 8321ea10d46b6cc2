-- +goose Up
-- The notifications read the newest comments of each post, and the newest replies to each comment, instead of all. So
-- they need views of one table, whose rows the planner reads in the order of an index. The comments and replies of
-- community_activity are no longer read; they stay for processes of the previous version.

-- The posts and their authors. Blocks, and whether the author is hidden, are not respected.
CREATE VIEW board_posts AS
    SELECT
        id AS post_id,
        author_id,
        status
    FROM community_posts;

-- The comments on posts, and replies to them, without what they say. is_counted: shown to everyone who has not blocked
-- the author. Blocks, and whether the post is published, are not respected.
CREATE VIEW board_comments AS
    SELECT
        id AS comment_id,
        post_id,
        parent_id,
        author_id,
        is_counted,
        created_at
    FROM post_comments;
