-- +goose Up

-- A member's name, answers and standing. Ids are UUIDv7 made by the server.
CREATE TABLE users (
    id                uuid PRIMARY KEY,
    email             text NOT NULL CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
    password_hash     text,
    full_name         text NOT NULL CHECK (length(full_name) BETWEEN 1 AND 100),
    first_name        text NOT NULL CHECK (length(first_name) BETWEEN 1 AND 100),
    last_name         text NOT NULL DEFAULT '' CHECK (length(last_name) <= 100),
    -- The sign-up asks for an age or a birth date. Given an age, the date is
    -- set so that the age is right today and grows by one each year.
    birth_date        date NOT NULL,
    birth_date_exact  boolean NOT NULL DEFAULT false,
    gender            text CHECK (gender IN ('woman', 'man', 'nonbinary', 'other')),
    interested_in     text[] NOT NULL DEFAULT '{}' CHECK (interested_in <@ ARRAY['woman', 'man', 'nonbinary', 'other']),
    height_cm         smallint CHECK (height_cm BETWEEN 90 AND 250),
    city              text NOT NULL DEFAULT '' CHECK (length(city) <= 100),
    state             text NOT NULL DEFAULT '' CHECK (length(state) <= 100),
    intention_tags    text[] NOT NULL DEFAULT '{}' CHECK (cardinality(intention_tags) <= 10),
    bio               text NOT NULL DEFAULT '' CHECK (length(bio) <= 1000),
    love_reflection   text NOT NULL DEFAULT '' CHECK (length(love_reflection) <= 500),
    has_children      boolean,
    wants_children    boolean,
    education         text CHECK (education IN ('high_school', 'some_college', 'bachelors', 'masters', 'doctorate')),
    occupation        text NOT NULL DEFAULT '' CHECK (length(occupation) <= 100),
    religion          text CHECK (religion IN ('christian', 'jewish', 'muslim', 'hindu', 'buddhist', 'spiritual', 'agnostic', 'atheist', 'other')),
    is_graduated      boolean NOT NULL DEFAULT false,
    is_approved       boolean NOT NULL DEFAULT true,
    is_featured       boolean NOT NULL DEFAULT false,
    is_admin          boolean NOT NULL DEFAULT false,
    is_demo           boolean NOT NULL DEFAULT false,
    profile_status    text NOT NULL DEFAULT 'active' CHECK (profile_status IN ('active', 'suspended', 'under_review')),
    verified_at       timestamptz,
    premium_until     timestamptz,
    referral_code     text NOT NULL UNIQUE CHECK (length(referral_code) BETWEEN 6 AND 20),
    honor_code_at     timestamptz NOT NULL DEFAULT now(),
    last_active_at    timestamptz NOT NULL DEFAULT now(),
    created_at        timestamptz NOT NULL DEFAULT now(),
    updated_at        timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_email_key UNIQUE (email),
    CONSTRAINT users_adult CHECK (birth_date <= (created_at AT TIME ZONE 'UTC')::date - interval '18 years' + interval '1 day')
);
-- Discovery reads those who may be shown, by age.
CREATE INDEX users_shown ON users (birth_date) WHERE profile_status = 'active' AND is_approved AND NOT is_graduated;

-- Three short answers of the member's choice.
CREATE TABLE member_prompts (
    user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    position  smallint NOT NULL CHECK (position BETWEEN 1 AND 3),
    question  text NOT NULL CHECK (length(question) BETWEEN 1 AND 120),
    answer    text NOT NULL CHECK (length(answer) BETWEEN 1 AND 250),
    PRIMARY KEY (user_id, position)
);

-- What is stored in the blob store. The blob's key is the id and a variant, so
-- nothing about the owner or the original file's name is in an address.
CREATE TABLE files (
    id            uuid PRIMARY KEY,
    owner_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    content_type  text NOT NULL,
    bytes         bigint NOT NULL CHECK (bytes > 0),
    width         integer,
    height        integer,
    duration_ms   integer,
    placeholder   text NOT NULL DEFAULT '' CHECK (length(placeholder) <= 4000), -- data: URL, blurred
    created_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX files_owner ON files (owner_id, created_at);

-- The pictures and recordings of a profile. Position is unique within a slot
-- and checked at commit, so that a new order is one statement.
CREATE TABLE member_media (
    file_id   uuid PRIMARY KEY REFERENCES files ON DELETE CASCADE,
    user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    slot      text NOT NULL CHECK (slot IN ('photo', 'header_banner', 'audio_greeting', 'video_greeting', 'gallery_image', 'gallery_video')),
    position  smallint NOT NULL CHECK (position BETWEEN 1 AND 24),
    caption   text NOT NULL DEFAULT '' CHECK (length(caption) <= 200),
    CONSTRAINT member_media_place UNIQUE (user_id, slot, position) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT member_media_photos CHECK (slot <> 'photo' OR position <= 6),
    CONSTRAINT member_media_single CHECK (slot NOT IN ('header_banner', 'audio_greeting', 'video_greeting') OR position = 1)
);

-- What admins set; the intention tags are the first.
CREATE TABLE system_settings (
    id             uuid PRIMARY KEY,
    setting_key    text NOT NULL UNIQUE,
    setting_value  jsonb NOT NULL,
    updated_by     uuid REFERENCES users ON DELETE SET NULL,
    updated_at     timestamptz NOT NULL DEFAULT now()
);

-- +goose Down
DROP TABLE system_settings, member_media, files, member_prompts, users;
