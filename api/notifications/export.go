package notifications

import (
	"context"

	"heartward/api/platform/archive"
)

const exportSettings = `
SELECT to_json(r)
FROM (
	SELECT
		messages,
		matches,
		likes,
		community,
		graduation,
		start_reminder,
		badges,
		digest,
		pulse,
		pulse_time,
		pulse_next_at,
		pulse_reminded_on,
		voice_message_notifications,
		video_message_notifications,
		sound,
		vibration,
		quiet_from,
		quiet_to,
		time_zone,
		private_mail,
		discreet_mail,
		autoplay_voice,
		autoplay_video,
		download_for_offline,
		high_quality_media,
		nullif(likes_notified_at, '-infinity') AS likes_notified_at,
		updated_at
	FROM notification_settings
	WHERE user_id = @viewer
) r`

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
	if err := w.WriteRows(ctx, "notifications/settings.json", exportSettings); err != nil {
		return err
	}
	return w.WriteRows(ctx, "notifications/devices.json", exportDevices)
}
