-- +goose NO TRANSACTION
-- +goose Up
-- The posts of the board with a tag.
DROP INDEX CONCURRENTLY IF EXISTS community_posts_tags;
CREATE INDEX CONCURRENTLY community_posts_tags ON community_posts USING gin (tags) WHERE status = 'published' AND NOT author_hidden;
