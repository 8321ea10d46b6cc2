-- +goose Up

-- A digest to an address that takes no such mail is skipped: the mail server refused nothing.
ALTER TABLE digest_mails DROP CONSTRAINT digest_mails_reason_check;
ALTER TABLE digest_mails ADD CONSTRAINT digest_mails_reason_check
    CHECK (reason IN ('not_active', 'graduated', 'paused', 'opted_out', 'inactive', 'new_member', 'nothing_new', 'withheld',
        'refused', 'unavailable', 'interrupted', 'expired')) NOT VALID;
ALTER TABLE digest_mails VALIDATE CONSTRAINT digest_mails_reason_check;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
