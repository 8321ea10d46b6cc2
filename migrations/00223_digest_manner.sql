-- +goose Up

-- Who wants the weekly digest and the community in it, and how it is written. Without a row, the defaults of the columns apply.
CREATE OR REPLACE VIEW digest_settings AS
    SELECT
        user_id,
        digest AS wants_digest,
        community AS wants_community,
        time_zone,
        private_mail AS is_private,
        discreet_mail AS is_discreet
    FROM notification_settings;
