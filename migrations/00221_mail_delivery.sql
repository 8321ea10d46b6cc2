-- +goose Up

-- What becomes of mails: one row for each, the addresses that do not take them, and the rates of their domains.
-- Addresses are stored as keyed hashes of their identity keys.

CREATE TABLE mail_deliveries (
    -- It is in the return path, so that a report about the mail finds the row.
    id           uuid PRIMARY KEY,
    -- The member of the address; NULL if it has no account.
    user_id      uuid REFERENCES users ON DELETE CASCADE,
    address_mac  bytea NOT NULL CHECK (length(address_mac) = 32),
    -- The Message-ID before the @; NULL for a mail that is never sent again.
    message_id   text CHECK (length(message_id) BETWEEN 1 AND 200),
    kind         text NOT NULL CHECK (length(kind) <= 20),
    -- sending is committed before the mail server gets the mail. waiting: it is sent again. unknown: it may have been accepted.
    -- withheld: it was not sent, because of mail_suppressions. bounced and complained come after sent.
    state        text NOT NULL CHECK (state IN ('sending', 'waiting', 'unknown', 'sent', 'failed', 'withheld', 'bounced', 'complained')),
    -- What the last answer of a mail server, or a report, means; NULL without one.
    outcome      text CHECK (outcome IN ('no_mailbox', 'mailbox_full', 'later', 'too_many', 'refused', 'expired')),
    -- Class.subject.detail (RFC 3463); NULL without one.
    status       text CHECK (status ~ '^[245]\.\d{1,3}\.\d{1,3}$'),
    -- The words of the server, without addresses; NULL without an answer.
    answer       text CHECK (length(answer) <= 500),
    attempts     integer NOT NULL DEFAULT 0,
    created_at   timestamptz NOT NULL DEFAULT now(),
    changed_at   timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE mail_deliveries IS
    'The state of each mail to each recipient. A job deletes rows after 30 days.';
CREATE UNIQUE INDEX mail_deliveries_message ON mail_deliveries (message_id, address_mac);
CREATE INDEX mail_deliveries_user ON mail_deliveries (user_id);
CREATE INDEX mail_deliveries_changed ON mail_deliveries (changed_at);
CREATE INDEX mail_deliveries_open ON mail_deliveries (changed_at) WHERE state IN ('sending', 'waiting');

CREATE TABLE mail_suppressions (
    address_mac  bytea NOT NULL CHECK (length(address_mac) = 32),
    reason       text NOT NULL CHECK (reason IN ('no_mailbox', 'mailbox_full', 'complaint')),
    -- The kind of the mails that a complaint ended; '' for other reasons, which are about all kinds.
    kind         text NOT NULL DEFAULT '' CHECK (length(kind) <= 20),
    -- The member of the address; NULL if it has no account.
    user_id      uuid REFERENCES users ON DELETE CASCADE,
    -- Of mailbox_full: the number of mails that were not taken, halved each week. From 2.5 on optional mails are withheld.
    score        real NOT NULL DEFAULT 1 CHECK (score > 0),
    -- As in mail_deliveries.
    status       text,
    answer       text CHECK (length(answer) <= 500),
    since        timestamptz NOT NULL DEFAULT now(),
    changed_at   timestamptz NOT NULL DEFAULT now(),
    -- When the member asked for a mail that checks the address and has no result yet; NULL otherwise.
    checking_at  timestamptz,
    PRIMARY KEY (address_mac, reason, kind),
    CONSTRAINT mail_suppressions_kind CHECK ((kind <> '') = (reason = 'complaint'))
);
COMMENT ON TABLE mail_suppressions IS
    'Addresses that take no mail, or none of a kind, whatever their members want. A mail that arrives, or a job after 180 days, deletes rows.';
CREATE INDEX mail_suppressions_user ON mail_suppressions (user_id);
CREATE INDEX mail_suppressions_changed ON mail_suppressions (changed_at);

CREATE TABLE mail_rates (
    -- The domain of the recipients, or the first one of those that a provider has.
    domain        text PRIMARY KEY CHECK (length(domain) BETWEEN 1 AND 255),
    -- When the next mail is due if they are sent evenly (GCRA).
    tat           timestamptz NOT NULL,
    -- How often the domain asked for fewer mails; one less for each ten minutes since the last time. Each doubles the time between mails.
    strikes       integer NOT NULL DEFAULT 0,
    struck_at     timestamptz NOT NULL DEFAULT now(),
    -- No mail that can wait is sent before.
    paused_until  timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE mail_rates IS
    'How many mails a domain gets. A job deletes rows of a day without mail.';
CREATE INDEX mail_rates_tat ON mail_rates (tat);

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
