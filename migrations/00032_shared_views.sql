-- +goose Up

-- What other features may read of a member. It is the table of members without the
-- address, the password, and what only search and sign-in need.
CREATE VIEW profiles AS
    SELECT
        id,
        first_name,
        last_name,
        birth_date,
        birth_date_exact,
        gender,
        interested_in,
        height_cm,
        city,
        state,
        town_lat,
        town_lon,
        intention_tags,
        personality_traits,
        lifestyle_preferences,
        relationship_goals,
        bio,
        love_reflection,
        has_children,
        wants_children,
        education,
        occupation,
        religion,
        is_graduated,
        is_approved,
        is_featured,
        is_admin,
        is_demo,
        profile_status,
        verified_at,
        premium_until,
        paused_at,
        incognito,
        hide_online,
        hide_read_receipts,
        referral_code,
        referred_by,
        created_at,
        search_xid
    FROM users;

-- A match as each of its two members sees it: one row a member.
CREATE VIEW match_sides AS
    SELECT
        id        AS match_id,
        user_a    AS member_id,
        user_b    AS peer_id,
        seen_by_a AS seen,
        created_at,
        unmatched_at
    FROM matches
    UNION ALL
    SELECT
        id,
        user_b,
        user_a,
        seen_by_b,
        created_at,
        unmatched_at
    FROM matches;

-- +goose Down
DROP VIEW match_sides;
DROP VIEW profiles;
