-- +goose Up

-- Invitations to friends, and their rewards.

CREATE TABLE referrals (
    id                uuid PRIMARY KEY,
    -- Who invites.
    referrer_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The friend; NULL until the friend joins.
    referred_user_id  uuid UNIQUE REFERENCES users ON DELETE CASCADE,
    -- The code of the friend's link. An invitation by mail has its own; otherwise it is the referrer's.
    referral_code     text NOT NULL CHECK (length(referral_code) BETWEEN 6 AND 20),
    -- The address of an invitation by mail, until the friend joins or the invitation expires; NULL otherwise.
    email             text CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
    -- HMAC of the mailbox of that address; NULL for a friend who joined by the referrer's own link.
    address_mac       bytea CHECK (length(address_mac) = 32),
    -- The id that the referrer's device gave the invitation by mail; NULL otherwise.
    client_id         uuid,
    -- expired: nobody joined in 90 days. refused: as far as is known, the friend is the referrer or another friend.
    status            text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'completed', 'expired', 'refused')),
    -- The tier that the referrer reached, or was in, with this referral.
    reward_tier       smallint NOT NULL DEFAULT 0 CHECK (reward_tier BETWEEN 0 AND 4),
    -- The invitation by mail; otherwise when the friend joined.
    created_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- NULL until the friend joins.
    joined_at         timestamptz,
    -- When the friend's profile was complete; NULL before.
    completed_at      timestamptz,
    CONSTRAINT referrals_not_self CHECK (referred_user_id <> referrer_id),
    CONSTRAINT referrals_joined CHECK ((referred_user_id IS NULL) = (joined_at IS NULL)),
    CONSTRAINT referrals_friend CHECK (referred_user_id IS NOT NULL OR address_mac IS NOT NULL),
    CONSTRAINT referrals_mail CHECK ((address_mac IS NULL) = (client_id IS NULL)),
    CONSTRAINT referrals_address CHECK ((email IS NOT NULL) = (status = 'pending' AND referred_user_id IS NULL)),
    CONSTRAINT referrals_completed CHECK ((status = 'completed') = (completed_at IS NOT NULL)),
    CONSTRAINT referrals_expired CHECK (status <> 'expired' OR referred_user_id IS NULL),
    -- A member invites an address once, even after the invitation has expired.
    CONSTRAINT referrals_once UNIQUE (referrer_id, address_mac),
    CONSTRAINT referrals_client UNIQUE (referrer_id, client_id)
);
COMMENT ON TABLE referrals IS
    'Friends whom members invite: by mail, from the invitation on; by their link, from the sign-up on. A completed row is the '
    'reward of both.';
CREATE UNIQUE INDEX referrals_code ON referrals (referral_code) WHERE address_mac IS NOT NULL;
CREATE INDEX referrals_newest ON referrals (referrer_id, created_at DESC, id DESC);
CREATE INDEX referrals_joined_at ON referrals (referrer_id, joined_at DESC, referred_user_id DESC) WHERE joined_at IS NOT NULL;
CREATE INDEX referrals_completed_at ON referrals (referrer_id, completed_at DESC, referred_user_id DESC) WHERE completed_at IS NOT NULL;
CREATE INDEX referrals_waiting ON referrals (created_at) WHERE email IS NOT NULL;

CREATE TABLE invited_addresses (
    -- HMAC of a mailbox. The address itself is not stored.
    address_mac   bytea PRIMARY KEY CHECK (length(address_mac) = 32),
    -- When an invitation was handed to the mail server, by whichever member; NULL if none was. There is no second one.
    mailed_at     timestamptz,
    -- The invitation that was mailed; NULL without one, and after its referrer deleted the account.
    referral_id   uuid UNIQUE REFERENCES referrals ON DELETE SET NULL,
    -- When its owner asked for no invitations; NULL if they did not.
    opted_out_at  timestamptz,
    -- When a referral of a member with this mailbox was completed; NULL before. It earns one reward, even with a new account.
    rewarded_at   timestamptz,
    CONSTRAINT invited_addresses_reason CHECK (num_nonnulls(mailed_at, opted_out_at, rewarded_at) > 0)
);
COMMENT ON TABLE invited_addresses IS
    'What must be remembered of a mailbox for ever: that it was invited, wants no invitation, or was rewarded.';

CREATE TABLE referral_tiers (
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    level       smallint NOT NULL CHECK (level BETWEEN 1 AND 4),
    reached_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, level)
);
COMMENT ON TABLE referral_tiers IS
    'Tiers whose reward a member has received. They stay when friends delete their accounts.';

-- Friends who joined, as other features may read them.
CREATE VIEW joined_referrals AS
    SELECT
        referrer_id,
        referred_user_id AS referred_id,
        joined_at
    FROM referrals
    WHERE joined_at IS NOT NULL
        AND status <> 'refused';

-- Completed referrals as other features may read them.
CREATE VIEW completed_referrals AS
    SELECT
        referrer_id,
        referred_user_id AS referred_id,
        reward_tier,
        completed_at
    FROM referrals
    WHERE completed_at IS NOT NULL;

-- The tiers that members have reached, as other features may read them.
CREATE VIEW reached_tiers AS
    SELECT
        user_id,
        level,
        reached_at
    FROM referral_tiers;

-- Whether a new member is, as far as is known, the referrer, a member in the line of referrers above, or another friend
-- of the referrer: with the same mailbox, or signed in in the same browser.
CREATE FUNCTION is_known_person(referrer uuid, friend uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    WITH RECURSIVE line AS (
        SELECT
            referrer AS id,
            1 AS depth
        UNION ALL
        SELECT
            r.referrer_id,
            line.depth + 1
        FROM line
        JOIN referrals r ON r.referred_user_id = line.id
        WHERE line.depth < 10
    ), known AS (
        SELECT id FROM line
        UNION
        SELECT r.referred_user_id
        FROM referrals r
        WHERE r.referrer_id = referrer
            AND r.referred_user_id <> friend
    )
    SELECT EXISTS (
        SELECT
        FROM known k
        WHERE have_same_mailbox(k.id, friend)
            OR have_same_browser(k.id, friend))
$$;
