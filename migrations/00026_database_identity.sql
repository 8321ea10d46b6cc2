-- +goose Up

-- Names this copy of the data. Sync cursors and search indexes carry the id: with
-- another id their positions in the order of transactions mean nothing.
--
-- The row notices a restore by itself. A dump writes it in another transaction
-- than the one it records (xmin), another cluster or database has another
-- location, and recovery to a point in time starts a new timeline. Then pg.ReadSnapshot
-- renews the id. Only files put back as they were look the same: `heartward restored`
-- renews the id then.
CREATE TABLE database_identity (
    is_only     boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    id          uuid NOT NULL DEFAULT gen_random_uuid(),
    location    text NOT NULL,
    written_by  xid8 NOT NULL DEFAULT pg_current_xact_id()
);

-- +goose StatementBegin
-- Returns the cluster, its timeline and the database.
CREATE FUNCTION database_location() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat_ws('.',
        (SELECT system_identifier FROM pg_control_system()),
        (SELECT timeline_id FROM pg_control_checkpoint()),
        (SELECT oid FROM pg_database WHERE datname = current_database()))
$$;
-- +goose StatementEnd

INSERT INTO database_identity (location) VALUES (database_location());

-- +goose Down
DROP TABLE database_identity;
DROP FUNCTION database_location;
