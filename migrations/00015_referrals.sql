-- +goose Up

-- A friend who came by a member's link and completed the profile. The row is
-- the reward of both: it exists once a friend, so it is given once.
CREATE TABLE referral_rewards (
    referred_id   uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    referrer_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    completed_at  timestamptz NOT NULL DEFAULT now(),
    CHECK (referred_id <> referrer_id)
);
CREATE INDEX referral_rewards_referrer ON referral_rewards (referrer_id, completed_at DESC, referred_id DESC);

-- The tiers whose reward a member has had. It stays when friends leave.
CREATE TABLE referral_tiers (
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    level       smallint NOT NULL CHECK (level BETWEEN 1 AND 4),
    reached_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, level)
);

-- +goose Down
DROP TABLE referral_tiers, referral_rewards;
