-- +goose Up

-- What other features read of a member, in views and in functions that PostgreSQL inlines: they have no subselect or return
-- a set, and they are neither STRICT nor SECURITY DEFINER and have no SET. So a condition on them uses the indexes of users.

-- Returns the age in whole years today (UTC). It is 18 for a member whose 18th birthday has begun in the own zone only.
CREATE FUNCTION age_of(born date) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT greatest(18, date_part('year', age((now() AT TIME ZONE 'UTC')::date, born))::int)
$$;

-- Reports whether a profile is paused: the pause has begun and not ended.
CREATE FUNCTION is_paused(begun timestamptz, until timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT begun IS NOT NULL AND coalesce(until > now(), true)
$$;

-- Reports whether a member can be found by search. Incognito members can be found only by members whom they like.
CREATE FUNCTION is_searched(status text, approved boolean, graduated boolean, paused_at timestamptz, paused_until timestamptz)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT status = 'active' AND approved AND NOT graduated AND NOT is_paused(paused_at, paused_until)
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
        is_searched(profile_status, is_approved, is_graduated, paused_at, paused_until) AND NOT incognito AS is_shown
    FROM users;

CREATE OR REPLACE VIEW managed_members AS
    SELECT
        u.id,
        u.email,
        u.full_name,
        u.last_name,
        u.birth_date,
        u.city,
        u.state,
        u.profile_status,
        u.suspended_until,
        u.deletion_due_at,
        u.is_featured,
        u.is_graduated,
        u.is_admin,
        u.is_moderator,
        u.verified_at,
        u.premium_until,
        u.created_at,
        -- No join, which would read the activity of all members for a page of few.
        coalesce((SELECT a.last_active_at FROM member_activity a WHERE a.user_id = u.id), u.created_at) AS last_active_at,
        u.identity_key,
        age_of(u.birth_date) AS age
    FROM users u;

-- What the search reads of a member. search_row must have each column of users that it names. A column that a statement does
-- not read costs nothing.
CREATE VIEW search_members AS
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
        CASE WHEN u.visit_until > now() THEN u.visit_city ELSE u.city END AS seen_city,
        CASE WHEN u.visit_until > now() THEN u.visit_state ELSE u.state END AS seen_state,
        CASE WHEN u.visit_until > now() THEN u.visit_lat ELSE u.town_lat END AS seen_lat,
        CASE WHEN u.visit_until > now() THEN u.visit_lon ELSE u.town_lon END AS seen_lon,
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
        (coalesce(a.last_active_at, u.created_at) AT TIME ZONE 'UTC')::date >= (now() AT TIME ZONE 'UTC')::date - 1
            AND NOT u.hide_online AS was_active_today,
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

-- The last activity of each member, or the time of joining.
CREATE VIEW member_activities AS
    SELECT
        id AS user_id,
        last_active_at
    FROM search_members;

-- The share of each profile's parts that are filled in.
CREATE VIEW member_completeness AS
    SELECT
        id           AS user_id,
        completeness AS percent
    FROM search_members;

-- The members whom the viewer may see: the viewer; members who are shown to everyone; incognito members who like the viewer;
-- and, if active, the viewer's matches, members of the viewer's conversations, and senders of requests that the viewer has
-- not declined. A block and an ended match override all of these but the first. PostgreSQL inlines the function if the
-- viewer is a parameter or a column; it runs it for all members if the viewer is a subselect.
CREATE FUNCTION visible_members(viewer uuid) RETURNS SETOF profiles LANGUAGE sql STABLE AS $$
    SELECT u.*
    FROM profiles u
    WHERE u.id = viewer
        OR NOT EXISTS (
            SELECT
            FROM blocked_pairs b
            WHERE b.member_id = viewer
                AND b.peer_id = u.id
        )
        AND NOT EXISTS (
            SELECT
            FROM match_sides m
            WHERE m.member_id = viewer
                AND m.peer_id = u.id
                AND m.unmatched_at IS NOT NULL
        )
        AND (
            u.is_shown
            OR u.incognito
                AND u.is_searched
                AND EXISTS (
                    SELECT
                    FROM likes l
                    WHERE l.member_id = u.id
                        AND l.peer_id = viewer
                )
            OR u.profile_status = 'active'
                AND EXISTS (
                    SELECT
                    FROM match_sides m
                    WHERE m.member_id = viewer
                        AND m.peer_id = u.id
                        AND m.unmatched_at IS NULL
                )
            OR u.profile_status = 'active'
                AND EXISTS (
                    SELECT
                    FROM conversation_sides c
                    WHERE c.member_id = viewer
                        AND c.peer_id = u.id
                        AND c.closed_at IS NULL
                        AND (c.requested_by IS NULL OR c.requested_by = u.id AND c.declined_at IS NULL)
                )
        )
$$;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
