-- +goose Up
CREATE TABLE recovery_codes (
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- HMAC-SHA-256 with SECRET. The code itself is shown once. Its use deletes the row.
    code_mac    bytea NOT NULL CHECK (length(code_mac) = 32),
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, code_mac)
);
COMMENT ON TABLE recovery_codes IS
    'Unused codes of admins and moderators, each of which replaces the second factor once. New ones replace all.';

ALTER TABLE security_notices
    DROP CONSTRAINT security_notices_kind_check,
    ADD CONSTRAINT security_notices_kind_check CHECK (kind IN (
        'sign_in', 'password', 'passkey', 'email_change', 'email_wait', 'recovery_codes', 'recovery_used'));
COMMENT ON TABLE security_notices IS
    'Mails about a sign-in in a new browser, a new password, a new passkey, recovery codes or another address, with a link for a '
    'member who did not do this.';

-- The app has no texts for the events of recovery codes, which only admins and moderators have: they are mailed.
CREATE OR REPLACE VIEW security_events AS
    SELECT
        id,
        user_id,
        kind,
        created_at
    FROM security_notices
    WHERE kind NOT IN ('email_wait', 'recovery_codes', 'recovery_used');
