-- +goose Up

-- A comment that the message filter notices waits for a moderator, and its author may change it for ten minutes. The
-- database holds that a reply belongs to a comment of the same post, which is not a reply itself.

ALTER TABLE post_comments
    DROP CONSTRAINT post_comments_status_check,
    ADD CONSTRAINT post_comments_status_check CHECK (status IN ('pending', 'approved', 'hidden')),
    -- Rises with each edit. A moderator decides on the version that they have read.
    ADD COLUMN version   integer NOT NULL DEFAULT 1 CHECK (version > 0),
    -- The last edit; NULL without one.
    ADD COLUMN edited_at timestamptz,
    ADD COLUMN is_reply  boolean GENERATED ALWAYS AS (parent_id IS NOT NULL) STORED,
    -- False for a reply and NULL for others: the value of is_reply that the parent must have.
    ADD COLUMN parent_is_reply boolean GENERATED ALWAYS AS (CASE WHEN parent_id IS NOT NULL THEN false END) STORED,
    DROP CONSTRAINT post_comments_parent_id_fkey,
    ADD CONSTRAINT post_comments_level UNIQUE (id, post_id, is_reply),
    ADD CONSTRAINT post_comments_parent FOREIGN KEY (parent_id, post_id, parent_is_reply)
        REFERENCES post_comments (id, post_id, is_reply) ON DELETE CASCADE;

UPDATE post_comments SET status = 'pending' WHERE deleted_at IS NULL AND flag IS NOT NULL AND decided_at IS NULL;

DROP INDEX post_comments_flagged;
CREATE INDEX post_comments_pending ON post_comments (created_at DESC, id DESC) WHERE deleted_at IS NULL AND status = 'pending';

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
