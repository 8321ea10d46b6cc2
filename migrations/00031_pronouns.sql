-- +goose NO TRANSACTION
-- +goose Up

-- The pronouns by which a member wants to be spoken of.
ALTER TABLE users ADD COLUMN IF NOT EXISTS pronouns text[] NOT NULL DEFAULT '{}';
ALTER TABLE users DROP CONSTRAINT IF EXISTS users_pronouns;
ALTER TABLE users ADD CONSTRAINT users_pronouns CHECK (pronouns <@ ARRAY['She/her', 'He/him', 'They/them', 'Ze/hir', 'Any']
    AND cardinality(pronouns) <= 4) NOT VALID;
ALTER TABLE users VALIDATE CONSTRAINT users_pronouns;

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
        u.pronouns,
        u.bio = '',
        u.love_reflection = '',
        u.occupation = ''
    )
$$;
-- +goose StatementEnd

-- +goose Down
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
ALTER TABLE users DROP COLUMN IF EXISTS pronouns;
