-- +goose Up

-- The transaction that last changed what only one side sees: a pin, a hidden
-- read position, a declined request. It is synced to that side's devices only,
-- because the other side would learn from an unchanged summary that the member
-- was online. It is used in addition to changed_xid.
ALTER TABLE conversations
    ADD COLUMN a_changed_xid xid8,
    ADD COLUMN b_changed_xid xid8;

-- A conversation as each of its two members sees it: one row a member.
CREATE VIEW conversation_sides AS
    SELECT
        id              AS conversation_id,
        user_a          AS member_id,
        user_b          AS peer_id,
        match_id,
        last_seq,
        a_read_seq      AS read_seq,
        b_read_seq      AS peer_read_seq,
        a_delivered_seq AS delivered_seq,
        a_notified_seq  AS notified_seq,
        a_muted_until   AS muted_until,
        requested_by,
        declined_at,
        closed_at
    FROM conversations
    UNION ALL
    SELECT
        id,
        user_b,
        user_a,
        match_id,
        last_seq,
        b_read_seq,
        a_read_seq,
        b_delivered_seq,
        b_notified_seq,
        b_muted_until,
        requested_by,
        declined_at,
        closed_at
    FROM conversations;

-- A member who begins or ceases to hide the online status looks different to all
-- others at once.
CREATE TRIGGER users_hiding AFTER UPDATE OF hide_online, hide_read_receipts ON users FOR EACH ROW
    WHEN (OLD.hide_online IS DISTINCT FROM NEW.hide_online OR OLD.hide_read_receipts IS DISTINCT FROM NEW.hide_read_receipts)
    EXECUTE FUNCTION users_status_changed();

-- +goose Down
DROP TRIGGER users_hiding ON users;
DROP VIEW conversation_sides;
ALTER TABLE conversations DROP COLUMN a_changed_xid, DROP COLUMN b_changed_xid;
