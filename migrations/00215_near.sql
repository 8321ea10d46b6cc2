-- +goose Up
CREATE TABLE near_snapshots (
    -- A day in UTC. Its counts do not change, so that two answers of a day differ by no member.
    taken_on  date PRIMARY KEY,
    -- The centres of the towns in degrees and how many members live in each. The arrays have the same length.
    lats      double precision[] NOT NULL,
    lons      double precision[] NOT NULL,
    members   integer[] NOT NULL,
    CONSTRAINT near_snapshots_lengths CHECK (
        cardinality(lats) = cardinality(lons)
        AND cardinality(lats) = cardinality(members))
);
COMMENT ON TABLE near_snapshots IS
    'How many members are shown in each town, counted once a day. Answers are bands of the sum within 50 miles.';

CREATE TABLE near_waits (
    user_id     uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    -- Centre of the member's town when the wait began, or when a later town was noticed.
    town_lat    double precision NOT NULL,
    town_lon    double precision NOT NULL,
    -- How many members were within 50 miles of it on that day. It is never sent.
    baseline    integer NOT NULL CHECK (baseline >= 0),
    -- Whether the notice is mailed too.
    by_mail     boolean NOT NULL,
    asked_at    timestamptz NOT NULL DEFAULT now(),
    -- The day of the last snapshot with which it was compared.
    checked_on  date NOT NULL,
    -- When the notice was sent; NULL while the member waits.
    told_at     timestamptz
);
COMMENT ON TABLE near_waits IS
    'Members who want one notice when 20 more people are within 50 miles of their town.';
CREATE INDEX near_waits_open ON near_waits (checked_on) WHERE told_at IS NULL;
CREATE INDEX near_waits_told ON near_waits (told_at);

CREATE VIEW near_news AS
    SELECT
        user_id,
        by_mail,
        told_at
    FROM near_waits
    WHERE told_at IS NOT NULL;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
