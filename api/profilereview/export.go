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

const exportBirthDates = `
SELECT to_json(r)
FROM (
	SELECT
		id,
		birth_date,
		explanation,
		status,
		requested_at,
		decided_at,
		answer
	FROM birth_date_requests
	WHERE user_id = @viewer
) r`

// Export writes the member's last submission for review, and the last request for another birth date.
func Export(ctx context.Context, w *archive.Writer) error {
	if err := w.WriteRows(ctx, "profile/birth-date-requests.json", exportBirthDates); err != nil {
		return err
	}
	return w.WriteRows(ctx, "profile/reviews.json", exportReviews)
}
