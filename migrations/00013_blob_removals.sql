-- +goose Up

-- Blobs to be removed. An upload inserts its blobs before it writes them, and
-- deletes the rows in the transaction that stores the file; deleting a row of
-- files inserts them again. So a crash at any time leaves no unreferenced blob.
-- No foreign key: the file does not exist yet, or no longer.
CREATE TABLE blob_removals (
    file_id  uuid PRIMARY KEY,
    due_at   timestamptz NOT NULL
);
CREATE INDEX blob_removals_due ON blob_removals (due_at, file_id);

-- +goose StatementBegin
CREATE FUNCTION files_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO blob_removals (file_id, due_at) VALUES (OLD.id, now())
    ON CONFLICT (file_id) DO UPDATE SET due_at = excluded.due_at;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER files_deleted AFTER DELETE ON files FOR EACH ROW EXECUTE FUNCTION files_deleted();

-- +goose Down
DROP TRIGGER files_deleted ON files;
DROP FUNCTION files_deleted;
DROP TABLE blob_removals;
