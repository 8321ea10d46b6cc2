-- +goose Up
-- An address is kept as its member typed it, for mail. It is compared by two keys, which package mailaddr makes: the
-- identity key is the same for all spellings of an address, the abuse key for all addresses of a mailbox.
ALTER TABLE users
    DROP CONSTRAINT users_email_check,
    ADD CONSTRAINT users_email_check CHECK (length(email) BETWEEN 3 AND 254),
    -- The address in lower case, with the domain in ASCII. Signs in.
    ADD COLUMN identity_key text,
    -- The mailbox, by the rules of its provider. Limits, bans, blocks and referrals compare it.
    ADD COLUMN abuse_key text,
    -- 0 for every new account, so that a mailbox has one account at a time. Later accounts of a mailbox, from before this
    -- rule or before a rule of the provider was known, have 1, 2 and so on. They keep working;
    -- "heartward admin address-collisions" lists them.
    ADD COLUMN mailbox_number smallint NOT NULL DEFAULT 0 CHECK (mailbox_number >= 0);

-- The keys of a row whose writer sets none: a process of the previous version, which runs during a deploy and stores
-- addresses in lower case and ASCII. The rules of providers are not applied; the next "heartward migrate" does that.
-- +goose StatementBegin
CREATE FUNCTION set_address_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.identity_key := lower(NEW.email);
    NEW.abuse_key := regexp_replace(NEW.identity_key, '^(.[^@+]*)\+[^@]*', '\1');
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER users_new_address_keys BEFORE INSERT ON users
    FOR EACH ROW WHEN (NEW.identity_key IS NULL)
    EXECUTE FUNCTION set_address_keys();
CREATE TRIGGER users_changed_address_keys BEFORE UPDATE OF email ON users
    FOR EACH ROW WHEN (NEW.email <> OLD.email AND NEW.identity_key = OLD.identity_key)
    EXECUTE FUNCTION set_address_keys();

UPDATE users
SET
    identity_key = email,
    abuse_key = regexp_replace(email, '^(.[^@+]*)\+[^@]*', '\1');

ALTER TABLE users
    ALTER COLUMN identity_key SET NOT NULL,
    ALTER COLUMN abuse_key SET NOT NULL,
    ADD CONSTRAINT users_identity_key_form CHECK (
        identity_key = lower(identity_key)
        AND identity_key ~ '^[!-?A-~]+@[a-z0-9.-]+$'
        AND split_part(identity_key, '@', 1) = lower(split_part(email, '@', 1))),
    -- No tag: no plus sign but as the first character.
    ADD CONSTRAINT users_abuse_key_form CHECK (
        abuse_key = lower(abuse_key)
        AND abuse_key ~ '^[!-?A-~][!-*,-?A-~]*@[a-z0-9.-]+$');

ALTER TABLE email_changes
    DROP CONSTRAINT email_changes_new_email_check,
    ADD CONSTRAINT email_changes_new_email_check CHECK (length(new_email) BETWEEN 3 AND 254);
ALTER TABLE referrals
    DROP CONSTRAINT referrals_email_check,
    ADD CONSTRAINT referrals_email_check CHECK (length(email) BETWEEN 3 AND 254);
COMMENT ON COLUMN login_codes.email IS
    'Identity key of the address that the code was mailed to. If the mailbox has an account, this is the address of the account.';

-- Whether two members have the same mailbox.
CREATE OR REPLACE FUNCTION have_same_mailbox(a uuid, b uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT
        FROM users x
        JOIN users y ON y.abuse_key = x.abuse_key
        WHERE x.id = a
            AND y.id = b)
$$;

CREATE OR REPLACE VIEW credentials AS
    SELECT
        id            AS user_id,
        email,
        password_hash,
        is_admin,
        is_admin OR is_moderator AS is_staff,
        is_demo,
        profile_status,
        deletion_due_at,
        identity_key,
        abuse_key,
        mailbox_number
    FROM users;

CREATE OR REPLACE VIEW managed_members AS
    SELECT
        u.id,
        u.email,
        u.full_name,
        u.last_name,
        u.birth_date,
        u.city,
        u.state,
        u.profile_status,
        u.suspended_until,
        u.deletion_due_at,
        u.is_featured,
        u.is_graduated,
        u.is_admin,
        u.is_moderator,
        u.verified_at,
        u.premium_until,
        u.created_at,
        -- No join, which would read the activity of all members for a page of few.
        coalesce((SELECT a.last_active_at FROM member_activity a WHERE a.user_id = u.id), u.created_at) AS last_active_at,
        u.identity_key
    FROM users u;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
