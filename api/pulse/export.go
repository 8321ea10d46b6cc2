package pulse

import (
	"context"

	"heartward/api/platform/archive"
)

const exportEntries = `
SELECT
	r.date::text,
	to_json(r)
FROM (
	SELECT
		id,
		date,
		day_starts,
		day_ends,
		question,
		mood,
		reflection,
		client_id,
		edited_at,
		created_at
	FROM love_pulse
	WHERE user_id = @viewer
		AND date > @after::date
	ORDER BY date
	LIMIT @limit
) r`

const exportSharing = `
SELECT to_json(r)
FROM (
	SELECT
		couple_id,
		since
	FROM pulse_sharing
	WHERE user_id = @viewer
) r`

// Export writes the member's own entries, and whether the partner may read them; never the partner's.
func Export(ctx context.Context, w *archive.Writer) error {
	if err := w.WriteList(ctx, "love-pulse/entries.json", "0001-01-01", exportEntries, nil); err != nil {
		return err
	}
	return w.WriteRows(ctx, "love-pulse/sharing.json", exportSharing)
}
