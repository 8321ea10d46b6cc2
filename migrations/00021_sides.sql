-- +goose Up

-- What only one side of a conversation sees change (a pin, how far it has read
-- while it keeps that to itself, a request it declined) is told to the devices
-- of that side alone: the other would learn from an unchanged summary that
-- somebody was there. Read beside changed_xid, never below it.
ALTER TABLE conversations
    ADD COLUMN a_changed_xid xid8,
    ADD COLUMN b_changed_xid xid8;

-- Whoever begins to hide, or no longer does, looks different to all at once.
CREATE TRIGGER users_hiding AFTER UPDATE OF hide_online, hide_read_receipts ON users FOR EACH ROW
    WHEN (OLD.hide_online IS DISTINCT FROM NEW.hide_online OR OLD.hide_read_receipts IS DISTINCT FROM NEW.hide_read_receipts)
    EXECUTE FUNCTION users_status_changed();

-- +goose Down
DROP TRIGGER users_hiding ON users;
ALTER TABLE conversations DROP COLUMN a_changed_xid, DROP COLUMN b_changed_xid;
