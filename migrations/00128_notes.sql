-- +goose Up
CREATE TABLE match_notes (
    member_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The match whom it is about.
    about_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- Empty for a note that was deleted, so that an older edit of another device does not bring it back.
    content    text NOT NULL CHECK (length(content) <= 500),
    -- When the member wrote it.
    edited_at  timestamptz NOT NULL,
    PRIMARY KEY (member_id, about_id),
    CONSTRAINT match_notes_self CHECK (member_id <> about_id)
);
COMMENT ON TABLE match_notes IS
    'What a member wrote for oneself alone about a match. It stays after an unmatch or a block.';
CREATE INDEX match_notes_about ON match_notes (about_id);
