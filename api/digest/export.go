package digest

import (
	"context"

	"heartward/api/platform/archive"
)

const exportMails = `
SELECT to_json(r)
FROM (
	SELECT
		week,
		state,
		reason,
		changed_at
	FROM digest_mails
	WHERE user_id = @viewer
	ORDER BY week
) r`

// Export writes which digests were sent to the member, or why not.
func Export(ctx context.Context, w *archive.Writer) error {
	return w.WriteRows(ctx, "notifications/digests.json", exportMails)
}
