package notifications

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heartward/api/platform/archive"
)

// exportSettings takes the defaults of the document. The keys of the export are those of the document in snake case, in the
// order of the defaults: jsonb has an order of its own, by length. Keys that are not among them follow.
const exportSettings = `
SELECT (
	SELECT json_object_agg(lower(regexp_replace(key, '([A-Z])', '_\1', 'g')), value ORDER BY position, key)
	FROM (
		SELECT
			key,
			coalesce(n.preferences -> key, value::jsonb) AS value,
			position
		FROM json_each(@defaults::json) WITH ORDINALITY AS known (key, value, position)
		UNION ALL
		SELECT
			key,
			value,
			1000
		FROM jsonb_each(n.preferences - ARRAY(SELECT json_object_keys(@defaults::json)))
		UNION ALL
		VALUES
			('pulse_next_at', to_jsonb(n.pulse_next_at), 1001),
			('pulse_reminded_on', to_jsonb(n.pulse_reminded_on), 1002),
			('likes_notified_at', to_jsonb(nullif(n.likes_notified_at, '-infinity')), 1003),
			('updated_at', to_jsonb(n.updated_at), 1004)
	) settings
)
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
