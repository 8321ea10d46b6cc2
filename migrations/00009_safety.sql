-- +goose Up

-- Blocks. A block hides both members from each other.
CREATE TABLE blocks (
    blocker_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    blocked_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (blocker_id, blocked_id),
    CHECK (blocker_id <> blocked_id)
);
CREATE INDEX blocks_blocked ON blocks (blocked_id, blocker_id);
CREATE INDEX blocks_newest ON blocks (blocker_id, created_at DESC, blocked_id DESC);

-- Reports about members. The evidence (the profile at the time, the last 50
-- messages) is a copy, so that unmatching and deleting do not remove it; a job
-- deletes it 90 days after the report is closed.
CREATE TABLE reports (
    id                uuid PRIMARY KEY,
    reporter_id       uuid REFERENCES users ON DELETE SET NULL,
    reported_user_id  uuid REFERENCES users ON DELETE SET NULL,
    reason            text NOT NULL CHECK (reason IN ('underage', 'threat', 'assault', 'nonconsensual_images', 'scam',
                          'hate', 'harassment', 'fake_profile', 'not_single', 'inappropriate', 'spam', 'other')),
    description       text NOT NULL DEFAULT '' CHECK (length(description) <= 2000),
    place             text NOT NULL CHECK (place IN ('card', 'profile', 'match', 'conversation', 'likes')),
    priority          smallint NOT NULL CHECK (priority BETWEEN 0 AND 2), -- 0 within 1 h, 1 within 24 h, 2 within 72 h
    queued            boolean NOT NULL DEFAULT false, -- one of many by the same reporter: looked at last
    status            text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'reviewed', 'resolved')),
    evidence          jsonb NOT NULL DEFAULT '{}',
    created_at        timestamptz NOT NULL DEFAULT now(),
    reviewed_by       uuid REFERENCES users ON DELETE SET NULL,
    reviewed_at       timestamptz,
    action_taken      text CHECK (length(action_taken) <= 200)
);
CREATE INDEX reports_open ON reports (queued, priority, created_at, id) WHERE status = 'pending';
CREATE INDEX reports_reporter ON reports (reporter_id, created_at DESC);
CREATE INDEX reports_reported ON reports (reported_user_id, created_at DESC);
CREATE INDEX reports_reviewed_by ON reports (reviewed_by) WHERE reviewed_by IS NOT NULL;

-- What admins did, for ever: rows are added and never changed or deleted.
CREATE TABLE audit_log (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    admin_id    uuid NOT NULL, -- no foreign key: the row outlives the account
    action      text NOT NULL CHECK (length(action) BETWEEN 1 AND 100),
    subject_id  uuid,
    reason      text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
    detail      jsonb NOT NULL DEFAULT '{}',
    created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX audit_log_subject ON audit_log (subject_id, id DESC);

-- +goose StatementBegin
CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_log is append-only';
END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();

-- What a like is about, and a few words with it.
ALTER TABLE user_likes
    ADD COLUMN comment text NOT NULL DEFAULT '' CHECK (length(comment) <= 300),
    ADD COLUMN photo_id uuid REFERENCES files ON DELETE SET NULL,
    ADD COLUMN prompt text CHECK (length(prompt) <= 120),
    ADD CONSTRAINT user_likes_one_thing CHECK (photo_id IS NULL OR prompt IS NULL);
CREATE INDEX user_likes_photo ON user_likes (photo_id) WHERE photo_id IS NOT NULL;
DROP INDEX user_likes_to;
CREATE INDEX user_likes_to ON user_likes (to_user_id, created_at DESC, id DESC);
CREATE INDEX user_passes_newest ON user_passes (from_user_id, created_at DESC, to_user_id DESC);

-- +goose Down
DROP INDEX user_passes_newest;
DROP INDEX user_likes_to;
CREATE INDEX user_likes_to ON user_likes (to_user_id, created_at DESC);
ALTER TABLE user_likes DROP COLUMN comment, DROP COLUMN photo_id, DROP COLUMN prompt;
DROP TABLE audit_log, reports, blocks;
DROP FUNCTION audit_log_is_append_only;
