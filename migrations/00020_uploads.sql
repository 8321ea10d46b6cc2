-- +goose Up

-- Files on their way to a message, which come in parts that may be far apart and
-- to different servers. How much has come is the row's; its lock decides between
-- two that send the same part. The file made of it has the upload's id: while
-- this row is there as well it is its owner's alone, and goes when the row
-- expires. finishing is who makes the file just now, until finishing_until.
CREATE TABLE uploads (
    id               uuid PRIMARY KEY,
    owner_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    length           bigint NOT NULL CHECK (length BETWEEN 1 AND 26214400),
    received         bigint NOT NULL DEFAULT 0 CHECK (received BETWEEN 0 AND length),
    finishing        uuid,
    finishing_until  timestamptz,
    created_at       timestamptz NOT NULL DEFAULT now(),
    expires_at       timestamptz NOT NULL
);
CREATE INDEX uploads_owner ON uploads (owner_id);
CREATE INDEX uploads_expires ON uploads (expires_at);

-- The received parts, each of which is a blob. The blob is written first; the
-- row is inserted in the transaction that counts the part.
CREATE TABLE upload_parts (
    id         uuid PRIMARY KEY, -- of the blob
    upload_id  uuid NOT NULL REFERENCES uploads ON DELETE CASCADE,
    starts_at  bigint NOT NULL CHECK (starts_at >= 0),
    bytes      integer NOT NULL CHECK (bytes > 0),
    CONSTRAINT upload_parts_place UNIQUE (upload_id, starts_at)
);
CREATE TRIGGER upload_parts_deleted AFTER DELETE ON upload_parts FOR EACH ROW EXECUTE FUNCTION files_deleted();

-- A recording that not every browser plays has a copy as MP4, counted in bytes.
ALTER TABLE files ADD COLUMN copy_bytes bigint CHECK (copy_bytes > 0);

-- +goose Down
ALTER TABLE files DROP COLUMN copy_bytes;
DELETE FROM upload_parts; -- names their blobs for removal
DROP TABLE upload_parts, uploads;
