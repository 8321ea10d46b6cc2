-- +goose Up

-- Stored files and resumable uploads. platform/blobs removes the blobs of deleted rows.

CREATE TABLE files (
    -- The key of a blob is this id and a variant, so that an address says nothing about the owner or the
    -- original name.
    id            uuid PRIMARY KEY,
    owner_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- Of the original, from its content.
    content_type  text NOT NULL,
    -- Size of all variants, with the copy.
    bytes         bigint NOT NULL CHECK (bytes > 0),
    -- Pixels; NULL for a sound.
    width         integer,
    height        integer,
    -- Milliseconds; NULL for a picture.
    duration_ms   integer,
    -- 64 loudnesses of 0 to 100 of a recording, so that it is drawn before it is fetched; empty otherwise.
    waveform      smallint[] NOT NULL DEFAULT '{}' CHECK (cardinality(waveform) <= 64),
    -- A small blurred picture as a data: URL; may be empty.
    placeholder   text NOT NULL DEFAULT '' CHECK (length(placeholder) <= 4000),
    -- Size of the MP4 copy of a recording that not every browser plays. Written by a job; NULL without a copy.
    copy_bytes    bigint CHECK (copy_bytes > 0),
    created_at    timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE files IS
    'Files in the blob store. Inserted by members in the transaction that uses the file first.';
CREATE INDEX files_owner ON files (owner_id, created_at);
CREATE TRIGGER files_deleted AFTER DELETE ON files
    FOR EACH ROW EXECUTE FUNCTION files_deleted();

-- Deleting a file removes it from the profile.
ALTER TABLE member_media
    ADD CONSTRAINT member_media_file_id_fkey FOREIGN KEY (file_id) REFERENCES files ON DELETE CASCADE;

CREATE TABLE uploads (
    -- Also the id of the file that is made of the upload.
    id               uuid PRIMARY KEY,
    owner_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- For a message, or for the profile or verification of the owner. The two have limits of their own.
    purpose          text NOT NULL DEFAULT 'message',
    -- Bytes: the announced size, at most 25 MB, and how many have been received.
    length           bigint NOT NULL CHECK (length BETWEEN 1 AND 26214400),
    received         bigint NOT NULL DEFAULT 0,
    -- Claim of the call that makes the file, and its end; NULL while there is none.
    finishing        uuid,
    finishing_until  timestamptz,
    created_at       timestamptz NOT NULL DEFAULT now(),
    expires_at       timestamptz NOT NULL,
    CONSTRAINT uploads_purpose CHECK (purpose IN ('message', 'profile')),
    CONSTRAINT uploads_received CHECK (received BETWEEN 0 AND length)
);
COMMENT ON TABLE uploads IS
    'Files that are being uploaded. The parts may arrive far apart and at different nodes; the lock of the row decides '
    'between two calls that send the same part. While the row exists the file of the same id belongs to its owner alone, '
    'and a job deletes both when the row expires.';
CREATE INDEX uploads_owner ON uploads (owner_id);
CREATE INDEX uploads_expires ON uploads (expires_at);

CREATE TABLE upload_parts (
    -- Of the part's blob.
    id         uuid PRIMARY KEY,
    upload_id  uuid NOT NULL REFERENCES uploads ON DELETE CASCADE,
    -- Offset of the part in the file, in bytes.
    starts_at  bigint NOT NULL CHECK (starts_at >= 0),
    bytes      integer NOT NULL CHECK (bytes > 0),
    CONSTRAINT upload_parts_start UNIQUE (upload_id, starts_at)
);
COMMENT ON TABLE upload_parts IS
    'Received parts of uploads. The blob is written first; the row is inserted in the transaction that counts the part.';
CREATE TRIGGER upload_parts_deleted AFTER DELETE ON upload_parts
    FOR EACH ROW EXECUTE FUNCTION files_deleted();
