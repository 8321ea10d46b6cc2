-- +goose Up

-- Sessions and sign-in by mailed codes.

CREATE TABLE sessions (
    id          uuid PRIMARY KEY,
    -- SHA-256. The token itself is only in the cookie.
    token_hash  bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    user_agent  text NOT NULL DEFAULT '' CHECK (length(user_agent) <= 400),
    -- Where the sign-in came from, as rough as the proxy knows it: a city or a country; '' when it does not say.
    place       text NOT NULL DEFAULT '' CHECK (length(place) <= 64),
    -- Last code, password or passkey. Sensitive changes require a recent one.
    proved_at   timestamptz NOT NULL DEFAULT now(),
    -- Last use of an admin's second factor; NULL without one. On a public site only such a session has an admin's rights.
    factor_at   timestamptz,
    -- The absolute end. A session may end sooner by idleness.
    expires_at  timestamptz NOT NULL,
    -- SHA-256 of the browser's id; NULL if it had none.
    browser_hash  bytea CHECK (length(browser_hash) = 32),
    -- Whether another member had signed in in this browser before.
    is_shared   boolean NOT NULL DEFAULT false,
    created_at  timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE sessions IS
    'Signed-in browsers. Signing out deletes the row; a job deletes those past expires_at.';
-- Sessions are found by their member; the order of at most ten needs no index.
CREATE INDEX sessions_member ON sessions (user_id);
CREATE INDEX sessions_expires ON sessions (expires_at);

CREATE TABLE session_activity (
    session_id    uuid PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    last_seen_at  timestamptz NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE session_activity IS
    'When a session was last used; without a row, when it was created. Written once a minute for each session in use. '
    'Updates are HOT, as those of member_activity.';

-- Sessions of admins and moderators that have ended and are not deleted yet: idle for 15 minutes, or 8 hours old.
CREATE VIEW ended_admin_sessions AS
    SELECT s.id AS session_id
    FROM sessions s
    JOIN credentials c ON c.user_id = s.user_id
    LEFT JOIN session_activity a ON a.session_id = s.id
    WHERE c.is_staff
        AND (
            coalesce(a.last_seen_at, s.created_at) <= now() - interval '15 minutes'
            OR s.created_at <= now() - interval '8 hours'
        );

-- Sessions in browsers that several members use.
CREATE VIEW shared_sessions AS
    SELECT id AS session_id
    FROM sessions
    WHERE is_shared;

CREATE TABLE revoked_sessions (
    token_hash  bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    -- When the session would have expired. A job then deletes the row.
    expires_at  timestamptz NOT NULL
);
COMMENT ON TABLE revoked_sessions IS
    'Sessions that were ended on another device, by an admin or by a new password. The device of such a session deletes '
    'the data of the member; the device of an expired or unknown session only locks it.';
CREATE INDEX revoked_sessions_expires ON revoked_sessions (expires_at);

CREATE TABLE login_codes (
    id            uuid PRIMARY KEY,
    email         text NOT NULL,
    -- HMAC of the code.
    code_mac      bytea NOT NULL CHECK (length(code_mac) = 32),
    -- Of the browser that asked; the code is valid in no other.
    browser_hash  bytea NOT NULL CHECK (length(browser_hash) = 32),
    -- Attempts at signing in with the code; after five it is invalid.
    tries         smallint NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 5),
    -- NULL while the code is unused.
    used_at       timestamptz,
    -- Last mail with the code. A code that is still valid is mailed again instead of a new one.
    sent_at       timestamptz NOT NULL DEFAULT now(),
    expires_at    timestamptz NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE login_codes IS
    'Codes sent by mail, for sign-up and sign-in. The address need not have an account.';
CREATE INDEX login_codes_email ON login_codes (email, created_at DESC);
CREATE INDEX login_codes_expires ON login_codes (expires_at);

CREATE TABLE known_browsers (
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    browser_hash  bytea NOT NULL CHECK (length(browser_hash) = 32),
    used_at       timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, browser_hash)
);
COMMENT ON TABLE known_browsers IS
    'Browsers in which a member was signed in, at most ten for each member. Such a browser has its own budget of codes and '
    'password attempts, which others cannot use up. It does not replace the code or the password.';
CREATE INDEX known_browsers_used ON known_browsers (used_at);
CREATE INDEX known_browsers_browser ON known_browsers (browser_hash);

-- Whether two members were signed in in the same browser.
CREATE FUNCTION have_same_browser(a uuid, b uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT
        FROM known_browsers x
        JOIN known_browsers y ON y.user_id = b AND y.browser_hash = x.browser_hash
        WHERE x.user_id = a)
$$;

CREATE TABLE passkeys (
    id             uuid PRIMARY KEY,
    user_id        uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The authenticator's id of the key.
    credential_id  bytea NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 1 AND 1023),
    -- COSE.
    public_key     bytea NOT NULL CHECK (length(public_key) <= 4096),
    -- The authenticator's count of its signatures. A count that does not grow is the sign of a copy; some always send 0.
    sign_count     bigint NOT NULL,
    -- Flags of the authenticator data at the last use, such as whether the key can be backed up.
    flags          smallint NOT NULL,
    -- How the browser can reach the authenticator, such as 'internal' or 'usb'.
    transports     text[] NOT NULL DEFAULT '{}',
    name           text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
    -- Whether it counts as an admin's second factor: it was added with a second factor or a setup code.
    is_factor      boolean NOT NULL DEFAULT false,
    created_at     timestamptz NOT NULL DEFAULT now(),
    -- NULL before the first use.
    used_at        timestamptz
);
COMMENT ON TABLE passkeys IS
    'WebAuthn credentials of members, at most ten for each. A passkey signs in and confirms changes.';
CREATE INDEX passkeys_member ON passkeys (user_id);

CREATE TABLE passkey_challenges (
    id            uuid PRIMARY KEY,
    purpose       text NOT NULL CHECK (purpose IN ('add', 'prove', 'sign_in')),
    -- NULL for a sign-in, whose member is not known before.
    user_id       uuid REFERENCES users ON DELETE CASCADE,
    -- Of the browser that asked; the challenge is valid in no other.
    browser_hash  bytea NOT NULL CHECK (length(browser_hash) = 32),
    -- The challenge and what was requested with it.
    data          jsonb NOT NULL,
    expires_at    timestamptz NOT NULL
);
COMMENT ON TABLE passkey_challenges IS
    'Challenges that passkeys sign, valid for five minutes and once: a response deletes the row. A job deletes the others.';
CREATE INDEX passkey_challenges_member ON passkey_challenges (user_id);
CREATE INDEX passkey_challenges_expires ON passkey_challenges (expires_at);

CREATE TABLE authenticator_apps (
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- False until a first code shows that the app has the secret. A confirmed app stays valid meanwhile.
    is_confirmed  boolean NOT NULL DEFAULT false,
    -- 160 bits, encrypted with a key from SECRET.
    secret        bytea NOT NULL,
    -- Number of the 30 seconds of the last accepted code. That code and earlier ones are not accepted again.
    last_step     bigint NOT NULL DEFAULT 0,
    created_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, is_confirmed)
);
COMMENT ON TABLE authenticator_apps IS
    'Secrets of admins'' authenticator apps (TOTP).';

CREATE TABLE factor_setup_codes (
    user_id     uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    -- SHA-256. The code itself is printed by the command line.
    code_hash   bytea NOT NULL CHECK (length(code_hash) = 32),
    -- 24 hours after the command. A job then deletes the row.
    expires_at  timestamptz NOT NULL
);
COMMENT ON TABLE factor_setup_codes IS
    'Codes with which an admin sets up the first second factor; valid once.';
CREATE INDEX factor_setup_codes_expires ON factor_setup_codes (expires_at);

CREATE TABLE security_notices (
    id          uuid PRIMARY KEY,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind        text NOT NULL CHECK (kind IN ('sign_in', 'password', 'passkey', 'email_change', 'email_wait')),
    -- The session that signed in, set the password, added the passkey or asked for another address. It may have ended, so this is no foreign key.
    session_id  uuid NOT NULL,
    -- That of the session.
    browser_hash bytea CHECK (length(browser_hash) = 32),
    -- The passkey that was added; NULL for other kinds, and after it was removed.
    passkey_id  uuid REFERENCES passkeys ON DELETE SET NULL,
    user_agent  text NOT NULL CHECK (length(user_agent) <= 400),
    place       text NOT NULL CHECK (length(place) <= 64),
    -- SHA-256. The token itself is only in the mail.
    token_hash  bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    -- When the member said through the link that it was someone else; NULL before.
    used_at     timestamptz,
    -- The link is valid for 7 days. A job then deletes the row.
    created_at  timestamptz NOT NULL
);
COMMENT ON TABLE security_notices IS
    'Mails about a sign-in in a new browser, a new password, a new passkey or another address, with a link for a member who '
    'did not do this.';
CREATE INDEX security_notices_member ON security_notices (user_id, created_at);
CREATE INDEX security_notices_passkey ON security_notices (passkey_id);
CREATE INDEX security_notices_created ON security_notices (created_at);

-- What members were mailed about their sign-in, as other features may read it.
CREATE VIEW security_events AS
    SELECT
        id,
        user_id,
        kind,
        created_at
    FROM security_notices
    WHERE kind <> 'email_wait';

CREATE TABLE email_changes (
    id                uuid PRIMARY KEY,
    user_id           uuid NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
    new_email         text NOT NULL CHECK (new_email = lower(new_email) AND length(new_email) BETWEEN 3 AND 254),
    -- The session that asked. It may have ended, so this is no foreign key.
    session_id        uuid NOT NULL,
    -- That of the session.
    browser_hash      bytea CHECK (length(browser_hash) = 32),
    user_agent        text NOT NULL CHECK (length(user_agent) <= 400),
    place             text NOT NULL CHECK (length(place) <= 64),
    -- Attempts at the code that was mailed to each address; after five it is invalid. The codes are not stored: they are
    -- HMACs of id with a key from SECRET.
    new_tries         smallint NOT NULL DEFAULT 0 CHECK (new_tries BETWEEN 0 AND 5),
    current_tries     smallint NOT NULL DEFAULT 0 CHECK (current_tries BETWEEN 0 AND 5),
    -- When the code of the new address was entered; NULL before. With that of the current address the change is made, and
    -- the row deleted.
    new_confirmed_at      timestamptz,
    current_confirmed_at  timestamptz,
    -- When the change is made without the code of the current address; NULL unless the member chose to wait.
    waits_until       timestamptz,
    -- Days of the wait that are over, each with a mail to the current address.
    days_waited       smallint NOT NULL DEFAULT 0,
    -- The codes are valid for half an hour; a wait ends after seven days, or later if the server was down. A job deletes the row then.
    expires_at        timestamptz NOT NULL,
    created_at        timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT email_changes_wait CHECK (waits_until IS NULL OR new_confirmed_at IS NOT NULL)
);
COMMENT ON TABLE email_changes IS
    'Changes of members'' addresses that are not confirmed at both addresses yet; at most one for each member.';
CREATE INDEX email_changes_expires ON email_changes (expires_at);

CREATE TABLE age_refusals (
    -- HMAC of a browser's id or of a mailbox, so that the row names no one.
    subject_mac  bytea PRIMARY KEY CHECK (length(subject_mac) = 32),
    -- 24 hours after the refused sign-up. A job then deletes the row.
    expires_at   timestamptz NOT NULL
);
COMMENT ON TABLE age_refusals IS
    'Browsers and proved addresses of sign-ups with an age under 18. Neither can sign up before expires_at, with any age.';
CREATE INDEX age_refusals_expires ON age_refusals (expires_at);
