-- +goose NO TRANSACTION
-- +goose Up
-- Members whose town has no position, which a later list of towns may know.
DROP INDEX CONCURRENTLY IF EXISTS users_unlocated;
CREATE INDEX CONCURRENTLY users_unlocated ON users (id) WHERE town_lat IS NULL AND city <> '';

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
