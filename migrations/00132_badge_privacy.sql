-- +goose Up

-- Whether others see none of the member's badges.
ALTER TABLE users ADD COLUMN hide_badges boolean NOT NULL DEFAULT false;

CREATE OR REPLACE VIEW profiles AS
    SELECT
        id,
        first_name,
        birth_date,
        birth_date_exact,
        gender,
        interested_in,
        height_cm,
        city,
        state,
        town_lat,
        town_lon,
        visit_city,
        visit_state,
        visit_lat,
        visit_lon,
        visit_until,
        intention_tags,
        personality_traits,
        lifestyle_preferences,
        relationship_goals,
        pronouns,
        languages,
        drinking,
        smoking,
        pets,
        bio,
        love_reflection,
        has_children,
        wants_children,
        education,
        occupation,
        religion,
        religion_counts,
        is_graduated,
        is_approved,
        is_featured,
        is_admin,
        is_moderator,
        is_admin OR is_moderator AS is_staff,
        profile_status,
        verified_at,
        premium_until,
        paused_at,
        paused_until,
        incognito,
        hide_online,
        hide_read_receipts,
        referral_code,
        created_at,
        search_xid,
        hide_badges
    FROM users;

-- Whether the badge was found by a recomputation: no push, no notification and no celebration tell of it.
ALTER TABLE user_badges ADD COLUMN is_silent boolean NOT NULL DEFAULT false;

CREATE OR REPLACE VIEW earned_badges AS
    SELECT
        e.id,
        e.user_id,
        e.badge_id,
        b.name,
        b.description,
        b.icon,
        b.color_palette,
        e.earned_at,
        e.is_notified,
        e.is_silent
    FROM user_badges e
    JOIN badges b ON b.id = e.badge_id;
