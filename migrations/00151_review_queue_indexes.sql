-- +goose NO TRANSACTION
-- +goose Up
-- What waits for a moderator, by its position in the queue.
DROP INDEX CONCURRENTLY IF EXISTS reports_position;
CREATE INDEX CONCURRENTLY reports_position ON reports (queue_position(created_at, priority + CASE WHEN over_limit THEN 10 ELSE 0 END), id)
    WHERE status = 'pending';
DROP INDEX CONCURRENTLY IF EXISTS message_flags_position;
CREATE INDEX CONCURRENTLY message_flags_position ON message_flags (queue_position(created_at, CASE WHEN rank <= 12 THEN 1 ELSE 2 END), message_id)
    WHERE open;
DROP INDEX CONCURRENTLY IF EXISTS appeals_position;
CREATE INDEX CONCURRENTLY appeals_position ON appeals (queue_position(created_at, 2), sanction_id)
    WHERE outcome IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS verifications_position;
CREATE INDEX CONCURRENTLY verifications_position ON verifications (queue_position(submitted_at, 2), id)
    WHERE status = 'pending' AND selfie_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS profile_reviews_position;
CREATE INDEX CONCURRENTLY profile_reviews_position ON profile_reviews (queue_position(submitted_at, 1), id)
    WHERE status = 'pending';
DROP INDEX CONCURRENTLY IF EXISTS graduated_couples_position;
CREATE INDEX CONCURRENTLY graduated_couples_position ON graduated_couples (queue_position(accepted_at, 2), id)
    WHERE status = 'pending';
DROP INDEX CONCURRENTLY IF EXISTS community_posts_position;
CREATE INDEX CONCURRENTLY community_posts_position ON community_posts (queue_position(submitted_at, 2), id)
    WHERE status = 'pending';
DROP INDEX CONCURRENTLY IF EXISTS post_comments_position;
CREATE INDEX CONCURRENTLY post_comments_position ON post_comments (queue_position(created_at, 2), id)
    WHERE status = 'pending' AND deleted_at IS NULL;
