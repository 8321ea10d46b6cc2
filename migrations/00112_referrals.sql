-- +goose Up

-- Rewards for members who invite others.

CREATE TABLE referral_rewards (
    referred_id   uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    referrer_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    completed_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT referral_rewards_not_self CHECK (referred_id <> referrer_id)
);
COMMENT ON TABLE referral_rewards IS
    'Friends who signed up by a link of a member and completed the profile. The row is the reward of both; the primary key '
    'makes it unique.';
CREATE INDEX referral_rewards_referrer ON referral_rewards (referrer_id, completed_at DESC, referred_id DESC);

CREATE TABLE referral_tiers (
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    level       smallint NOT NULL CHECK (level BETWEEN 1 AND 4),
    reached_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, level)
);
COMMENT ON TABLE referral_tiers IS
    'Tiers whose reward a member has received. They stay when friends delete their accounts.';

-- Completed referrals as other features may read them.
CREATE VIEW completed_referrals AS
    SELECT
        referrer_id,
        referred_id,
        completed_at
    FROM referral_rewards;
