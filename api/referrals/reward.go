package referrals

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
)

const (
	completeAt     = 80       // percent of a friend's profile
	referralReward = "7 days" // of Premium for both
)

// Complete rewards the referral of member id when their profile is complete: a week
// of Premium for both members, and the reward of a tier that the referrer reaches. It
// must run in the transaction that changed the profile. It does nothing for a member
// without a referrer and for a referral that was rewarded before.
func Complete(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	referrer, earned, err := insertReward(ctx, tx, id)
	if err != nil || !earned {
		return err
	}
	// The UPDATE locks the referrer's row, so that the later of two concurrent calls
	// counts both referrals.
	if err := members.ExtendPremium(ctx, tx, referralReward, id, referrer); err != nil {
		return err
	}
	_, completed, err := selectCounts(ctx, tx, referrer)
	if err != nil {
		return err
	}
	for _, tier := range tiers[1 : tierOf(completed).Level+1] {
		first, err := insertTier(ctx, tx, referrer, tier.Level)
		if err != nil {
			return err
		}
		if first {
			if err := members.ExtendPremium(ctx, tx, tier.premium, referrer); err != nil {
				return err
			}
		}
	}
	return nil
}

// insertReward stores that the referral of member id is completed, and returns the
// referrer. earned is false if there is no referrer, if the profile is incomplete, and for
// a repeated call.
func insertReward(ctx context.Context, tx pgx.Tx, id uuid.UUID) (referrer uuid.UUID, earned bool, err error) {
	err = tx.QueryRow(ctx, `
		INSERT INTO referral_rewards (referred_id, referrer_id)
		SELECT u.id, u.referred_by
		FROM profiles u
		WHERE u.id = $1
			AND u.referred_by IS NOT NULL
			AND `+members.CompletenessSQL+` >= $2
		ON CONFLICT (referred_id) DO NOTHING
		RETURNING referrer_id`, id, completeAt).Scan(&referrer)
	if errors.Is(err, pgx.ErrNoRows) {
		return referrer, false, nil
	}
	return referrer, err == nil, err
}

// insertTier stores that the member has reached the tier, and reports whether it is
// the first time.
func insertTier(ctx context.Context, tx pgx.Tx, id uuid.UUID, level int) (first bool, err error) {
	tag, err := tx.Exec(ctx, `INSERT INTO referral_tiers (user_id, level) VALUES ($1, $2) ON CONFLICT DO NOTHING`, id, level)
	return tag.RowsAffected() == 1, err
}
