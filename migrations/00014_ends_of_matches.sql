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

-- Conversations with whoever is suspended or under review are hidden until they
-- are back: their devices learn of it by the same way as of a message.
-- +goose StatementBegin
CREATE FUNCTION users_status_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE conversations SET changed_xid = pg_current_xact_id() WHERE NEW.id IN (user_a, user_b);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_status AFTER UPDATE OF profile_status ON users FOR EACH ROW
    WHEN (OLD.profile_status IS DISTINCT FROM NEW.profile_status) EXECUTE FUNCTION users_status_changed();

-- Evidence that is to be forgotten, in time.
CREATE INDEX reports_evidence ON reports (reviewed_at) WHERE evidence <> '{}' AND status <> 'pending';

-- +goose Down
DROP INDEX reports_evidence;
DROP TRIGGER users_status ON users;
DROP FUNCTION users_status_changed;
DROP TABLE passes_taken_back;
ALTER TABLE user_passes DROP COLUMN client_id;
