-- +goose Up

-- Tables of api/platform and of jobs: limits, removal of blobs, the bus between nodes, the
-- processes that run jobs and the identity of the database. None refers to a table of a feature.

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

-- The tables of daily limits are unlogged, and have no foreign keys, whose locks are logged: counting then waits for
-- no write to the disk, which matters for a screen of pictures. After a crash of PostgreSQL counting begins anew.
CREATE UNLOGGED TABLE daily_counts (
    -- Of UTC.
    day        date NOT NULL,
    member_id  uuid NOT NULL,
    -- Name of the limits.Daily.
    rule       text NOT NULL CHECK (length(rule) <= 40),
    -- Number of rows of daily_items.
    items      integer NOT NULL,
    PRIMARY KEY (day, member_id, rule)
) WITH (fillfactor = 50);
COMMENT ON TABLE daily_counts IS
    'How many different items a member had today under a limit. Written by allow_daily_items; a job deletes the rows '
    'of other days.';

CREATE UNLOGGED TABLE daily_items (
    day        date NOT NULL,
    member_id  uuid NOT NULL,
    rule       text NOT NULL,
    -- What is limited: a member who was shown, or a file that was read.
    item_id    uuid NOT NULL,
    PRIMARY KEY (day, member_id, rule, item_id)
);
COMMENT ON TABLE daily_items IS
    'The items that count in daily_counts, so that each counts once a day. Written by allow_daily_items; a job deletes '
    'the rows of other days.';

-- Returns those of items, which are distinct, that the member may have today: those had before, and new ones in their
-- order up to the limit, which it counts.
-- A connection plans these statements once, perhaps while the tables are empty, when reading them whole looks cheapest.
-- As a join, the search for known items would read all items of the member.
-- +goose StatementBegin
CREATE FUNCTION allow_daily_items(member uuid, rule_name text, most integer, wanted uuid[]) RETURNS uuid[]
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    today  date := (now() AT TIME ZONE 'UTC')::date;
    known  uuid[];
    added  uuid[];
    used   integer;
BEGIN
    known := ARRAY(
        SELECT w.id
        FROM unnest(wanted) AS w (id)
        WHERE (
            SELECT true
            FROM daily_items d
            WHERE d.day = today
                AND d.member_id = member
                AND d.rule = rule_name
                AND d.item_id = w.id));
    IF cardinality(known) = cardinality(wanted) THEN
        RETURN known;
    END IF;

    INSERT INTO daily_counts (day, member_id, rule, items)
    VALUES (today, member, rule_name, 0)
    ON CONFLICT DO NOTHING;
    -- From here on a concurrent call waits, and then sees the rows that this one inserts.
    SELECT c.items
    INTO used
    FROM daily_counts c
    WHERE c.day = today
        AND c.member_id = member
        AND c.rule = rule_name
    FOR UPDATE;

    known := ARRAY(
        SELECT w.id
        FROM unnest(wanted) AS w (id)
        WHERE (
            SELECT true
            FROM daily_items d
            WHERE d.day = today
                AND d.member_id = member
                AND d.rule = rule_name
                AND d.item_id = w.id));
    added := ARRAY(
        SELECT w.id
        FROM unnest(wanted) WITH ORDINALITY AS w (id, n)
        WHERE w.id <> ALL (known)
        ORDER BY w.n
        LIMIT greatest(0, most - used));
    IF cardinality(added) > 0 THEN
        INSERT INTO daily_items (day, member_id, rule, item_id)
        SELECT today, member, rule_name, unnest(added);
        UPDATE daily_counts c
        SET items = used + cardinality(added)
        WHERE c.day = today
            AND c.member_id = member
            AND c.rule = rule_name;
    END IF;
    RETURN known || added;
END $$;
-- +goose StatementEnd

-- The items of all members, which others may count by item.
CREATE VIEW limited_items AS
    SELECT
        day,
        rule,
        item_id
    FROM daily_items;

-- Deletes up to most rows of earlier days under a rule, and returns them, so that the caller can count them in the same
-- transaction. Rows that a concurrent call deletes are left out.
CREATE FUNCTION remove_past_items(rule_name text, most integer) RETURNS TABLE (day date, item_id uuid)
LANGUAGE sql SET enable_seqscan = off AS $$
    DELETE FROM daily_items
    WHERE ctid = ANY (ARRAY(
        SELECT d.ctid
        FROM daily_items d
        WHERE d.day < (now() AT TIME ZONE 'UTC')::date
            AND d.rule = rule_name
        LIMIT most
        FOR UPDATE SKIP LOCKED))
    RETURNING day, item_id
$$;

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

CREATE TABLE job_clients (
    -- River's id of the client, as in river_job.attempted_by.
    id       text PRIMARY KEY,
    seen_at  timestamptz NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE job_clients IS
    'The processes that run jobs. Each renews its row every 10 seconds; the urgent jobs of a client without a row, or '
    'with an old one, are taken over by another. Logged, because all running jobs would be taken over after a crash of '
    'PostgreSQL that emptied it. Written by jobs.';

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
