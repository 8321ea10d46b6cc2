-- +goose Up

-- Files are deleted with their message, for any reason: the end of a
-- conversation or of an account. If the file was deleted first, nothing is left
-- to do.
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
