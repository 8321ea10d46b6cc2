-- +goose Up
-- Unlogged like daily_counts.
CREATE UNLOGGED TABLE daily_network_counts (
    -- Of UTC.
    day      date NOT NULL,
    -- A hash of the network: an IPv4 address or an IPv6 /56.
    network  text NOT NULL CHECK (length(network) <= 40),
    -- Name of the limits.Daily.
    rule     text NOT NULL CHECK (length(rule) <= 40),
    -- Items that members had in this network beyond their shares.
    items    integer NOT NULL,
    PRIMARY KEY (day, network, rule)
) WITH (fillfactor = 50);
COMMENT ON TABLE daily_network_counts IS
    'How many items the members of a network had together today beyond the share of each under a limit. Written by '
    'allow_daily_items; a job deletes the rows of other days.';

-- A server of the version before calls the function with four arguments.
DROP FUNCTION allow_daily_items(uuid, text, integer, uuid[]);

-- Returns those of items, which are distinct, that the member may have today: those had before, and new ones in their
-- order up to the limit, which it counts. With a network, those beyond the member's share also count in the pool of the
-- network, and stop at its end.
-- A connection plans these statements once, perhaps while the tables are empty, when reading them whole looks cheapest.
-- As a join, the search for known items would read all items of the member.
-- +goose StatementBegin
CREATE FUNCTION allow_daily_items(
    member uuid, rule_name text, most integer, wanted uuid[],
    client_network text DEFAULT NULL, share integer DEFAULT 0, pool integer DEFAULT 0) RETURNS uuid[]
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    today   date := (now() AT TIME ZONE 'UTC')::date;
    known   uuid[];
    added   uuid[];
    used    integer;
    room    integer;
    beyond  integer;
    taken   integer;
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
    room := least(greatest(0, most - used), cardinality(wanted) - cardinality(known));
    beyond := room - greatest(0, share - used);
    IF client_network IS NOT NULL AND beyond > 0 THEN
        INSERT INTO daily_network_counts (day, network, rule, items)
        VALUES (today, client_network, rule_name, 0)
        ON CONFLICT DO NOTHING;
        -- Every call locks the row of the member before that of the network.
        SELECT n.items
        INTO taken
        FROM daily_network_counts n
        WHERE n.day = today
            AND n.network = client_network
            AND n.rule = rule_name
        FOR UPDATE;
        taken := least(beyond, greatest(0, pool - taken));
        room := room - beyond + taken;
        UPDATE daily_network_counts n
        SET items = n.items + taken
        WHERE taken > 0
            AND n.day = today
            AND n.network = client_network
            AND n.rule = rule_name;
    END IF;
    added := ARRAY(
        SELECT w.id
        FROM unnest(wanted) WITH ORDINALITY AS w (id, n)
        WHERE w.id <> ALL (known)
        ORDER BY w.n
        LIMIT room);
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

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
