-- +goose Up

-- Members, their profiles and settings. Ids are made by the server. Those of members and files, which others see, are
-- random (UUIDv4): a UUIDv7 would tell when a member joined or added a photo.
-- 00105_discovery.sql has the triggers by which the search index follows these tables.

-- The mailbox that an address is delivered to, as far as it is known: in lower case, without what follows a plus sign,
-- and for Gmail, which ignores them, without dots and with one domain. Bans and blocks by address compare this.
CREATE FUNCTION mailbox_of(address text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE
        WHEN a.domain IN ('gmail.com', 'googlemail.com') THEN replace(a.name, '.', '') || '@gmail.com'
        ELSE a.name || '@' || a.domain
    END
    FROM (
        SELECT
            coalesce(nullif(split_part(split_part(lower(address), '@', 1), '+', 1), ''), split_part(lower(address), '@', 1)) AS name,
            split_part(lower(address), '@', 2) AS domain
    ) a
$$;

CREATE TABLE users (
    id                     uuid PRIMARY KEY,

    -- Sign-in. Written by auth.
    email                  text NOT NULL CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
    -- Argon2id; NULL for members who sign in by code only.
    password_hash          text,
    -- When the member accepted the Honor Code.
    honor_code_at          timestamptz NOT NULL DEFAULT now(),
    is_admin               boolean NOT NULL DEFAULT false,
    -- Decides reports, flags and verifications, with fewer rights than an admin.
    is_moderator           boolean NOT NULL DEFAULT false,

    -- The profile. Written by its member. An empty text, an empty list and NULL mean that a field is not
    -- filled in. The lists of words are those of api/members/fields.go; a test compares the two.
    full_name              text NOT NULL CHECK (length(full_name) BETWEEN 1 AND 100),
    -- Derived from full_name. Others see the first name.
    first_name             text NOT NULL CHECK (length(first_name) BETWEEN 1 AND 100),
    last_name              text NOT NULL DEFAULT '' CHECK (length(last_name) <= 100),
    -- The sign-up asks for an age or a birth date. Given an age, the date is such that the age is right on
    -- that day and grows by one each year, and birth_date_exact is false.
    birth_date             date NOT NULL,
    birth_date_exact       boolean NOT NULL DEFAULT false,
    gender                 text CHECK (gender IN ('woman', 'man', 'nonbinary', 'other')),
    interested_in          text[] NOT NULL DEFAULT '{}' CHECK (interested_in <@ ARRAY['woman', 'man', 'nonbinary', 'other']),
    pronouns               text[] NOT NULL DEFAULT '{}',
    height_cm              smallint CHECK (height_cm BETWEEN 90 AND 250),
    city                   text NOT NULL DEFAULT '' CHECK (length(city) <= 100),
    state                  text NOT NULL DEFAULT '' CHECK (length(state) <= 100),
    -- Centre of the town in degrees, from the gazetteer when the town is saved; NULL for a town that it
    -- does not know. Distances between members are those between these points.
    town_lat               double precision,
    town_lon               double precision,
    -- From the list in system_settings.
    intention_tags         text[] NOT NULL DEFAULT '{}' CHECK (cardinality(intention_tags) <= 10),
    bio                    text NOT NULL DEFAULT '' CHECK (length(bio) <= 1000),
    love_reflection        text NOT NULL DEFAULT '' CHECK (length(love_reflection) <= 500),
    has_children           boolean,
    wants_children         boolean,
    education              text CHECK (education IN ('high_school', 'some_college', 'bachelors', 'masters', 'doctorate')),
    occupation             text NOT NULL DEFAULT '' CHECK (length(occupation) <= 100),
    religion               text CHECK (religion IN ('christian', 'jewish', 'muslim', 'hindu', 'buddhist', 'spiritual',
                               'agnostic', 'atheist', 'other')),
    -- The religion counts in compatibility scores and in the filter by religion.
    religion_counts        boolean NOT NULL DEFAULT true,
    personality_traits     text[] NOT NULL DEFAULT '{}',
    lifestyle_preferences  text[] NOT NULL DEFAULT '{}',
    relationship_goals     text[] NOT NULL DEFAULT '{}',
    languages              text[] NOT NULL DEFAULT '{}',
    drinking               text[] NOT NULL DEFAULT '{}',
    smoking                text[] NOT NULL DEFAULT '{}',
    pets                   text[] NOT NULL DEFAULT '{}',

    -- Settings. Written by the member.
    -- Start of the last pause, in which the member is not shown to new members; NULL if the member ended it.
    paused_at              timestamptz,
    -- When the pause ends by itself; NULL if it lasts until the member ends it. Both times stay after the end:
    -- members.Paused compares it with now().
    paused_until           timestamptz,
    -- The town in which the member looks until visit_until, from the gazetteer, with its centre in degrees. All
    -- five are NULL without a visit. members.Visiting compares the end with now(); a job deletes ended visits.
    visit_city             text CHECK (length(visit_city) BETWEEN 1 AND 100),
    visit_state            text CHECK (length(visit_state) BETWEEN 1 AND 100),
    visit_lat              double precision,
    visit_lon              double precision,
    visit_until            timestamptz,
    -- Members without a match see the first name instead of the full name.
    first_name_only        boolean NOT NULL DEFAULT false,
    -- Shown only to members whom this member likes.
    incognito              boolean NOT NULL DEFAULT false,
    -- A member who hides the online status or read receipts does not see those of others either.
    hide_online            boolean NOT NULL DEFAULT false,
    hide_read_receipts     boolean NOT NULL DEFAULT false,
    -- When the guided first run ended; NULL before.
    welcomed_at            timestamptz,

    -- Status. Written by admins and by the features.
    profile_status         text NOT NULL DEFAULT 'active' CHECK (profile_status IN ('active', 'suspended', 'under_review', 'leaving')),
    -- When a suspension ends, by a job; NULL for one without an end, and for members who are not suspended.
    suspended_until        timestamptz,
    -- When the account is deleted, 14 days after its member asked for it; NULL unless they did. The status is
    -- 'leaving' meanwhile, or 'suspended' or 'under_review' if it was that before or an admin decided that since.
    deletion_due_at        timestamptz,
    -- Searches find only approved members, and only they can send messages.
    is_approved            boolean NOT NULL DEFAULT true,
    -- Precedes others of the same score in a search; also a filter.
    is_featured            boolean NOT NULL DEFAULT false,
    -- Has found a partner: searches no longer find the member.
    is_graduated           boolean NOT NULL DEFAULT false,
    -- Made by the demo data.
    is_demo                boolean NOT NULL DEFAULT false,
    -- When an admin approved the selfie of a verification; NULL before, and after a change of the name, of the
    -- birth date, or to a first photo that was not compared with the selfie.
    verified_at            timestamptz,
    -- End of the premium time earned by referrals; NULL without any.
    premium_until          timestamptz,
    -- In the link by which the member invites others.
    referral_code          text NOT NULL UNIQUE CHECK (length(referral_code) BETWEEN 6 AND 20),
    -- The colours and the frame of the profile page. Others see them while Premium lasts; NULL for the usual ones.
    profile_theme          text CHECK (profile_theme IN ('rose', 'honey', 'meadow', 'sky', 'dusk', 'starlight')),
    profile_frame          text CHECK (profile_frame IN ('double', 'garland')),
    -- Others see neither the Premium badge nor those of tiers.
    hide_premium           boolean NOT NULL DEFAULT false,

    -- The transaction that last changed what a search reads; see 00105_discovery.sql.
    search_xid             xid8 NOT NULL DEFAULT pg_current_xact_id(),
    created_at             timestamptz NOT NULL DEFAULT now(),
    updated_at             timestamptz NOT NULL DEFAULT now(),

    CONSTRAINT users_email_key UNIQUE (email),
    CONSTRAINT users_one_role CHECK (NOT (is_admin AND is_moderator)),
    -- At least 18 at the sign-up. The day is for time zones.
    CONSTRAINT users_adult CHECK (birth_date <= (created_at AT TIME ZONE 'UTC')::date - interval '18 years' + interval '1 day'),
    CONSTRAINT users_town_point CHECK ((town_lat IS NULL) = (town_lon IS NULL)),
    CONSTRAINT users_leaving CHECK (
        (deletion_due_at IS NULL) = (profile_status = 'active')
        OR profile_status IN ('suspended', 'under_review')),
    CONSTRAINT users_pause_end CHECK (paused_until IS NULL OR paused_at IS NOT NULL AND paused_until > paused_at),
    CONSTRAINT users_suspension_end CHECK (suspended_until IS NULL OR profile_status = 'suspended'),
    CONSTRAINT users_visit CHECK (num_nulls(visit_city, visit_state, visit_lat, visit_lon, visit_until) IN (0, 5)),
    CONSTRAINT users_pronouns CHECK (
        pronouns <@ ARRAY['She/her', 'He/him', 'They/them', 'Ze/hir', 'Any']
        AND cardinality(pronouns) <= 4),
    CONSTRAINT users_traits CHECK (personality_traits <@ ARRAY['Adventurous', 'Affectionate', 'Ambitious', 'Calm',
        'Creative', 'Curious', 'Empathetic', 'Funny', 'Outgoing', 'Thoughtful']),
    CONSTRAINT users_lifestyle CHECK (lifestyle_preferences <@ ARRAY['Active', 'Early bird', 'Foodie', 'Homebody',
        'Music lover', 'Night owl', 'Nonsmoker', 'Outdoorsy', 'Pet lover', 'Traveler']),
    CONSTRAINT users_goals CHECK (relationship_goals <@ ARRAY['Marriage', 'Life partner', 'Long-term relationship',
        'Dating, open to more', 'Companionship', 'Friendship first']),
    CONSTRAINT users_languages CHECK (
        languages <@ ARRAY['English', 'Spanish', 'Mandarin', 'Tagalog', 'Vietnamese', 'French', 'Arabic',
            'Korean', 'Russian', 'Portuguese', 'American Sign Language', 'Amharic', 'Bengali', 'Bulgarian',
            'Burmese', 'Cantonese', 'Catalan', 'Croatian', 'Czech', 'Danish', 'Dutch', 'Finnish', 'German', 'Greek',
            'Gujarati', 'Haitian Creole', 'Hausa', 'Hebrew', 'Hindi', 'Hungarian', 'Indonesian', 'Italian',
            'Japanese', 'Khmer', 'Malay', 'Malayalam', 'Marathi', 'Nepali', 'Norwegian', 'Persian', 'Polish',
            'Punjabi', 'Romanian', 'Serbian', 'Somali', 'Swahili', 'Swedish', 'Tamil', 'Telugu', 'Thai', 'Turkish',
            'Ukrainian', 'Urdu', 'Yoruba']
        AND cardinality(languages) <= 10),
    CONSTRAINT users_drinking CHECK (
        drinking <@ ARRAY['Never drinks', 'Rarely drinks', 'Drinks socially', 'Drinks often']
        AND cardinality(drinking) <= 1),
    CONSTRAINT users_smoking CHECK (
        smoking <@ ARRAY['Never smokes', 'Smokes sometimes', 'Smokes often', 'Vapes', 'Trying to quit smoking']
        AND cardinality(smoking) <= 1),
    CONSTRAINT users_pets CHECK (
        pets <@ ARRAY['Dog', 'Cat', 'Bird', 'Fish', 'Rabbit', 'Reptile', 'Other pet', 'No pets',
            'Would like a pet', 'Allergic to pets']
        AND cardinality(pets) <= 6)
);
COMMENT ON TABLE users IS
    'Members. Deleting the row deletes the account with everything that refers to it. Conversations do not: package '
    'deletion deletes the messages of a member before the row.';
-- Members that a search may return, and paused ones, by age and by town.
CREATE INDEX users_mailbox ON users (mailbox_of(email));
CREATE INDEX users_shown ON users (birth_date)
    WHERE profile_status = 'active' AND is_approved AND NOT is_graduated;
CREATE INDEX users_near ON users (town_lat, town_lon)
    WHERE profile_status = 'active' AND is_approved AND NOT is_graduated;
-- For the search indexes, which read the members whose pause has ended.
CREATE INDEX users_paused_until ON users (paused_until) WHERE paused_until IS NOT NULL;
-- For the search indexes, which read the members whose visit has ended, and for the job that deletes ended visits.
CREATE INDEX users_visit_until ON users (visit_until) WHERE visit_until IS NOT NULL;
-- For the job that ends suspensions.
CREATE INDEX users_suspended_until ON users (suspended_until) WHERE suspended_until IS NOT NULL;
-- For the admins' list of members: its orders, and the searches by name and town. The collation allows searches by prefix.
CREATE INDEX users_newest ON users (created_at DESC, id DESC);
CREATE INDEX users_name ON users ((lower(full_name) COLLATE "C"), id);
CREATE INDEX users_last_name ON users ((lower(last_name) COLLATE "C"));
CREATE INDEX users_city ON users (lower(city), created_at DESC, id DESC);
-- For the admins' filters by a state that few members have.
CREATE INDEX users_hidden ON users (profile_status, created_at DESC, id DESC) WHERE profile_status <> 'active';
CREATE INDEX users_featured ON users (created_at DESC, id DESC) WHERE is_featured;
CREATE INDEX users_graduated ON users (created_at DESC, id DESC) WHERE is_graduated;
CREATE INDEX users_search_xid ON users (search_xid);

-- Whether two members have the same mailbox.
CREATE FUNCTION have_same_mailbox(a uuid, b uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT
        FROM users x
        JOIN users y ON mailbox_of(y.email) = mailbox_of(x.email)
        WHERE x.id = a
            AND y.id = b)
$$;

CREATE TABLE member_activity (
    user_id         uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    last_active_at  timestamptz NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE member_activity IS
    'When a member was last active; without a row, when the account was created. Written once a minute for each active '
    'member by members.Touch and members.TouchMany. No index has the time, and half of each page is free, so that an '
    'update stays on its page and writes no index (HOT).';

CREATE TABLE active_days (
    user_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- Of UTC.
    day      date NOT NULL,
    PRIMARY KEY (user_id, day)
);
COMMENT ON TABLE active_days IS
    'The days on which members were active, until the figures of the day have been stored; then a job deletes the rows. '
    'Written by a trigger once a day for each active member.';
CREATE INDEX active_days_day ON active_days (day);

-- +goose StatementBegin
CREATE FUNCTION member_activity_day_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO active_days (user_id, day)
    VALUES (NEW.user_id, (NEW.last_active_at AT TIME ZONE 'UTC')::date)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER member_activity_first_day AFTER INSERT ON member_activity
    FOR EACH ROW EXECUTE FUNCTION member_activity_day_changed();
CREATE TRIGGER member_activity_day AFTER UPDATE ON member_activity
    FOR EACH ROW
    WHEN ((OLD.last_active_at AT TIME ZONE 'UTC')::date IS DISTINCT FROM (NEW.last_active_at AT TIME ZONE 'UTC')::date)
    EXECUTE FUNCTION member_activity_day_changed();

CREATE TABLE files (
    -- The key of a blob is this id and a variant, so that an address says nothing about the owner or the
    -- original name.
    id            uuid PRIMARY KEY,
    owner_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- Of the original, from its content.
    content_type  text NOT NULL,
    -- Size of all variants, with the copy.
    bytes         bigint NOT NULL CHECK (bytes > 0),
    -- Pixels; NULL for a sound.
    width         integer,
    height        integer,
    -- Milliseconds; NULL for a picture.
    duration_ms   integer,
    -- 64 loudness values from 0 to 100 of a recording, drawn before it is fetched; empty otherwise.
    waveform      smallint[] NOT NULL DEFAULT '{}' CHECK (cardinality(waveform) <= 64),
    -- A small blurred picture as a data: URL; may be empty.
    placeholder   text NOT NULL DEFAULT '' CHECK (length(placeholder) <= 4000),
    -- Size of the MP4 copy of a recording that not every browser plays. Written by a job; NULL without a copy.
    copy_bytes    bigint CHECK (copy_bytes > 0),
    created_at    timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE files IS 'Files in the blob store. platform/blobs removes the blobs of deleted rows.';
CREATE INDEX files_owner ON files (owner_id, created_at);
CREATE TRIGGER files_deleted AFTER DELETE ON files
    FOR EACH ROW EXECUTE FUNCTION files_deleted();

-- Deletes accounts one at a time: the deletion of one changes rows that refer to another, and two at once would each wait
-- for a row of the other.
-- +goose StatementBegin
CREATE FUNCTION wait_for_user_deletions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('deletion of users', 0));
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_deleted_one_at_a_time BEFORE DELETE ON users
    FOR EACH STATEMENT EXECUTE FUNCTION wait_for_user_deletions();

CREATE TABLE member_media (
    file_id   uuid PRIMARY KEY REFERENCES files ON DELETE CASCADE,
    user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    slot      text NOT NULL CHECK (slot IN ('photo', 'header_banner', 'audio_greeting', 'video_greeting',
                  'gallery_image', 'gallery_video')),
    -- Order within the slot, from 1.
    position  smallint NOT NULL CHECK (position BETWEEN 1 AND 24),
    caption   text NOT NULL DEFAULT '' CHECK (length(caption) <= 200),
    -- An admin compared the photo with the selfie of a verification.
    compared  boolean NOT NULL DEFAULT false,
    -- A moderator accepted the photo, or it was added while new first photos were not reviewed. A first photo that is
    -- not accepted is hidden from others.
    accepted  boolean NOT NULL DEFAULT true,
    -- Checked at commit, so that one statement can change the order.
    CONSTRAINT member_media_position UNIQUE (user_id, slot, position) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT member_media_photos CHECK (slot <> 'photo' OR position <= 6),
    CONSTRAINT member_media_single CHECK (slot NOT IN ('header_banner', 'audio_greeting', 'video_greeting') OR position = 1)
);
COMMENT ON TABLE member_media IS 'Pictures and recordings of a profile.';

CREATE TABLE member_prompts (
    user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    position  smallint NOT NULL CHECK (position BETWEEN 1 AND 3),
    question  text NOT NULL CHECK (length(question) BETWEEN 1 AND 120),
    -- May be empty beside a recording.
    answer    text NOT NULL CHECK (length(answer) <= 250),
    -- The recorded answer; NULL without one.
    voice_id  uuid UNIQUE REFERENCES files ON DELETE CASCADE,
    PRIMARY KEY (user_id, position),
    CONSTRAINT member_prompts_answered CHECK (answer <> '' OR voice_id IS NOT NULL)
);
COMMENT ON TABLE member_prompts IS 'Up to three prompts of a profile, with the answers.';

CREATE TABLE town_changes (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The beginning of a visit, not a change of the own town.
    is_visit    boolean NOT NULL DEFAULT false,
    changed_at  timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE town_changes IS
    'Times at which a member changed the town, which is limited to a few a day, or began a visit, which is limited to a few '
    'a week: by moving freely a member could measure the positions of others. A job deletes rows after a day or a week.';
CREATE INDEX town_changes_user ON town_changes (user_id, changed_at);

CREATE TABLE system_settings (
    id             uuid PRIMARY KEY,
    setting_key    text NOT NULL UNIQUE,
    setting_value  jsonb NOT NULL,
    -- The admin; NULL for the initial value, or when that account was deleted.
    updated_by     uuid REFERENCES users ON DELETE SET NULL,
    updated_at     timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE system_settings IS 'Settings of the installation.';

-- The intention tags that members can choose: those of the sign-up and the pairs that complement each other in the
-- compatibility. "Spiritual connection" is the same choice as "Spiritual Connection".
INSERT INTO system_settings (id, setting_key, setting_value) VALUES (
    '019a0000-0000-7000-8000-000000000001', 'intention_tags',
    '["Long-term", "Long-term commitment", "Marriage", "Friendship", "Healing", "Still healing but open",
      "Spiritual Connection", "Personal growth", "Adventure together", "Travel companion"]'
);
-- members.SiteSettings describes the fields.
INSERT INTO system_settings (id, setting_key, setting_value) VALUES (
    '019a0000-0000-7000-8000-000000000002', 'site',
    '{"profileReview": false, "landing": "a", "filesPerDay": 30, "posesPerDay": 3}'
);

-- What other features may read of a member. It is the table without the address, the password, and what only search and
-- sign-in need.
CREATE VIEW profiles AS
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
        search_xid
    FROM users;

-- What signing in reads of a member.
CREATE VIEW credentials AS
    SELECT
        id            AS user_id,
        email,
        password_hash,
        is_admin,
        is_admin OR is_moderator AS is_staff,
        is_demo,
        profile_status,
        deletion_due_at
    FROM users;

-- What admins read of a member, without the profile's words, the password and the religion.
CREATE VIEW managed_members AS
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
        coalesce((SELECT a.last_active_at FROM member_activity a WHERE a.user_id = u.id), u.created_at) AS last_active_at
    FROM users u;

-- A file as other features may read it. bytes does not include the MP4 copy.
CREATE VIEW stored_files AS
    SELECT
        id,
        owner_id,
        content_type,
        bytes - coalesce(copy_bytes, 0) AS bytes,
        copy_bytes IS NOT NULL AS has_copy,
        width,
        height,
        duration_ms,
        waveform,
        placeholder,
        created_at
    FROM files;

-- The files of a profile: those of its slots, and the recorded answers, whose slot is 'prompt'.
CREATE VIEW profile_files AS
    SELECT
        user_id,
        file_id,
        slot,
        position
    FROM member_media
    UNION ALL
    SELECT
        user_id,
        voice_id,
        'prompt',
        position
    FROM member_prompts
    WHERE voice_id IS NOT NULL;

-- The pictures of a profile that others see.
CREATE VIEW shown_pictures AS
    SELECT
        user_id,
        file_id
    FROM member_media
    WHERE slot = 'gallery_image'
        OR slot = 'photo' AND (position > 1 OR accepted);

-- The pictures and recordings of a profile, and when they were added.
CREATE VIEW profile_media AS
    SELECT
        f.id         AS file_id,
        m.user_id,
        m.slot,
        f.created_at AS added_at
    FROM member_media m
    JOIN files f ON f.id = m.file_id;
