-- +goose NO TRANSACTION
-- +goose Up
-- The newest comments on a post, replies among them, for the notifications of its author.
DROP INDEX CONCURRENTLY IF EXISTS post_comments_received;
CREATE INDEX CONCURRENTLY post_comments_received ON post_comments (post_id, created_at DESC, id DESC) WHERE is_counted;
