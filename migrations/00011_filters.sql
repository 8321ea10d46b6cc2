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

-- Whoever is gone leaves a row, so that every index forgets them. Cleaned up after a day.
CREATE TABLE search_removals (
    user_id     uuid NOT NULL,
    search_xid  xid8 NOT NULL DEFAULT pg_current_xact_id(),
    removed_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX search_removals_xid ON search_removals (search_xid);
CREATE INDEX search_removals_at ON search_removals (removed_at);

-- +goose StatementBegin
CREATE FUNCTION users_search_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- The hour of the last activity is all that a search looks at.
    IF (NEW.city, NEW.state, NEW.town_lat, NEW.town_lon, NEW.birth_date, NEW.gender, NEW.interested_in, NEW.intention_tags,
        NEW.has_children, NEW.wants_children, NEW.education, NEW.religion, NEW.is_graduated, NEW.is_approved, NEW.is_featured,
        NEW.is_demo, NEW.profile_status, NEW.paused_at, NEW.incognito, NEW.verified_at IS NULL, NEW.personality_traits,
        NEW.lifestyle_preferences, NEW.relationship_goals, NEW.bio = '', NEW.love_reflection = '', NEW.occupation = '',
        date_trunc('hour', NEW.last_active_at))
       IS DISTINCT FROM
       (OLD.city, OLD.state, OLD.town_lat, OLD.town_lon, OLD.birth_date, OLD.gender, OLD.interested_in, OLD.intention_tags,
        OLD.has_children, OLD.wants_children, OLD.education, OLD.religion, OLD.is_graduated, OLD.is_approved, OLD.is_featured,
        OLD.is_demo, OLD.profile_status, OLD.paused_at, OLD.incognito, OLD.verified_at IS NULL, OLD.personality_traits,
        OLD.lifestyle_preferences, OLD.relationship_goals, OLD.bio = '', OLD.love_reflection = '', OLD.occupation = '',
        date_trunc('hour', OLD.last_active_at)) THEN
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
DROP FUNCTION users_search_removed, member_parts_search_changed, users_search_changed;
DROP TABLE search_removals, discovery_filters;
ALTER TABLE users DROP COLUMN search_xid;
