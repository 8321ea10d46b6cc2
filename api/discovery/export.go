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

const exportWaits = `
SELECT to_json(r)
FROM (
	SELECT
		by_mail,
		asked_at,
		told_at
	FROM near_waits
	WHERE user_id = @viewer
) r`

// Export writes the filters that the member has saved, and whether they wait for more people nearby.
func Export(ctx context.Context, w *archive.Writer) error {
	if err := w.WriteRows(ctx, "discovery/filters.json", exportFilters); err != nil {
		return err
	}
	return w.WriteRows(ctx, "discovery/near-waits.json", exportWaits)
}
