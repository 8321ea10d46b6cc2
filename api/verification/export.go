package verification

import (
	"context"

	"heartward/api/platform/archive"
)

const exportVerifications = `
SELECT to_json(r)
FROM (
	SELECT
		id,
		pose,
		status,
		selfie_id,
		requested_at,
		submitted_at,
		decided_at,
		CASE WHEN status = 'rejected' THEN reason ELSE '' END AS reason
	FROM verifications
	WHERE user_id = @viewer
	ORDER BY requested_at
) r`

// Export writes the member's verifications. A selfie that is pending is among the files of
// package members.
func Export(ctx context.Context, w *archive.Writer) error {
	return w.WriteRows(ctx, "verification/verifications.json", exportVerifications)
}
