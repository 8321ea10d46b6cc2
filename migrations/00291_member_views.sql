-- +goose Up

-- What other features read of a member, in views and in functions that PostgreSQL inlines: they have no subselect or return
-- a set, and they are neither STRICT nor SECURITY DEFINER and have no SET. So a condition on them uses the indexes of users.

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
        -- In whole years today (UTC). It is 18 for a member whose 18th birthday has begun in the own zone only.
        greatest(18, date_part('year', age((now() AT TIME ZONE 'UTC')::date, birth_date))::int) AS age,
        is_paused(paused_at, paused_until) AS is_paused,
        is_searched(profile_status, is_approved, is_graduated, paused_at, paused_until) AS is_searched,
        -- Whether the member is shown to everyone.
        is_searched(profile_status, is_approved, is_graduated, paused_at, paused_until) AND NOT incognito AS is_shown,
        -- Whether the member looks in another town, and the visit has not ended.
        coalesce(visit_until > now(), false) AS is_visiting,
        -- The town that searches use for the member, as viewer and as result: the visited town during a visit.
        CASE WHEN coalesce(visit_until > now(), false) THEN visit_city ELSE city END AS seen_city,
        CASE WHEN coalesce(visit_until > now(), false) THEN visit_state ELSE state END AS seen_state,
        CASE WHEN coalesce(visit_until > now(), false) THEN visit_lat ELSE town_lat END AS seen_lat,
        CASE WHEN coalesce(visit_until > now(), false) THEN visit_lon ELSE town_lon END AS seen_lon,
        -- The religion, if the member lets it count in scores and in the filter.
        CASE WHEN religion_counts THEN religion END AS counted_religion
    FROM users;

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
