package notifications

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heartward/api/platform/archive"
)

// exportSettings takes the defaults of the document. The keys of the export are those of the document in snake case.
const exportSettings = `
SELECT
	(
		SELECT jsonb_object_agg(lower(regexp_replace(key, '([A-Z])', '_\1', 'g')), value)
		FROM jsonb_each(@defaults::jsonb || n.preferences)
	)
	|| jsonb_build_object(
		'pulse_next_at', n.pulse_next_at,
		'pulse_reminded_on', n.pulse_reminded_on,
		'likes_notified_at', nullif(n.likes_notified_at, '-infinity'),
		'updated_at', n.updated_at)
FROM notification_settings n
WHERE user_id = @viewer`

const exportDevices = `
SELECT to_json(r)
FROM (
	SELECT
		id,
		endpoint,
		categories,
		shows_content,
		created_at
	FROM push_subscriptions
	WHERE user_id = @viewer
	ORDER BY created_at
) r`

// Export writes the member's settings of notifications and media, and the devices for push
// without their keys.
func Export(ctx context.Context, w *archive.Writer) error {
	defaults := struct {
		Preferences
		StartReminder bool `json:"startReminder"`
	}{Defaults(), true}
	if err := w.WriteRowsWith(ctx, "notifications/settings.json", exportSettings, pgx.NamedArgs{"defaults": defaults}); err != nil {
		return err
	}
	return w.WriteRows(ctx, "notifications/devices.json", exportDevices)
}
