-- +goose Up

-- A file goes with its message, whatever takes the message away: a conversation's
-- end, a member's. Where the file went first there is nothing left to do.
-- +goose StatementBegin
CREATE FUNCTION message_files_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM files WHERE id = OLD.file_id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER message_files_deleted AFTER DELETE ON message_files FOR EACH ROW EXECUTE FUNCTION message_files_deleted();

-- +goose Down
DROP TRIGGER message_files_deleted ON message_files;
DROP FUNCTION message_files_deleted;
