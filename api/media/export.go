package media

import (
	"context"

	"heartward/api/platform/archive"
)

const exportUploads = `
SELECT to_json(r)
FROM (
	SELECT
		id,
		purpose,
		length,
		received,
		created_at,
		expires_at
	FROM uploads
	WHERE owner_id = @viewer
	ORDER BY created_at
) r`

// Export writes the member's unfinished uploads. Their files, if complete, are among those of
// package members.
func Export(ctx context.Context, w *archive.Writer) error {
	return w.WriteRows(ctx, "files/uploads.json", exportUploads)
}
