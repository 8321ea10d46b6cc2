-- +goose Up

-- Devices for push, and what their members want to be notified of.

CREATE TABLE push_subscriptions (
    id          uuid PRIMARY KEY,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The session of the device. Signing out deletes the subscription.
    session_id  uuid REFERENCES sessions ON DELETE CASCADE,
    -- Address at the push service, and the device's keys for Web Push.
    endpoint    text NOT NULL UNIQUE CHECK (length(endpoint) <= 1000),
    p256dh      text NOT NULL CHECK (length(p256dh) <= 200),
    auth        text NOT NULL CHECK (length(auth) <= 100),
    -- What is pushed to the device; NULL for all that its member has enabled.
    categories  text[] CHECK (categories <@ ARRAY['messages', 'matches', 'likes', 'community', 'graduation', 'badges', 'digest', 'pulse']),
    -- Whether pushes name people and have texts, which a locked device may show to anyone. Off at first on a device
    -- that several members use.
    shows_content boolean NOT NULL DEFAULT true,
    created_at  timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE push_subscriptions IS
    'Devices that receive pushes. A job deletes those that the push service no longer knows.';
CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id);
CREATE INDEX push_subscriptions_session ON push_subscriptions (session_id);

CREATE TABLE notification_settings (
    user_id                      uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,

    -- Categories of notifications.
    messages                     boolean NOT NULL DEFAULT true,
    matches                      boolean NOT NULL DEFAULT true,
    likes                        boolean NOT NULL DEFAULT true,
    community                    boolean NOT NULL DEFAULT true,
    graduation                   boolean NOT NULL DEFAULT true,
    badges                       boolean NOT NULL DEFAULT true,
    digest                       boolean NOT NULL DEFAULT true,
    -- A daily reminder to write a Love Pulse.
    pulse                        boolean NOT NULL DEFAULT false,
    voice_message_notifications  boolean NOT NULL DEFAULT true,
    video_message_notifications  boolean NOT NULL DEFAULT true,
    sound                        boolean NOT NULL DEFAULT true,
    vibration                    boolean NOT NULL DEFAULT true,

    -- Quiet hours, from and to HH:MM in the time zone (IANA name); NULL for none.
    quiet_from                   text CHECK (quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
    quiet_to                     text CHECK (quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
    time_zone                    text NOT NULL DEFAULT 'UTC' CHECK (length(time_zone) <= 64),

    -- When the reminder of the Love Pulse comes, HH:MM in the time zone.
    pulse_time                   text NOT NULL DEFAULT '20:00' CHECK (pulse_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
    -- The time of the next reminder; NULL without. Written with the settings and by the job that reminds.
    pulse_next_at                timestamptz,
    -- The last date, in the time zone, of which the job has reminded; NULL before the first.
    pulse_reminded_on            date,

    -- Media playback on all devices.
    autoplay_voice               boolean NOT NULL DEFAULT true,
    autoplay_video               boolean NOT NULL DEFAULT false,
    download_for_offline         boolean NOT NULL DEFAULT true,
    high_quality_media           boolean NOT NULL DEFAULT true,

    -- Likes up to this time were pushed. Written by the job that pushes them.
    likes_notified_at            timestamptz NOT NULL DEFAULT '-infinity',
    updated_at                   timestamptz NOT NULL DEFAULT now(),

    CONSTRAINT notification_settings_quiet CHECK (
        (quiet_from IS NULL AND quiet_to IS NULL)
        OR (quiet_from IS NOT NULL AND quiet_to IS NOT NULL AND quiet_from <> quiet_to)),
    CONSTRAINT notification_settings_pulse CHECK (pulse = (pulse_next_at IS NOT NULL))
);
COMMENT ON TABLE notification_settings IS
    'Settings of notifications and of media playback. Without a row, the defaults of the columns apply.';

CREATE INDEX notification_settings_pulse_due ON notification_settings (pulse_next_at) WHERE pulse_next_at IS NOT NULL;

-- Members who can get a push: a row for each device.
CREATE VIEW members_with_devices AS
    SELECT user_id
    FROM push_subscriptions;

-- Who wants the weekly digest and the community in it, and the time zone of its times. Without a row, the defaults of the columns apply.
CREATE VIEW digest_settings AS
    SELECT
        user_id,
        digest AS wants_digest,
        community AS wants_community,
        time_zone
    FROM notification_settings;

-- The time zone of each member who has chosen one, or whose device has; others have UTC.
CREATE VIEW member_zones AS
    SELECT
        user_id,
        time_zone
    FROM notification_settings;
