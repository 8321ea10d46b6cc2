-- +goose Up

-- Resumable uploads. message_files is in 00107_messaging.sql, because it refers to messages.

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

-- Uploads that are not sent yet. Only their owner may open the files.
CREATE VIEW unsent_files AS
    SELECT id AS file_id, owner_id
    FROM uploads
    WHERE expires_at > now();
