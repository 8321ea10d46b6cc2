-- +goose Up
-- The name of the admin at the time of the action. It stays when the account is deleted: who decided about members
-- remains known. NULL on the command line and in rows of before. Names of members are not stored, so that a deleted
-- member's name does not survive here.
ALTER TABLE audit_log ADD COLUMN admin_name text;

-- Appends a row to the chain as before. The name is the last element of the hashed array, unless it is NULL, so that the
-- hashes of earlier rows stay valid. moderation.VerifyAudit computes the same hash.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION audit_log_chain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('audit_log', 0));
    -- A clock that was set back does not change the order of the times.
    SELECT id + 1, hash, greatest(created_at, clock_timestamp())
    INTO NEW.id, NEW.prev_hash, NEW.created_at
    FROM audit_log
    ORDER BY id DESC
    LIMIT 1;
    IF NOT FOUND THEN
        NEW.id := 1;
        NEW.prev_hash := decode(repeat('00', 32), 'hex');
        NEW.created_at := clock_timestamp();
    END IF;
    NEW.admin_name := (SELECT full_name FROM users WHERE id = NEW.admin_id);
    NEW.hash := sha256(NEW.prev_hash || convert_to((jsonb_build_array(
        NEW.id,
        NEW.admin_id,
        NEW.action,
        NEW.subject_id,
        NEW.reason,
        NEW.detail,
        (extract(epoch FROM NEW.created_at) * 1000000)::bigint
    ) || CASE WHEN NEW.admin_name IS NULL THEN '[]' ELSE jsonb_build_array(NEW.admin_name) END)::text, 'UTF8'));
    RETURN NEW;
END $$;
-- +goose StatementEnd
