-- +goose Up

-- What a mail shows to those who see the member's mailbox or locked device.

ALTER TABLE notification_settings
    -- Mails have no names and nothing that a person wrote.
    ADD COLUMN private_mail  boolean NOT NULL DEFAULT false,
    -- The sender's name, the subject and the preview of mails do not tell what they are about.
    ADD COLUMN discreet_mail boolean NOT NULL DEFAULT false;

-- How mails to a member are written. Without a row, the defaults of the columns apply.
CREATE VIEW mail_settings AS
    SELECT
        user_id,
        time_zone,
        private_mail AS is_private,
        discreet_mail AS is_discreet
    FROM notification_settings;
