-- +goose Up

-- How a member wants to discover others, as one document (discovery.FilterSet);
-- no row means the defaults. A filter that the document lacks has its default.
CREATE TABLE discovery_filters (
    user_id     uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    filters     jsonb NOT NULL CHECK (jsonb_typeof(filters) = 'object'),
    updated_at  timestamptz NOT NULL DEFAULT now()
);

-- What the search index in memory follows: the transaction that last changed
-- what a search looks at. Index nodes read the rows at or after the oldest
-- transaction that was running at their last look, so a change that commits
-- late is read twice rather than never.
ALTER TABLE users ADD COLUMN search_xid xid8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX users_search_xid ON users (search_xid);

-- Ids of deleted members, so that every search index removes them. Rows are
-- deleted after a day.
CREATE TABLE search_removals (
    user_id     uuid NOT NULL,
    search_xid  xid8 NOT NULL DEFAULT pg_current_xact_id(),
    removed_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX search_removals_xid ON search_removals (search_xid);
CREATE INDEX search_removals_at ON search_removals (removed_at);

-- What the search reads of a member: a change of it is followed. A migration
-- that adds a column which the search reads replaces this function. It returns
-- jsonb because PostgreSQL does not inline functions that return a record.
-- +goose StatementBegin
CREATE FUNCTION search_row(u users) RETURNS jsonb LANGUAGE sql STABLE AS $$
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

-- +goose StatementBegin
CREATE FUNCTION users_search_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF search_row(NEW) IS DISTINCT FROM search_row(OLD) THEN
        NEW.search_xid := pg_current_xact_id();
    END IF;
    RETURN NEW;
END $$;

-- Photos, greetings and prompts count for completeness and filters.
CREATE FUNCTION member_parts_search_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE users SET search_xid = pg_current_xact_id() WHERE id = coalesce(NEW.user_id, OLD.user_id);
    RETURN NULL;
END $$;

CREATE FUNCTION users_search_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO search_removals (user_id) VALUES (OLD.id);
    RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER users_search BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION users_search_changed();
CREATE TRIGGER users_search_removed AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION users_search_removed();
CREATE TRIGGER member_media_search AFTER INSERT OR DELETE ON member_media
    FOR EACH ROW EXECUTE FUNCTION member_parts_search_changed();
CREATE TRIGGER member_prompts_search AFTER INSERT OR DELETE ON member_prompts
    FOR EACH ROW EXECUTE FUNCTION member_parts_search_changed();

DROP INDEX users_shown, users_near;
CREATE INDEX users_shown ON users (birth_date)
    WHERE profile_status = 'active' AND is_approved AND NOT is_graduated AND paused_at IS NULL;
CREATE INDEX users_near ON users (town_lat, town_lon)
    WHERE profile_status = 'active' AND is_approved AND NOT is_graduated AND paused_at IS NULL;

-- +goose Down
DROP INDEX users_shown, users_near;
CREATE INDEX users_shown ON users (birth_date) WHERE profile_status = 'active' AND is_approved AND NOT is_graduated;
CREATE INDEX users_near ON users (town_lat, town_lon) WHERE profile_status = 'active' AND is_approved AND NOT is_graduated;
DROP TRIGGER member_prompts_search ON member_prompts;
DROP TRIGGER member_media_search ON member_media;
DROP TRIGGER users_search_removed ON users;
DROP TRIGGER users_search ON users;
DROP FUNCTION users_search_removed, member_parts_search_changed, users_search_changed, search_row;
DROP TABLE search_removals, discovery_filters;
ALTER TABLE users DROP COLUMN search_xid;
