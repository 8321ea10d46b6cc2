-- +goose Up

-- The figures that admins see: of each day, and how evenly members were shown in each week. Nothing in daily_figures
-- and weekly_exposure refers to a member.

CREATE TABLE daily_figures (
    -- Of UTC.
    day     date NOT NULL,
    figure  text NOT NULL CHECK (figure IN ('sign_ups', 'active_members', 'matches', 'messages', 'reports',
                'action_median_seconds', 'action_p95_seconds')),
    -- NULL if there was nothing to measure, such as a time to action without a decision.
    value   double precision CHECK (value >= 0),
    PRIMARY KEY (day, figure)
);
COMMENT ON TABLE daily_figures IS
    'The figures of days that have ended. All figures of a day are stored by one transaction and never change, also when '
    'what they counted is deleted.';

CREATE TABLE weekly_showings (
    -- The member who was shown.
    member_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The Monday of the ISO week in UTC.
    week       date NOT NULL CHECK (extract(isodow FROM week) = 1),
    -- The number of members to whom, summed over the days that have ended.
    times      integer NOT NULL CHECK (times > 0),
    PRIMARY KEY (member_id, week)
);
COMMENT ON TABLE weekly_showings IS
    'How often each member was shown, from the rows of daily_items that a job deletes. A job deletes the rows of a week when '
    'its exposure is final.';
CREATE INDEX weekly_showings_week ON weekly_showings (week);

CREATE TABLE weekly_exposure (
    -- The Monday of the ISO week in UTC.
    week         date PRIMARY KEY CHECK (extract(isodow FROM week) = 1),
    -- The members who could be shown to everyone when it was computed, and those of them who were shown in no list.
    members      integer NOT NULL CHECK (members >= 0),
    never_shown  integer NOT NULL,
    -- The Gini coefficient of how often they were shown; NULL if none was.
    gini         double precision CHECK (gini BETWEEN 0 AND 1),
    -- False while the week lasts.
    is_final     boolean NOT NULL,
    computed_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT weekly_exposure_shown CHECK (never_shown BETWEEN 0 AND members),
    CONSTRAINT weekly_exposure_gini CHECK ((gini IS NULL) = (never_shown = members))
);
COMMENT ON TABLE weekly_exposure IS
    'How evenly members were shown to others. A final row never changes.';
