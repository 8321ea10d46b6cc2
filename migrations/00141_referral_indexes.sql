-- +goose NO TRANSACTION
-- +goose Up
-- Friends who joined and completed referrals, by the referral's id instead of the friend's.
DROP INDEX CONCURRENTLY IF EXISTS referrals_friends;
CREATE INDEX CONCURRENTLY referrals_friends ON referrals (referrer_id, joined_at DESC, id DESC) WHERE joined_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS referrals_completions;
CREATE INDEX CONCURRENTLY referrals_completions ON referrals (referrer_id, completed_at DESC, id DESC) WHERE completed_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS referrals_joined_at;
DROP INDEX CONCURRENTLY IF EXISTS referrals_completed_at;
-- The networks that are erased after 30 days.
DROP INDEX CONCURRENTLY IF EXISTS referrals_network;
CREATE INDEX CONCURRENTLY referrals_network ON referrals (joined_at) WHERE network_mac IS NOT NULL;
-- Nothing searches the moments of a friend any more.
DROP INDEX CONCURRENTLY IF EXISTS shareable_moments_referral;
