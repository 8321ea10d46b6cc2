-- +goose Up

-- A pass has the id that the device gave it, so that the same call again does
-- not start the 30 days anew, and a pass that arrives after its own taking back
-- does nothing. The notes of what was taken back are cleaned up after a week.
ALTER TABLE user_passes ADD COLUMN client_id uuid;
CREATE TABLE passes_taken_back (
    from_user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    client_id      uuid NOT NULL,
    taken_back_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (from_user_id, client_id)
);
CREATE INDEX passes_taken_back_at ON passes_taken_back (taken_back_at);

-- +goose Down
DROP TABLE passes_taken_back;
ALTER TABLE user_passes DROP COLUMN client_id;
