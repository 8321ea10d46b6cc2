-- +goose Up

-- What lasts after the account of a banned member ends, so that the ban cannot be evaded by a new account.

CREATE TABLE bans (
    id           uuid PRIMARY KEY,
    -- NULL when the account was deleted.
    user_id      uuid UNIQUE REFERENCES users ON DELETE SET NULL,
    -- HMAC of the mailbox at the time of the ban. The address itself is not stored.
    address_mac  bytea NOT NULL CHECK (length(address_mac) = 32),
    -- The member was banned because of the age.
    not_of_age   boolean NOT NULL DEFAULT false,
    created_at   timestamptz NOT NULL DEFAULT now(),
    -- Three years after the ban. A job then deletes the row.
    expires_at   timestamptz NOT NULL
);
COMMENT ON TABLE bans IS
    'Members who are suspended without an end, and former members who were. Deleted when the suspension ends.';
CREATE INDEX bans_address ON bans (address_mac);
CREATE INDEX bans_expires ON bans (expires_at);

CREATE TABLE banned_photos (
    ban_id  uuid NOT NULL REFERENCES bans ON DELETE CASCADE,
    -- images.Fingerprint of a photo. Comparing it reads the whole table, in a job.
    hash    bigint NOT NULL,
    PRIMARY KEY (ban_id, hash)
);
COMMENT ON TABLE banned_photos IS
    'Perceptual hashes of the photos that a member had when they were banned.';
