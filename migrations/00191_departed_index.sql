-- +goose NO TRANSACTION
-- +goose Up
-- The reports about a former member.
DROP INDEX CONCURRENTLY IF EXISTS reports_departed_member;
CREATE INDEX CONCURRENTLY reports_departed_member ON reports (departed_id) WHERE departed_id IS NOT NULL;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
