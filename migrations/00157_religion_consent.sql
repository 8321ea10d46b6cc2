-- +goose Up
-- A religion counts in scores and filters only after the member has said yes. It counted by default, and nothing records
-- who chose that, so it counts for nobody until they turn it on. Members who turned it off keep that.
ALTER TABLE users ALTER COLUMN religion_counts SET DEFAULT false;

UPDATE users
SET religion_counts = false
WHERE religion_counts;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
