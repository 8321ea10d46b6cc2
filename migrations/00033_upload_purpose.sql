-- +goose Up

-- What an upload is for: the file of a message, or a picture or recording of the
-- owner's profile or verification. The two have limits of their own.
ALTER TABLE uploads ADD COLUMN purpose text NOT NULL DEFAULT 'message';
ALTER TABLE uploads ADD CONSTRAINT uploads_purpose CHECK (purpose IN ('message', 'profile')) NOT VALID;
ALTER TABLE uploads VALIDATE CONSTRAINT uploads_purpose;

-- +goose Down
ALTER TABLE uploads DROP COLUMN purpose;
