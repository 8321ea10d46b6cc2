-- +goose Up

-- Whether the member may be reminded by mail of the guided first run. Its link turns it off.
ALTER TABLE notification_settings
    ADD COLUMN start_reminder boolean NOT NULL DEFAULT true;

-- The members who want no reminder of the guided first run.
CREATE VIEW members_without_start_reminders AS
    SELECT user_id
    FROM notification_settings
    WHERE NOT start_reminder;
