package profilereview

import (
	"context"

	"heartward/api/platform/archive"
)

const exportReviews = `
SELECT to_json(r)
FROM (
	SELECT
		id,
		subject,
		status,
		photo_id,
		submitted_at,
		decided_at,
		reason
	FROM profile_reviews
	WHERE user_id = @viewer
) r`

// Export writes the member's last submission for review.
func Export(ctx context.Context, w *archive.Writer) error {
	return w.WriteRows(ctx, "profile/reviews.json", exportReviews)
}
