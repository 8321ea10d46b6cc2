-- +goose Up

-- A pass has an id that the device chose, so that a repeated call does not
-- restart the 30 days, and a pass that arrives after its own undo does nothing.
-- Undone ids are deleted after a week.
ALTER TABLE user_passes ADD COLUMN client_id uuid;
CREATE TABLE passes_taken_back (
    from_user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    client_id      uuid NOT NULL,
    taken_back_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (from_user_id, client_id)
);
CREATE INDEX passes_taken_back_at ON passes_taken_back (taken_back_at);

-- Conversations with a member who is suspended or under review are hidden
-- meanwhile. Devices sync this like a new message.
-- +goose StatementBegin
CREATE FUNCTION users_status_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE conversations SET changed_xid = pg_current_xact_id() WHERE NEW.id IN (user_a, user_b);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_status AFTER UPDATE OF profile_status ON users FOR EACH ROW
    WHEN (OLD.profile_status IS DISTINCT FROM NEW.profile_status) EXECUTE FUNCTION users_status_changed();

-- Evidence of closed reports, which a job deletes after 90 days.
CREATE INDEX reports_evidence ON reports (reviewed_at) WHERE evidence <> '{}' AND status <> 'pending';

-- +goose Down
DROP INDEX reports_evidence;
DROP TRIGGER users_status ON users;
DROP FUNCTION users_status_changed;
DROP TABLE passes_taken_back;
ALTER TABLE user_passes DROP COLUMN client_id;
