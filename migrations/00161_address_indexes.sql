-- +goose NO TRANSACTION
-- +goose Up
-- One account for a mailbox: later ones that exist get a number of their own. Here, so that it is done again if such an
-- account is made while the index is built, which then fails.
UPDATE users u
SET mailbox_number = n.number
FROM (
    SELECT
        id,
        row_number() OVER (PARTITION BY abuse_key ORDER BY created_at, id) - 1 AS number
    FROM users
) n
WHERE n.id = u.id
    AND n.number <> u.mailbox_number;

DROP INDEX CONCURRENTLY IF EXISTS users_identity;
CREATE UNIQUE INDEX CONCURRENTLY users_identity ON users (identity_key);
DROP INDEX CONCURRENTLY IF EXISTS users_one_mailbox;
CREATE UNIQUE INDEX CONCURRENTLY users_one_mailbox ON users (abuse_key, mailbox_number);

-- The identity key is unique, so two equal addresses cannot exist.
ALTER TABLE users DROP CONSTRAINT IF EXISTS users_email_key;

DROP INDEX CONCURRENTLY IF EXISTS users_mailbox;
DROP FUNCTION IF EXISTS mailbox_of(text);
