-- +goose Up

-- Bans last two years. Older rows were stored with three.
UPDATE bans
SET expires_at = created_at + interval '730 days'
WHERE expires_at > created_at + interval '730 days';

ALTER TABLE banned_photos
    -- How the hash was made; only hashes of the same algorithm and version are compared. Those from before this
    -- migration are not keyed.
    ADD COLUMN algorithm text NOT NULL DEFAULT 'dhash/1' CHECK (length(algorithm) BETWEEN 1 AND 40);
ALTER TABLE banned_photos ALTER COLUMN algorithm DROP DEFAULT;

-- What a member leaves who deletes the account before the moderators have decided on a report, so that a ban is still possible.

CREATE TABLE departed_members (
    id           uuid PRIMARY KEY,
    -- NULL when the account is deleted, which follows at once.
    user_id      uuid UNIQUE REFERENCES users ON DELETE SET NULL,
    -- HMAC of the mailbox for the purpose of bans. The address itself is not stored.
    address_mac  bytea NOT NULL CHECK (length(address_mac) = 32),
    created_at   timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE departed_members IS
    'Former members about whom a report is pending. Deleted with the decision on the last of these reports, and 180 days '
    'after the account at the latest.';
CREATE INDEX departed_members_created ON departed_members (created_at);

CREATE TABLE departed_photos (
    departed_id  uuid NOT NULL REFERENCES departed_members ON DELETE CASCADE,
    -- As those of banned_photos.
    hash         bigint NOT NULL,
    algorithm    text NOT NULL CHECK (length(algorithm) BETWEEN 1 AND 40),
    PRIMARY KEY (departed_id, hash)
);
COMMENT ON TABLE departed_photos IS
    'Keyed perceptual hashes of the photos of former members about whom a report is pending.';

ALTER TABLE reports
    -- The former member, while the report is pending; NULL if the account exists, and if nothing is kept.
    ADD COLUMN departed_id uuid;
ALTER TABLE reports ADD CONSTRAINT reports_departed FOREIGN KEY (departed_id) REFERENCES departed_members ON DELETE SET NULL NOT VALID;
ALTER TABLE reports VALIDATE CONSTRAINT reports_departed;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
