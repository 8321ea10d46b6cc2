package discovery

import (
	"context"

	"heartward/api/platform/archive"
)

const exportFilters = `
SELECT to_json(r)
FROM (
	SELECT
		filters,
		updated_at
	FROM discovery_filters
	WHERE user_id = @viewer
) r`

// Export writes the filters that the member has saved.
func Export(ctx context.Context, w *archive.Writer) error {
	return w.WriteRows(ctx, "discovery/filters.json", exportFilters)
}
