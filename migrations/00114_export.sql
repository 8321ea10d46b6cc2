-- +goose Up

-- Exports of members' own data.

CREATE TABLE exports (
    -- Of the request. Another request replaces it.
    id            uuid NOT NULL UNIQUE,
    user_id       uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    requested_at  timestamptz NOT NULL DEFAULT now(),
    -- The blob of the archive and its size; NULL while it is being made, and file_id after it was fetched.
    file_id       uuid UNIQUE,
    bytes         bigint CHECK (bytes > 0),
    -- NULL before.
    ready_at      timestamptz,
    fetched_at    timestamptz,
    failed_at     timestamptz,
    -- SHA-256 of the token in the address of the download, and its end; NULL without one.
    link_hash     bytea CHECK (length(link_hash) = 32),
    link_until    timestamptz,
    -- A job then deletes the row: 7 days after the archive was ready or, without one, after the request.
    expires_at    timestamptz NOT NULL DEFAULT now() + interval '7 days',
    CONSTRAINT exports_ready CHECK ((ready_at IS NULL) = (bytes IS NULL)),
    CONSTRAINT exports_file CHECK (file_id IS NULL OR (ready_at IS NOT NULL AND fetched_at IS NULL)),
    CONSTRAINT exports_fetched CHECK (fetched_at IS NULL OR ready_at IS NOT NULL),
    CONSTRAINT exports_link CHECK ((link_hash IS NULL) = (link_until IS NULL))
);
COMMENT ON TABLE exports IS
    'The newest export of each member. Its archive can be fetched once.';
CREATE INDEX exports_expires ON exports (expires_at);

-- Marks the archive for removal. After a fetch its download may still read it for an hour.
-- +goose StatementBegin
CREATE FUNCTION export_file_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO blob_removals (file_id, due_at)
    VALUES (OLD.file_id, CASE TG_OP WHEN 'UPDATE' THEN now() + interval '1 hour' ELSE now() END)
    ON CONFLICT (file_id) DO UPDATE SET due_at = excluded.due_at;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER exports_deleted AFTER DELETE ON exports
    FOR EACH ROW
    WHEN (OLD.file_id IS NOT NULL)
    EXECUTE FUNCTION export_file_removed();
CREATE TRIGGER exports_changed AFTER UPDATE OF file_id ON exports
    FOR EACH ROW
    WHEN (OLD.file_id IS NOT NULL AND OLD.file_id IS DISTINCT FROM NEW.file_id)
    EXECUTE FUNCTION export_file_removed();
