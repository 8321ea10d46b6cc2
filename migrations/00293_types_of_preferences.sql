-- +goose NO TRANSACTION
-- +goose Up

-- The known keys of the settings have the types that the API and the views read. Other keys stay allowed: while a new version
-- is deployed, the version before reads and merges documents with keys that it does not know. A key that is missing is NULL
-- here, which a check accepts. The rows are checked without the lock that adding the constraint takes, so not in one
-- transaction.
ALTER TABLE notification_settings
    DROP CONSTRAINT IF EXISTS notification_settings_types;
ALTER TABLE notification_settings
    ADD CONSTRAINT notification_settings_types CHECK (
        jsonb_typeof(preferences -> 'messages') = 'boolean'
        AND jsonb_typeof(preferences -> 'matches') = 'boolean'
        AND jsonb_typeof(preferences -> 'likes') = 'boolean'
        AND jsonb_typeof(preferences -> 'community') = 'boolean'
        AND jsonb_typeof(preferences -> 'graduation') = 'boolean'
        AND jsonb_typeof(preferences -> 'startReminder') = 'boolean'
        AND jsonb_typeof(preferences -> 'badges') = 'boolean'
        AND jsonb_typeof(preferences -> 'digest') = 'boolean'
        AND jsonb_typeof(preferences -> 'pulse') = 'boolean'
        AND jsonb_typeof(preferences -> 'pulseTime') = 'string'
        AND jsonb_typeof(preferences -> 'sound') = 'boolean'
        AND jsonb_typeof(preferences -> 'vibration') = 'boolean'
        AND jsonb_typeof(preferences -> 'quietFrom') IN ('string', 'null')
        AND jsonb_typeof(preferences -> 'quietTo') IN ('string', 'null')
        AND jsonb_typeof(preferences -> 'timeZone') = 'string'
        AND jsonb_typeof(preferences -> 'privateMail') = 'boolean'
        AND jsonb_typeof(preferences -> 'discreetMail') = 'boolean'
        AND jsonb_typeof(preferences -> 'autoplayVoice') = 'boolean'
        AND jsonb_typeof(preferences -> 'autoplayVideo') = 'boolean'
        AND jsonb_typeof(preferences -> 'downloadForOffline') = 'boolean'
        AND jsonb_typeof(preferences -> 'highQualityMedia') = 'boolean'
        AND jsonb_typeof(preferences -> 'voiceMessageNotifications') = 'boolean'
        AND jsonb_typeof(preferences -> 'videoMessageNotifications') = 'boolean') NOT VALID;
ALTER TABLE notification_settings
    VALIDATE CONSTRAINT notification_settings_types;
