package referrals

import (
	"context"

	"heartward/api/platform/archive"
)

const exportReferrals = `
SELECT to_json(r)
FROM (
	SELECT
		id,
		referrer_id = @viewer AS invited_by_me,
		CASE WHEN referrer_id = @viewer THEN email END AS email,
		CASE WHEN referrer_id = @viewer THEN reward_tier END AS reward_tier,
		status,
		created_at,
		joined_at,
		completed_at
	FROM referrals
	WHERE @viewer IN (referrer_id, referred_user_id)
	ORDER BY created_at
) r`

const exportTiers = `
SELECT to_json(r)
FROM (
	SELECT
		level,
		reached_at
	FROM referral_tiers
	WHERE user_id = @viewer
	ORDER BY level
) r`

// Export writes the member's invitations, the invitation by which the member joined, and the reached tiers. It does not
// tell who joined.
func Export(ctx context.Context, w *archive.Writer) error {
	if err := w.WriteRows(ctx, "referrals/referrals.json", exportReferrals); err != nil {
		return err
	}
	return w.WriteRows(ctx, "referrals/tiers.json", exportTiers)
}
