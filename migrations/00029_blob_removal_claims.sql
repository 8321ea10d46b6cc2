-- +goose Up

-- A process claims a row before it deletes the blobs, so that no transaction
-- stays open while the file store answers. The claim ends by itself: what a
-- dead process left is claimed again.
ALTER TABLE blob_removals ADD COLUMN claimed_until timestamptz;
COMMENT ON COLUMN blob_removals.claimed_until IS
    'Set once deleting may have begun, and then never cleared while the upload may still be kept; null before that.';

-- +goose Down
ALTER TABLE blob_removals DROP COLUMN claimed_until;
