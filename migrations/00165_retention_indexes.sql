-- +goose NO TRANSACTION
-- +goose Up

-- The likes of the matches from before the column.
UPDATE user_likes l
SET is_matched = true
FROM matches m
WHERE NOT l.is_matched
    AND m.user_a = least(l.from_user_id, l.to_user_id)
    AND m.user_b = greatest(l.from_user_id, l.to_user_id);

-- For the job that deletes likes which were not returned.
DROP INDEX CONCURRENTLY IF EXISTS user_likes_not_matched;
CREATE INDEX CONCURRENTLY user_likes_not_matched ON user_likes (created_at) WHERE NOT is_matched;

-- For the job that removes the texts of decided reports, not only of issues.
DROP INDEX CONCURRENTLY IF EXISTS reports_texts;
CREATE INDEX CONCURRENTLY reports_texts ON reports (reviewed_at) WHERE description <> '' AND status <> 'pending';
DROP INDEX CONCURRENTLY IF EXISTS reports_issue_texts;
