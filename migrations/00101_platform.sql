-- +goose Up

-- Tables of api/platform: rate limits, removal of blobs, the bus between nodes and
-- the identity of the database. None refers to a table of a feature.

CREATE TABLE rate_limits (
    -- Name of the rule and a hash of what it limits.
    key  text PRIMARY KEY CHECK (length(key) <= 200),
    -- Theoretical arrival time of the next call.
    tat  timestamptz NOT NULL
);
COMMENT ON TABLE rate_limits IS
    'State of the rate limits (generic cell rate algorithm), which all nodes share. Written by platform/limits; '
    'a job deletes rows whose tat is past.';
CREATE INDEX rate_limits_tat ON rate_limits (tat);

CREATE TABLE blob_removals (
    -- A row of files or upload_parts. No foreign key: the row does not exist yet, or no longer.
    file_id        uuid PRIMARY KEY,
    -- Time from which a job may delete the blobs.
    due_at         timestamptz NOT NULL,
    -- End of the lease of the process that deletes the blobs, so that no transaction stays open while
    -- the file store works. After a crash another process claims the row when the lease has ended.
    -- NULL while no process has claimed the row: only then can the file be stored.
    claimed_until  timestamptz
);
COMMENT ON TABLE blob_removals IS
    'Blobs to be removed. An upload inserts its blobs here before it writes them, and deletes the rows in the '
    'transaction that stores the file. Deleting the file inserts them again. So a crash at any time leaves no '
    'unreferenced blob. Written by platform/blobs and by the trigger function files_deleted.';
CREATE INDEX blob_removals_due ON blob_removals (due_at, file_id);

-- Marks the blobs of a deleted row for removal, however the row was deleted.
-- +goose StatementBegin
CREATE FUNCTION files_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO blob_removals (file_id, due_at)
    VALUES (OLD.id, now())
    ON CONFLICT (file_id) DO UPDATE SET due_at = excluded.due_at;
    RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE UNLOGGED TABLE bus_nodes (
    node       uuid PRIMARY KEY,
    -- Number of events that the node has published since it started.
    published  bigint NOT NULL,
    -- Number of writes of the row. A node whose beats do not change has stopped.
    beats      bigint NOT NULL DEFAULT 0,
    -- Set by a node that shuts down gracefully.
    closed     boolean NOT NULL DEFAULT false,
    seen_at    timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50); -- each row is updated once a second, within its page
COMMENT ON TABLE bus_nodes IS
    'How many events each node has published over NATS. A node writes its row once a second and compares the others '
    'with what it received, and so finds lost events while NATS carries nothing between the two. Unlogged: after a '
    'crash of PostgreSQL each node writes its row again. Written by platform/bus.';

CREATE TABLE database_identity (
    -- Makes this the only row.
    is_only     boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    -- Part of every sync cursor and of the state of every search index: with another id their positions
    -- in the order of transactions mean nothing.
    id          uuid NOT NULL DEFAULT gen_random_uuid(),
    -- database_location() when the row was written.
    location    text NOT NULL,
    -- The transaction that wrote the row.
    written_by  xid8 NOT NULL DEFAULT pg_current_xact_id()
);
COMMENT ON TABLE database_identity IS
    'Identifies this copy of the data and shows that it was restored. A dump inserts the row in another transaction '
    'than written_by, another cluster or database has another location, and recovery to a point in time begins a new '
    'timeline. pg.ReadSnapshot then renews the id. A restored copy of the data files cannot be detected: the command '
    '"heartward restored" renews the id.';

-- Returns the cluster, its timeline and the database.
CREATE FUNCTION database_location() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat_ws('.',
        (SELECT system_identifier FROM pg_control_system()),
        (SELECT timeline_id FROM pg_control_checkpoint()),
        (SELECT oid FROM pg_database WHERE datname = current_database()))
$$;

INSERT INTO database_identity (location) VALUES (database_location());
