-- +goose Up

-- A streak survives one missed day after six days in a row. The missed day is not counted.

DROP FUNCTION pulse_chain(uuid);

-- The streak up to the member's newest entry. Days are adjacent if their dates are, or if the member had less than 12
-- hours of the date between them, as after a flight west over the date line. Adjacent days are a run. A single missed date
-- between two runs is a rest day, and the streak goes on, if the run before it has six days or more. `days` are those with
-- an entry, `run` those of the newest run. No row without an entry.
CREATE FUNCTION pulse_chain(member uuid) RETURNS TABLE (newest date, newest_ends timestamptz, days integer, run integer)
LANGUAGE sql STABLE AS $$
    WITH entries AS (
        SELECT
            row_number() OVER w AS days,
            first_value(date) OVER w AS newest,
            first_value(day_ends) OVER w AS newest_ends,
            date - lead(date) OVER w AS step,
            day_starts - lead(day_ends) OVER w AS between_days
        FROM love_pulse
        WHERE user_id = member
        WINDOW w AS (ORDER BY date DESC)
    ), runs AS (
        -- The first day of each run, which has the number of days from there to the newest.
        SELECT
            newest,
            newest_ends,
            days,
            step,
            days - lag(days, 1, 0::bigint) OVER (ORDER BY days) AS length
        FROM entries
        WHERE step IS NULL OR step > 2 OR step = 2 AND between_days >= interval '12 hours'
    ), rests AS (
        SELECT
            newest,
            newest_ends,
            days,
            first_value(length) OVER w AS run,
            step = 2 AND lead(length) OVER w >= 6 AS goes_on
        FROM runs
        WINDOW w AS (ORDER BY days)
    )
    SELECT
        newest,
        newest_ends,
        days::integer,
        run::integer
    FROM rests
    WHERE goes_on IS NOT TRUE
    ORDER BY days
    LIMIT 1
$$;

-- The number of a member's entries, and the streak up to the newest: zero after a missed day that is not a rest day. The
-- day after the newest, or after the rest day, is not over in the zone of the newest. One row for every id.
CREATE OR REPLACE FUNCTION pulse_counts(member uuid) RETURNS TABLE (entries integer, streak integer) LANGUAGE sql STABLE AS $$
    SELECT
        (SELECT count(*)::integer FROM love_pulse WHERE user_id = member),
        coalesce((
            SELECT days
            FROM pulse_chain(member)
            WHERE now() < newest_ends + CASE WHEN run >= 6 THEN interval '48 hours' ELSE interval '24 hours' END
        ), 0)
$$;
