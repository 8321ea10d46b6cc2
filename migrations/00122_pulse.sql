-- +goose Up

-- Love Pulse: one private entry of a member a day, and what two graduates share of them.

CREATE TABLE love_pulse (
    id          uuid PRIMARY KEY,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The day in the zone where the member was when the entry was first saved.
    date        date NOT NULL,
    -- The beginning and the end of that day. They show whether two days are adjacent for a member who travels.
    day_starts  timestamptz NOT NULL,
    day_ends    timestamptz NOT NULL,
    -- The question of the day, as the member read it.
    question    text NOT NULL CHECK (length(question) BETWEEN 1 AND 100),
    mood        text NOT NULL
        CHECK (mood IN ('peaceful', 'hopeful', 'content', 'energetic', 'passionate', 'inspired', 'grateful')),
    reflection  text NOT NULL CHECK (length(reflection) BETWEEN 1 AND 1000),
    -- The id which the device gave the last edit. A repetition changes nothing.
    client_id   uuid NOT NULL,
    -- When the member made the last edit. An older one that arrives later changes nothing.
    edited_at   timestamptz NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT love_pulse_day UNIQUE (user_id, date),
    -- Days have 23 to 25 hours, and 24 hours and a half where summer time is half an hour.
    CONSTRAINT love_pulse_bounds CHECK (day_ends - day_starts BETWEEN interval '20 hours' AND interval '28 hours')
);
COMMENT ON TABLE love_pulse IS 'A mood and a reflection of a member for each day. Private: only the member, and in part the partner, reads them.';

-- A row while a member of a graduated couple wants to share the entries. Both read each other's when both want it.
CREATE TABLE pulse_sharing (
    user_id    uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    couple_id  uuid NOT NULL,
    -- Entries edited before the later of the two times are not shared.
    since      timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT pulse_sharing_member FOREIGN KEY (couple_id, user_id) REFERENCES couple_members (couple_id, user_id) ON DELETE CASCADE
);
COMMENT ON TABLE pulse_sharing IS 'The consent of graduates to share their entries with their partners.';
CREATE INDEX pulse_sharing_couple ON pulse_sharing (couple_id, user_id);

-- The couples of which both members share.
CREATE VIEW sharing_couples AS
    SELECT
        g.couple_id,
        g.member_id,
        g.partner_id,
        greatest(mine.since, theirs.since) AS since
    FROM graduated_partners g
    JOIN pulse_sharing mine ON mine.user_id = g.member_id AND mine.couple_id = g.couple_id
    JOIN pulse_sharing theirs ON theirs.user_id = g.partner_id AND theirs.couple_id = g.couple_id;

-- The members whose partners want to share, while they do not.
CREATE VIEW together_invitations AS
    SELECT
        g.couple_id,
        g.member_id,
        g.partner_id,
        theirs.since AS invited_at
    FROM graduated_partners g
    JOIN pulse_sharing theirs ON theirs.user_id = g.partner_id AND theirs.couple_id = g.couple_id
    WHERE NOT EXISTS (SELECT FROM pulse_sharing mine WHERE mine.user_id = g.member_id AND mine.couple_id = g.couple_id);

-- The days with an entry, for reminders.
CREATE VIEW pulse_days AS
    SELECT
        user_id,
        date
    FROM love_pulse;

-- The entries that follow each other up to the member's newest. Days are adjacent if their dates are, or if the member
-- had less than 12 hours of the date between them, as after a flight west over the date line. No row without an entry.
CREATE FUNCTION pulse_chain(member uuid) RETURNS TABLE (newest date, newest_ends timestamptz, days integer)
LANGUAGE sql STABLE AS $$
    SELECT
        e.newest,
        e.newest_ends,
        e.days::integer
    FROM (
        SELECT
            row_number() OVER w AS days,
            first_value(date) OVER w AS newest,
            first_value(day_ends) OVER w AS newest_ends,
            date - lead(date) OVER w AS step,
            day_starts - lead(day_ends) OVER w AS between_days
        FROM love_pulse
        WHERE user_id = member
        WINDOW w AS (ORDER BY date DESC)
    ) e
    WHERE e.step IS NULL OR e.step > 2 OR e.step = 2 AND e.between_days >= interval '12 hours'
    ORDER BY e.days
    LIMIT 1
$$;

-- The number of a member's entries, and of the days in a row up to the newest: zero after a day without an entry.
-- The day after the newest is not over in the zone of the newest. One row for every id.
CREATE FUNCTION pulse_counts(member uuid) RETURNS TABLE (entries integer, streak integer) LANGUAGE sql STABLE AS $$
    SELECT
        (SELECT count(*)::integer FROM love_pulse WHERE user_id = member),
        coalesce((SELECT days FROM pulse_chain(member) WHERE now() < newest_ends + interval '24 hours'), 0)
$$;
