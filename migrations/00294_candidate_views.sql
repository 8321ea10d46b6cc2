-- +goose NO TRANSACTION
-- +goose Up

-- A page of the search reads each member's row of users once: profiles, and so visible_members, gets what a card shows and the
-- compatibility compares, which were in search_members and users only. Both views take the definitions from the functions
-- below, which PostgreSQL inlines. Not in one transaction: it would hold the lock of one view while it waits for the other,
-- and searches lock them in the other order.

-- Returns that value of a member's town which searches use, as viewer and as result: of the visited town during a visit.
CREATE OR REPLACE FUNCTION seen_value(visit_until timestamptz, visited anyelement, home anyelement) RETURNS anyelement LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN visit_until > now() THEN visited ELSE home END
$$;

-- Reports whether the last activity is of today or yesterday (UTC), and the member does not hide it.
CREATE OR REPLACE FUNCTION was_active_today(last_active_at timestamptz, is_hidden boolean) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT (last_active_at AT TIME ZONE 'UTC')::date >= (now() AT TIME ZONE 'UTC')::date - 1 AND NOT is_hidden
$$;

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
        hide_badges,
        age_of(birth_date) AS age,
        is_paused(paused_at, paused_until) AS is_paused,
        is_searched(profile_status, is_approved, is_graduated, paused_at, paused_until) AS is_searched,
        -- Whether the member is shown to everyone.
        is_searched(profile_status, is_approved, is_graduated, paused_at, paused_until) AND NOT incognito AS is_shown,
        full_name,
        -- Whether members without a match see the first name only.
        first_name_only,
        hide_premium,
        -- The religion, if the member lets it count in scores and in the filter.
        CASE WHEN religion_counts THEN religion END AS counted_religion,
        -- The town that searches use for the member.
        seen_value(visit_until, visit_city, city) AS seen_city,
        seen_value(visit_until, visit_state, state) AS seen_state,
        seen_value(visit_until, visit_lat, town_lat) AS seen_lat,
        seen_value(visit_until, visit_lon, town_lon) AS seen_lon,
        -- Whether the member looks in another town, and the visit has not ended.
        coalesce(visit_until > now(), false) AS is_visiting,
        -- No join, because statements that lock the rows of this view could not lock the activity.
        was_active_today(
            coalesce((SELECT a.last_active_at FROM member_activity a WHERE a.user_id = users.id), created_at),
            hide_online) AS was_active_today
    FROM users;

-- What the search reads of a member. search_row must have each column of users that it names. A column that a statement does
-- not read costs nothing.
CREATE OR REPLACE VIEW search_members AS
    SELECT
        u.id,
        u.birth_date,
        age_of(u.birth_date) AS age,
        u.gender,
        u.interested_in,
        u.height_cm,
        u.intention_tags,
        u.has_children,
        u.wants_children,
        u.education,
        -- The religion, if the member lets it count in scores and in the filter.
        CASE WHEN u.religion_counts THEN u.religion END AS counted_religion,
        -- The town that searches use for the member, as viewer and as result: the visited town during a visit.
        seen_value(u.visit_until, u.visit_city, u.city) AS seen_city,
        seen_value(u.visit_until, u.visit_state, u.state) AS seen_state,
        seen_value(u.visit_until, u.visit_lat, u.town_lat) AS seen_lat,
        seen_value(u.visit_until, u.visit_lon, u.town_lon) AS seen_lon,
        -- Whether the member looks in another town, and the visit has not ended.
        coalesce(u.visit_until > now(), false) AS is_visiting,
        u.personality_traits,
        u.lifestyle_preferences,
        u.relationship_goals,
        u.pronouns,
        u.languages,
        u.drinking,
        u.smoking,
        u.pets,
        u.is_featured,
        u.verified_at IS NOT NULL AS is_verified,
        u.hide_online,
        u.incognito,
        is_searched(u.profile_status, u.is_approved, u.is_graduated, u.paused_at, u.paused_until) AS is_searched,
        u.created_at,
        -- The last activity, or the time of joining.
        coalesce(a.last_active_at, u.created_at) AS last_active_at,
        -- Whether the last activity is of today or yesterday (UTC), and the member does not hide it.
        was_active_today(coalesce(a.last_active_at, u.created_at), u.hide_online) AS was_active_today,
        -- The share of the profile's parts that are filled in, as members.Completeness in Go counts them.
        100 * (
            EXISTS (SELECT FROM member_media m WHERE m.user_id = u.id AND m.slot = 'photo')::int
            + (u.bio <> '')::int
            + (u.love_reflection <> '')::int
            + (cardinality(u.intention_tags) > 0)::int
            + EXISTS (SELECT FROM member_prompts p WHERE p.user_id = u.id)::int
            + (u.city <> '')::int
            + (u.occupation <> '')::int
            + (u.education IS NOT NULL)::int
            + (u.has_children IS NOT NULL)::int
            + (u.wants_children IS NOT NULL)::int
        ) / 10 AS completeness,
        EXISTS (SELECT FROM member_media m WHERE m.user_id = u.id AND m.slot = 'audio_greeting') AS has_voice,
        EXISTS (SELECT FROM member_media m WHERE m.user_id = u.id AND m.slot = 'video_greeting') AS has_video,
        -- Whether the member has a photo, and a bio or an answer.
        EXISTS (SELECT FROM member_media m WHERE m.user_id = u.id AND m.slot = 'photo')
            AND (u.bio <> '' OR EXISTS (SELECT FROM member_prompts p WHERE p.user_id = u.id)) AS presents,
        u.search_xid,
        u.paused_until,
        u.visit_until
    FROM users u
    LEFT JOIN member_activity a ON a.user_id = u.id;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
