-- +goose Up

-- How many events each node has published over NATS, written once a second.
-- Other nodes compare it with what they received, and so find lost events
-- while NATS does not carry anything between the two. UNLOGGED: after a crash
-- of PostgreSQL each node writes its row again.
CREATE UNLOGGED TABLE bus_nodes (
    node       uuid PRIMARY KEY,
    published  bigint NOT NULL,
    beats      bigint NOT NULL DEFAULT 0,
    closed     boolean NOT NULL DEFAULT false,
    seen_at    timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

-- Nodes with sockets. A row older than 35 s is a node that ended, and its
-- members leave the table of presence with it. So the sweep reads as many rows
-- as there are nodes, and finds the members of an ended one by the index. An
-- index on presence.seen_at would cost an index insert at each renewal.
CREATE UNLOGGED TABLE presence_nodes (
    node     uuid PRIMARY KEY,
    seen_at  timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
CREATE INDEX presence_node ON presence (node);

-- Members who count as online, one row for each node they are connected to.
-- This is the one place in SQL that knows the 35 seconds.
CREATE VIEW online_members AS
SELECT user_id, node
FROM presence
WHERE seen_at > now() - interval '35 seconds';

-- +goose Down
DROP VIEW online_members;
DROP INDEX presence_node;
DROP TABLE presence_nodes, bus_nodes;
