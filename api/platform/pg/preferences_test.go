package pg_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
	"heartward/migrations"
)

// settingsViews selects what the views of the settings say about each member, by their first name.
const settingsViews = `
	SELECT
		u.first_name,
		d.wants_digest,
		d.wants_community,
		d.time_zone,
		d.is_private,
		d.is_discreet,
		m.time_zone,
		m.is_private,
		m.is_discreet,
		z.time_zone,
		u.id IN (SELECT user_id FROM members_without_graduation_mails),
		u.id IN (SELECT user_id FROM members_without_start_reminders)
	FROM users u
	LEFT JOIN digest_settings d ON d.user_id = u.id
	LEFT JOIN mail_settings m ON m.user_id = u.id
	LEFT JOIN member_zones z ON z.user_id = u.id
	ORDER BY u.first_name`

func selectSettings(t *testing.T, pool *pgxpool.Pool) [][]any {
	t.Helper()
	rows, err := pool.Query(t.Context(), settingsViews)
	require.NoError(t, err)
	settings, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) ([]any, error) { return row.Values() })
	require.NoError(t, err)
	return settings
}

// The document of settings has the values of the columns it replaces, and the views say the same as before.
func TestMigrate_KeepsSettingsOfNotifications(t *testing.T) {
	t.Parallel()
	address := emptySchema(t)
	require.NoError(t, pg.MigrateFiles(t.Context(), address, filesBefore(t, "00292"), func() {}))
	pool := openAt(t, address)
	for _, name := range []string{"Changed", "Default", "Rowless"} {
		testkit.Exec(t, pool, `INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, identity_key, abuse_key)
			VALUES (gen_random_uuid(), $2, $1, $1, '1990-01-01', upper($1), $2, $2)`, name, strings.ToLower(name)+"@example.test")
	}
	testkit.Exec(t, pool, `INSERT INTO notification_settings (user_id) SELECT id FROM users WHERE first_name = 'Default'`)
	testkit.Exec(t, pool, `
		INSERT INTO notification_settings (user_id, messages, matches, likes, community, graduation, start_reminder, badges, digest,
			pulse, pulse_time, pulse_next_at, pulse_reminded_on, voice_message_notifications, video_message_notifications, sound,
			vibration, quiet_from, quiet_to, time_zone, private_mail, discreet_mail, autoplay_voice, autoplay_video,
			download_for_offline, high_quality_media, likes_notified_at, updated_at)
		SELECT id, false, false, false, false, false, false, false, false,
			true, '07:30', '2099-01-01Z', '2026-11-23', false, false, false,
			false, '22:00', '06:15', 'Asia/Tokyo', true, true, false, true,
			false, false, '2026-11-22Z', '2026-11-21Z'
		FROM users
		WHERE first_name = 'Changed'`)
	before := selectSettings(t, pool)
	require.Len(t, before, 3)
	pool.Close()

	require.NoError(t, pg.MigrateFiles(t.Context(), address, migrations.FS, func() {}))
	pool = openAt(t, address)
	require.Equal(t, before, selectSettings(t, pool))
	var changed, standard string
	require.NoError(t, pool.QueryRow(t.Context(), `
		SELECT to_jsonb(n) - 'user_id'
		FROM notification_settings n
		JOIN users u ON u.id = n.user_id
		WHERE u.first_name = 'Changed'`).Scan(&changed))
	require.JSONEq(t, `{
		"preferences": {
			"messages": false, "matches": false, "likes": false, "community": false, "graduation": false, "startReminder": false,
			"badges": false, "digest": false, "pulse": true, "pulseTime": "07:30", "voiceMessageNotifications": false,
			"videoMessageNotifications": false, "sound": false, "vibration": false, "quietFrom": "22:00", "quietTo": "06:15",
			"timeZone": "Asia/Tokyo", "privateMail": true, "discreetMail": true, "autoplayVoice": false, "autoplayVideo": true,
			"downloadForOffline": false, "highQualityMedia": false},
		"pulse_next_at": "2099-01-01T00:00:00+00:00", "pulse_reminded_on": "2026-11-23",
		"likes_notified_at": "2026-11-22T00:00:00+00:00", "updated_at": "2026-11-21T00:00:00+00:00"}`, changed)
	require.NoError(t, pool.QueryRow(t.Context(), `
		SELECT preferences
		FROM notification_settings n
		JOIN users u ON u.id = n.user_id
		WHERE u.first_name = 'Default'`).Scan(&standard))
	require.JSONEq(t, `{
		"messages": true, "matches": true, "likes": true, "community": true, "graduation": true, "startReminder": true,
		"badges": true, "digest": true, "pulse": false, "pulseTime": "20:00", "voiceMessageNotifications": true,
		"videoMessageNotifications": true, "sound": true, "vibration": true, "quietFrom": null, "quietTo": null,
		"timeZone": "UTC", "privateMail": false, "discreetMail": false, "autoplayVoice": true, "autoplayVideo": false,
		"downloadForOffline": true, "highQualityMedia": true}`, standard)

	testkit.Exec(t, pool, `UPDATE notification_settings SET preferences = '{}', pulse_next_at = NULL`)
	require.Equal(t, before[1][1:], selectSettings(t, pool)[0][1:], "a missing key is the default")
	for _, bad := range []string{
		`[]`, `{"quietFrom": "22:00"}`, `{"quietTo": "22:00", "quietFrom": null}`, `{"quietFrom": "22:00", "quietTo": "22:00"}`,
		`{"quietFrom": "24:00", "quietTo": "22:00"}`, `{"quietFrom": "22:00", "quietTo": "7:00"}`, `{"pulseTime": "late"}`, `{"pulse": true}`,
	} {
		_, err := pool.Exec(t.Context(), `UPDATE notification_settings SET preferences = $1`, bad)
		require.ErrorContains(t, err, "violates check constraint", bad)
	}
	testkit.Exec(t, pool, `UPDATE notification_settings SET preferences = '{"quietFrom": "22:00", "quietTo": "07:00", "pulseTime": "21:00"}'`)
}
