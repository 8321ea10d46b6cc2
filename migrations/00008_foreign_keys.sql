-- +goose Up

-- Deleting a row searches each table that refers to it. Without an index that
-- reads the whole table: deleting a photo read every message.
CREATE INDEX messages_file ON messages (file_id) WHERE file_id IS NOT NULL;
CREATE INDEX matches_unmatched_by ON matches (unmatched_by) WHERE unmatched_by IS NOT NULL;
DROP INDEX matches_b;
CREATE INDEX matches_b ON matches (user_b, created_at DESC, id DESC);

-- +goose Down
DROP INDEX matches_b;
CREATE INDEX matches_b ON matches (user_b, created_at DESC, id DESC) WHERE unmatched_at IS NULL;
DROP INDEX matches_unmatched_by, messages_file;
