-- +goose Up

-- Presence of members.

CREATE UNLOGGED TABLE presence (
    user_id  uuid NOT NULL,
    node     uuid NOT NULL,
    -- The last frame of the member on the node.
    seen_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, node)
);
COMMENT ON TABLE presence IS
    'Members with an open socket, one row for each node. Written by live. Unlogged: after a crash of '
    'PostgreSQL nodes write their rows again. No index has seen_at, which would cost an index insert at each renewal.';
CREATE INDEX presence_node ON presence (node);

CREATE UNLOGGED TABLE presence_nodes (
    node     uuid PRIMARY KEY,
    seen_at  timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
COMMENT ON TABLE presence_nodes IS
    'Nodes with sockets. A row older than 35 s belongs to a node that ended, whose members are then removed from presence. '
    'So the sweep reads as many rows as there are nodes, and finds the members of an ended one by the index.';

-- Members who count as online, one row for each node they are connected to. This is
-- the only place in SQL that knows the 35 seconds.
CREATE VIEW online_members AS
    SELECT
        user_id,
        node
    FROM presence
    WHERE seen_at > now() - interval '35 seconds';
