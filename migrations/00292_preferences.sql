-- +goose Up

-- The settings of notifications and of media playback become one document, so that a new setting needs no column. Keys are
-- the names in the API; Defaults in api/notifications/settings.go says what a missing key means.

ALTER TABLE notification_settings
    ADD COLUMN preferences jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(preferences) = 'object');

UPDATE notification_settings
SET preferences = jsonb_build_object(
    'messages', messages,
    'matches', matches,
    'likes', likes,
    'community', community,
    'graduation', graduation,
    'startReminder', start_reminder,
    'badges', badges,
    'digest', digest,
    'pulse', pulse,
    'pulseTime', pulse_time,
    'sound', sound,
    'vibration', vibration,
    'quietFrom', quiet_from,
    'quietTo', quiet_to,
    'timeZone', time_zone,
    'privateMail', private_mail,
    'discreetMail', discreet_mail,
    'autoplayVoice', autoplay_voice,
    'autoplayVideo', autoplay_video,
    'downloadForOffline', download_for_offline,
    'highQualityMedia', high_quality_media,
    'voiceMessageNotifications', voice_message_notifications,
    'videoMessageNotifications', video_message_notifications);

-- The views for other features. Their defaults are those of Defaults.

CREATE OR REPLACE VIEW digest_settings AS
    SELECT
        user_id,
        coalesce((preferences ->> 'digest')::boolean, true) AS wants_digest,
        coalesce((preferences ->> 'community')::boolean, true) AS wants_community,
        coalesce(preferences ->> 'timeZone', 'UTC') AS time_zone,
        coalesce((preferences ->> 'privateMail')::boolean, false) AS is_private,
        coalesce((preferences ->> 'discreetMail')::boolean, false) AS is_discreet
    FROM notification_settings;

CREATE OR REPLACE VIEW mail_settings AS
    SELECT
        user_id,
        coalesce(preferences ->> 'timeZone', 'UTC') AS time_zone,
        coalesce((preferences ->> 'privateMail')::boolean, false) AS is_private,
        coalesce((preferences ->> 'discreetMail')::boolean, false) AS is_discreet
    FROM notification_settings;

CREATE OR REPLACE VIEW member_zones AS
    SELECT
        user_id,
        coalesce(preferences ->> 'timeZone', 'UTC') AS time_zone
    FROM notification_settings;

CREATE OR REPLACE VIEW members_without_graduation_mails AS
    SELECT user_id
    FROM notification_settings
    WHERE preferences @> '{"graduation": false}';

CREATE OR REPLACE VIEW members_without_start_reminders AS
    SELECT user_id
    FROM notification_settings
    WHERE preferences @> '{"startReminder": false}';

ALTER TABLE notification_settings
    DROP CONSTRAINT notification_settings_quiet,
    DROP CONSTRAINT notification_settings_pulse,
    DROP COLUMN messages,
    DROP COLUMN matches,
    DROP COLUMN likes,
    DROP COLUMN community,
    DROP COLUMN graduation,
    DROP COLUMN start_reminder,
    DROP COLUMN badges,
    DROP COLUMN digest,
    DROP COLUMN pulse,
    DROP COLUMN pulse_time,
    DROP COLUMN sound,
    DROP COLUMN vibration,
    DROP COLUMN quiet_from,
    DROP COLUMN quiet_to,
    DROP COLUMN time_zone,
    DROP COLUMN private_mail,
    DROP COLUMN discreet_mail,
    DROP COLUMN autoplay_voice,
    DROP COLUMN autoplay_video,
    DROP COLUMN download_for_offline,
    DROP COLUMN high_quality_media,
    DROP COLUMN voice_message_notifications,
    DROP COLUMN video_message_notifications,
    -- HH:MM. A comparison with a missing key or null is NULL, which a check accepts.
    ADD CONSTRAINT notification_settings_clocks CHECK (
        (preferences ->> 'quietFrom') ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
        AND (preferences ->> 'quietTo') ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
        AND (preferences ->> 'pulseTime') ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
    ADD CONSTRAINT notification_settings_quiet CHECK (
        ((preferences ->> 'quietFrom') IS NULL) = ((preferences ->> 'quietTo') IS NULL)
        AND (preferences ->> 'quietFrom') <> (preferences ->> 'quietTo')),
    ADD CONSTRAINT notification_settings_zone CHECK (length(preferences ->> 'timeZone') <= 64),
    ADD CONSTRAINT notification_settings_pulse CHECK (preferences @> '{"pulse": true}' = (pulse_next_at IS NOT NULL));

COMMENT ON COLUMN notification_settings.preferences IS
    'Preferences of api/notifications/settings.go, and startReminder: whether the member may be reminded by mail of the guided first run. A missing key has its default.';
COMMENT ON TABLE notification_settings IS
    'Settings of notifications and of media playback. Without a row, the defaults apply.';

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
