package activity

import (
	"context"

	"heartward/api/platform/archive"
)

const exportPosition = `
SELECT to_json(r)
FROM (
	SELECT read_until
	FROM notification_positions
	WHERE user_id = @viewer
) r`

const exportRead = `
SELECT to_json(r)
FROM (
	SELECT
		item,
		read_at
	FROM read_notifications
	WHERE user_id = @viewer
	ORDER BY read_at, item
) r`

// Export writes what the member has read of the notifications.
func Export(ctx context.Context, w *archive.Writer) error {
	if err := w.WriteRows(ctx, "notifications/read-until.json", exportPosition); err != nil {
		return err
	}
	return w.WriteRows(ctx, "notifications/read.json", exportRead)
}
