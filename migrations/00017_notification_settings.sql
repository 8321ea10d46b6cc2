-- +goose Up

-- A member's settings of notifications and of media playback. Without a row, the
-- columns' defaults apply.
CREATE TABLE notification_settings (
    user_id                      uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    messages                     boolean NOT NULL DEFAULT true,
    matches                      boolean NOT NULL DEFAULT true,
    likes                        boolean NOT NULL DEFAULT true,
    community                    boolean NOT NULL DEFAULT true,
    graduation                   boolean NOT NULL DEFAULT true,
    badges                       boolean NOT NULL DEFAULT true,
    digest                       boolean NOT NULL DEFAULT true,
    sound                        boolean NOT NULL DEFAULT true,
    vibration                    boolean NOT NULL DEFAULT true,
    quiet_from                   text CHECK (quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'), -- by the clock of time_zone
    quiet_to                     text CHECK (quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
    time_zone                    text NOT NULL DEFAULT 'UTC' CHECK (length(time_zone) <= 64),
    autoplay_voice               boolean NOT NULL DEFAULT true,
    autoplay_video               boolean NOT NULL DEFAULT false,
    download_for_offline         boolean NOT NULL DEFAULT true,
    high_quality_media           boolean NOT NULL DEFAULT true,
    voice_message_notifications  boolean NOT NULL DEFAULT true,
    video_message_notifications  boolean NOT NULL DEFAULT true,
    likes_notified_at            timestamptz NOT NULL DEFAULT '-infinity', -- likes up to here were pushed
    updated_at                   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT notification_settings_quiet CHECK (
        (quiet_from IS NULL AND quiet_to IS NULL) OR (quiet_from IS NOT NULL AND quiet_to IS NOT NULL AND quiet_from <> quiet_to))
);

-- The categories of pushes to a device; null for all that its member has
-- enabled.
ALTER TABLE push_subscriptions ADD COLUMN categories text[]
    CHECK (categories <@ ARRAY['messages', 'matches', 'likes', 'community', 'graduation', 'badges', 'digest']);

-- +goose Down
ALTER TABLE push_subscriptions DROP COLUMN categories;
DROP TABLE notification_settings;
