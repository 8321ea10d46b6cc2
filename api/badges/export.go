package badges

import (
	"context"

	"heartward/api/platform/archive"
)

const exportBadges = `
SELECT to_json(r)
FROM (
	SELECT
		e.id,
		e.badge_id,
		b.name,
		e.earned_at,
		e.is_notified,
		e.is_silent
	FROM user_badges e
	JOIN badges b ON b.id = e.badge_id
	WHERE e.user_id = @viewer
	ORDER BY e.earned_at, e.id
) r`

// Export writes the member's badges.
func Export(ctx context.Context, w *archive.Writer) error {
	return w.WriteRows(ctx, "badges/badges.json", exportBadges)
}
