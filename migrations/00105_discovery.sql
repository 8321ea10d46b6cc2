-- +goose Up

-- Filters, and what the search indexes in memory follow. An index reads the rows whose
-- search_xid is at or after the oldest transaction that was running at its last
-- refresh, so that a change which commits late is read twice rather than never. It also
-- reads the rows whose pause or visit has ended since then, which no transaction changes.

CREATE TABLE discovery_filters (
    user_id     uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    -- discovery.FilterSet. A filter that the document lacks has its default.
    filters     jsonb NOT NULL CHECK (jsonb_typeof(filters) = 'object'),
    updated_at  timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE discovery_filters IS
    'The filters of a member; without a row, the defaults.';

-- Returns what a search reads of a member, so that the index follows its changes. A
-- migration that adds a column which the search reads replaces this function. It
-- returns jsonb because PostgreSQL does not inline functions that return a record.
CREATE FUNCTION search_row(u users) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_array(
        u.city,
        u.state,
        u.town_lat,
        u.town_lon,
        u.birth_date,
        u.gender,
        u.interested_in,
        u.height_cm,
        u.intention_tags,
        u.has_children,
        u.wants_children,
        u.education,
        u.religion,
        u.religion_counts,
        u.is_graduated,
        u.is_approved,
        u.is_featured,
        u.profile_status,
        u.paused_at,
        u.paused_until,
        u.visit_city,
        u.visit_state,
        u.visit_lat,
        u.visit_lon,
        u.visit_until,
        u.incognito,
        u.hide_online,
        u.verified_at IS NULL,
        u.personality_traits,
        u.lifestyle_preferences,
        u.relationship_goals,
        u.pronouns,
        u.languages,
        u.drinking,
        u.smoking,
        u.pets,
        u.bio = '',
        u.love_reflection = '',
        u.occupation = ''
    )
$$;

-- Other changes of a member leave search_xid alone, so that the indexes do not read
-- the row again.
-- +goose StatementBegin
CREATE FUNCTION users_search_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF search_row(NEW) IS DISTINCT FROM search_row(OLD) THEN
        NEW.search_xid := pg_current_xact_id();
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_search BEFORE UPDATE ON users
    FOR EACH ROW EXECUTE FUNCTION users_search_changed();

-- Photos, greetings and prompts count for completeness and filters.
-- +goose StatementBegin
CREATE FUNCTION member_parts_search_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE users SET search_xid = pg_current_xact_id() WHERE id = coalesce(NEW.user_id, OLD.user_id);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER member_media_search AFTER INSERT OR DELETE ON member_media
    FOR EACH ROW EXECUTE FUNCTION member_parts_search_changed();
CREATE TRIGGER member_prompts_search AFTER INSERT OR DELETE ON member_prompts
    FOR EACH ROW EXECUTE FUNCTION member_parts_search_changed();

CREATE TABLE search_removals (
    user_id     uuid NOT NULL,
    search_xid  xid8 NOT NULL DEFAULT pg_current_xact_id(),
    removed_at  timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE search_removals IS
    'Ids of deleted members, so that every search index removes them. A job deletes rows after a day.';
CREATE INDEX search_removals_xid ON search_removals (search_xid);
CREATE INDEX search_removals_at ON search_removals (removed_at);

-- +goose StatementBegin
CREATE FUNCTION users_search_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO search_removals (user_id) VALUES (OLD.id);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_search_removed AFTER DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION users_search_removed();

CREATE TABLE search_active_hours (
    user_id      uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    -- Beginning of the hour of the last activity; of the creation of the account before the first.
    active_hour  timestamptz NOT NULL,
    search_xid   xid8 NOT NULL DEFAULT pg_current_xact_id()
) WITH (fillfactor = 90);
COMMENT ON TABLE search_active_hours IS
    'The hour in which a member was last active, which is all that a search reads of member_activity. It is written with '
    'the account and when the hour changes, at most once an hour, so it can have an index: the search indexes read the rows that changed and '
    'no profile for them. The first load reads member_activity.';
CREATE INDEX search_active_hours_xid ON search_active_hours (search_xid);
-- For the admins' list of members by last activity, because member_activity has no index with the time.
CREATE INDEX search_active_hours_hour ON search_active_hours (active_hour);

CREATE VIEW member_active_hours AS
    SELECT user_id, active_hour
    FROM search_active_hours;

-- +goose StatementBegin
CREATE FUNCTION users_first_hour() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO search_active_hours (user_id, active_hour)
    SELECT id, date_bin('1 hour', created_at, '2000-01-01T00:00:00Z')
    FROM added;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_first_hour AFTER INSERT ON users
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION users_first_hour();

-- A session plans the update once, perhaps while the table is small, and keeps the plan while it grows: so always by the
-- index.
-- +goose StatementBegin
CREATE FUNCTION member_activity_hour_changed() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    UPDATE search_active_hours
    SET
        active_hour = date_bin('1 hour', NEW.last_active_at, '2000-01-01T00:00:00Z'),
        search_xid = pg_current_xact_id()
    WHERE user_id = NEW.user_id
        AND active_hour <> date_bin('1 hour', NEW.last_active_at, '2000-01-01T00:00:00Z');
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER member_activity_inserted AFTER INSERT ON member_activity
    FOR EACH ROW EXECUTE FUNCTION member_activity_hour_changed();
CREATE TRIGGER member_activity_hour AFTER UPDATE ON member_activity
    FOR EACH ROW
    WHEN (date_bin('1 hour', OLD.last_active_at, '2000-01-01T00:00:00Z')
        IS DISTINCT FROM date_bin('1 hour', NEW.last_active_at, '2000-01-01T00:00:00Z'))
    EXECUTE FUNCTION member_activity_hour_changed();
