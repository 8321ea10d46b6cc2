-- +goose Up

-- Referrals are named by their own id, so that a member cannot learn which member a friend is.
CREATE OR REPLACE VIEW joined_referrals AS
    SELECT
        referrer_id,
        referred_user_id AS referred_id,
        joined_at,
        id
    FROM referrals
    WHERE joined_at IS NOT NULL
        AND status <> 'refused';

CREATE OR REPLACE VIEW completed_referrals AS
    SELECT
        referrer_id,
        referred_user_id AS referred_id,
        reward_tier,
        completed_at,
        id
    FROM referrals
    WHERE completed_at IS NOT NULL;

-- The subject of a moment of type referral was the friend, and is the referral now.
UPDATE shareable_moments s
SET subject_id = r.id
FROM referrals r
WHERE s.moment_type = 'referral'
    AND r.referrer_id = s.user_id
    AND r.referred_user_id = s.subject_id;

-- So were the items of the two notifications.
UPDATE read_notifications n
SET item = split_part(n.item, '-', 1) || '-' || r.id
FROM referrals r
WHERE r.referrer_id = n.user_id
    AND n.item IN ('friend_joined-' || r.referred_user_id, 'friend_completed-' || r.referred_user_id);

-- HMAC of the network in which the friend signed up, for 30 days after that; NULL before, afterwards, and when it is not known.
ALTER TABLE referrals ADD COLUMN network_mac bytea CHECK (length(network_mac) = 32);
