-- +goose NO TRANSACTION
-- +goose Up

-- The two facts that change once a minute for each session in use stand in
-- narrow tables without an index on what changes. Half of each page is left
-- free, so that the new version of a row fits beside the old one and no index
-- is written (HOT).

-- When a member was last here. Without a row: when the member joined.
-- Written by members.Touch and members.TouchMany.
CREATE TABLE IF NOT EXISTS member_activity (
    user_id         uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    last_active_at  timestamptz NOT NULL
) WITH (fillfactor = 50);

-- When a session was last used. Without a row: when it was made.
CREATE TABLE IF NOT EXISTS session_activity (
    session_id    uuid PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    last_seen_at  timestamptz NOT NULL
) WITH (fillfactor = 50);

-- The version before serves members while this runs and until it has been
-- replaced, and writes the old columns. The triggers carry that over; they do
-- not fire for this version, which names neither column.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION copy_last_active() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO member_activity AS a (user_id, last_active_at)
    VALUES (NEW.id, NEW.last_active_at)
    ON CONFLICT (user_id) DO UPDATE SET last_active_at = excluded.last_active_at
        WHERE a.last_active_at < excluded.last_active_at;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION copy_last_seen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO session_activity AS a (session_id, last_seen_at)
    VALUES (NEW.id, NEW.last_seen_at)
    ON CONFLICT (session_id) DO UPDATE SET last_seen_at = excluded.last_seen_at
        WHERE a.last_seen_at < excluded.last_seen_at;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER users_last_active AFTER UPDATE OF last_active_at ON users
    FOR EACH ROW EXECUTE FUNCTION copy_last_active();
CREATE OR REPLACE TRIGGER sessions_last_seen AFTER UPDATE OF last_seen_at ON sessions
    FOR EACH ROW EXECUTE FUNCTION copy_last_seen();
COMMENT ON COLUMN users.last_active_at IS
    'Not read any more, see member_activity. To be dropped, with the trigger, by the release after the one that brought 00030.';
COMMENT ON COLUMN sessions.last_seen_at IS
    'Not read any more, see session_activity. To be dropped, with the trigger, by the release after the one that brought 00030.';

-- In batches, because a trigger waits for the batch that holds its row. The key
-- share lock keeps a row from being deleted before its copy refers to it.
-- +goose StatementBegin
DO $$
DECLARE
    copied uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
    LOOP
        WITH batch AS (
            SELECT id, last_active_at FROM users WHERE id > copied ORDER BY id LIMIT 5000 FOR KEY SHARE
        ), inserted AS (
            INSERT INTO member_activity (user_id, last_active_at)
            SELECT id, last_active_at FROM batch
            ON CONFLICT (user_id) DO NOTHING
        )
        SELECT id INTO copied FROM batch ORDER BY id DESC LIMIT 1;
        EXIT WHEN NOT FOUND;
        COMMIT;
    END LOOP;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
DO $$
DECLARE
    copied uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
    LOOP
        WITH batch AS (
            SELECT id, last_seen_at FROM sessions WHERE id > copied ORDER BY id LIMIT 5000 FOR KEY SHARE
        ), inserted AS (
            INSERT INTO session_activity (session_id, last_seen_at)
            SELECT id, last_seen_at FROM batch
            ON CONFLICT (session_id) DO NOTHING
        )
        SELECT id INTO copied FROM batch ORDER BY id DESC LIMIT 1;
        EXIT WHEN NOT FOUND;
        COMMIT;
    END LOOP;
END $$;
-- +goose StatementEnd
ANALYZE member_activity, session_activity;

-- The hour of the last activity is all that a search looks at. It changes once
-- an hour at most, so it has an index: the search index in memory reads the
-- rows here that changed, and no profile for them. A row is written when the
-- hour changes; the first load reads member_activity.
CREATE TABLE IF NOT EXISTS search_active_hours (
    user_id      uuid PRIMARY KEY REFERENCES member_activity ON DELETE CASCADE,
    active_hour  timestamptz NOT NULL,
    search_xid   xid8 NOT NULL DEFAULT pg_current_xact_id()
) WITH (fillfactor = 90);
CREATE INDEX IF NOT EXISTS search_active_hours_xid ON search_active_hours (search_xid);

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION member_activity_hour_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO search_active_hours (user_id, active_hour)
    VALUES (NEW.user_id, date_bin('1 hour', NEW.last_active_at, '2000-01-01T00:00:00Z'))
    ON CONFLICT (user_id) DO UPDATE SET active_hour = excluded.active_hour, search_xid = excluded.search_xid;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION search_row(u users) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_array(
        u.city,
        u.state,
        u.town_lat,
        u.town_lon,
        u.birth_date,
        u.gender,
        u.interested_in,
        u.intention_tags,
        u.has_children,
        u.wants_children,
        u.education,
        u.religion,
        u.is_graduated,
        u.is_approved,
        u.is_featured,
        u.is_demo,
        u.profile_status,
        u.paused_at,
        u.incognito,
        u.verified_at IS NULL,
        u.personality_traits,
        u.lifestyle_preferences,
        u.relationship_goals,
        u.bio = '',
        u.love_reflection = '',
        u.occupation = ''
    )
$$;
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER member_activity_inserted AFTER INSERT ON member_activity
    FOR EACH ROW EXECUTE FUNCTION member_activity_hour_changed();
CREATE OR REPLACE TRIGGER member_activity_hour AFTER UPDATE ON member_activity FOR EACH ROW
    WHEN (date_bin('1 hour', OLD.last_active_at, '2000-01-01T00:00:00Z')
        IS DISTINCT FROM date_bin('1 hour', NEW.last_active_at, '2000-01-01T00:00:00Z'))
    EXECUTE FUNCTION member_activity_hour_changed();

-- Sessions are found by their member; the order of ten at most needs no index.
DROP INDEX CONCURRENTLY IF EXISTS sessions_member;
CREATE INDEX CONCURRENTLY sessions_member ON sessions (user_id);
DROP INDEX CONCURRENTLY IF EXISTS sessions_user;
DROP INDEX CONCURRENTLY IF EXISTS sessions_idle;

-- +goose Down
DROP TRIGGER IF EXISTS users_last_active ON users;
DROP TRIGGER IF EXISTS sessions_last_seen ON sessions;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION search_row(u users) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_array(
        u.city,
        u.state,
        u.town_lat,
        u.town_lon,
        u.birth_date,
        u.gender,
        u.interested_in,
        u.intention_tags,
        u.has_children,
        u.wants_children,
        u.education,
        u.religion,
        u.is_graduated,
        u.is_approved,
        u.is_featured,
        u.is_demo,
        u.profile_status,
        u.paused_at,
        u.incognito,
        u.verified_at IS NULL,
        u.personality_traits,
        u.lifestyle_preferences,
        u.relationship_goals,
        u.bio = '',
        u.love_reflection = '',
        u.occupation = '',
        date_trunc('hour', u.last_active_at)
    )
$$;
-- +goose StatementEnd
UPDATE users u SET last_active_at = a.last_active_at FROM member_activity a WHERE a.user_id = u.id;
UPDATE sessions s SET last_seen_at = a.last_seen_at FROM session_activity a WHERE a.session_id = s.id;
COMMENT ON COLUMN users.last_active_at IS NULL;
COMMENT ON COLUMN sessions.last_seen_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS sessions_user;
CREATE INDEX CONCURRENTLY sessions_user ON sessions (user_id, last_seen_at);
DROP INDEX CONCURRENTLY IF EXISTS sessions_idle;
CREATE INDEX CONCURRENTLY sessions_idle ON sessions (last_seen_at);
DROP INDEX CONCURRENTLY IF EXISTS sessions_member;
DROP TABLE search_active_hours, session_activity, member_activity;
DROP FUNCTION copy_last_active, copy_last_seen, member_activity_hour_changed;
