package notifications_test

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/notifications"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
)

// A stored document without a key means the default, for the member and in the views for other features.
func TestSettings_MissingKeyIsTheDefault(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.Exec(`INSERT INTO notification_settings (user_id) VALUES ($1)`, w.b.ID)
	defaults := notifications.Defaults()
	settings, err := w.s.Settings(t.Context(), w.b)
	require.NoError(t, err)
	require.Equal(t, defaults, settings)

	type row struct {
		WantsDigest, WantsCommunity bool
		TimeZone                    string
		IsPrivate, IsDiscreet       bool
	}
	rows, _ := w.Pool.Query(t.Context(), `SELECT wants_digest, wants_community, time_zone, is_private, is_discreet FROM digest_settings`)
	digest, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[row])
	require.NoError(t, err)
	require.Equal(t, row{defaults.Digest, defaults.Community, defaults.TimeZone, *defaults.PrivateMail, *defaults.DiscreetMail}, digest)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM mail_settings WHERE (time_zone, is_private, is_discreet) = ($1, $2, $3)`,
		defaults.TimeZone, *defaults.PrivateMail, *defaults.DiscreetMail))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM member_zones WHERE time_zone = $1`, defaults.TimeZone))
	require.Equal(t, defaults.Graduation, w.Count(`SELECT count(*) FROM members_without_graduation_mails`) == 0)

	w.SetPreference(w.b.ID, "sound", false)
	defaults.Sound = false
	settings, err = w.s.Settings(t.Context(), w.b)
	require.NoError(t, err)
	require.Equal(t, defaults, settings, "the other keys are still missing")
}

// The database refuses a setting of a wrong type, and accepts keys that only another version knows.
func TestPreferences_HaveTypes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	document, err := json.Marshal(notifications.Defaults())
	require.NoError(t, err)
	known := map[string]any{"startReminder": true}
	require.NoError(t, json.Unmarshal(document, &known))
	require.Len(t, known, reflect.TypeFor[notifications.Preferences]().NumField()+1, "every setting has a default")
	for key := range known {
		for _, wrong := range []any{1, []string{}, map[string]any{}} {
			_, err := w.Pool.Exec(t.Context(), `INSERT INTO notification_settings (user_id, preferences) VALUES ($1, $2)`,
				w.b.ID, map[string]any{key: wrong})
			require.True(t, fault.Is(pg.Fault(err), fault.Invalid), "%s: %v: %v", key, wrong, err)
		}
	}
	for _, bad := range []string{`{"sound": "true"}`, `{"sound": null}`, `{"timeZone": true}`, `{"timeZone": null}`} {
		_, err := w.Pool.Exec(t.Context(), `INSERT INTO notification_settings (user_id, preferences) VALUES ($1, $2)`, w.b.ID, bad)
		require.True(t, pg.ViolatesConstraint(err, "notification_settings_types"), "%s: %v", bad, err)
	}
	known["settingOfLater"] = 7
	w.Exec(`INSERT INTO notification_settings (user_id, preferences) VALUES ($1, $2)`, w.b.ID, known)
}

// A save that waits for another change keeps what that has changed, if the save itself does not change it.
func TestSaveSettings_KeepsConcurrentChangesOfOtherSettings(t *testing.T) {
	t.Parallel()
	for name, hasRow := range map[string]bool{"without settings": false, "with settings": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			ctx := t.Context()
			if hasRow {
				w.changeSettings(func(*notifications.Preferences) {})
			}
			tx, err := w.Pool.Begin(ctx)
			require.NoError(t, err)
			defer tx.Rollback(context.WithoutCancel(ctx)) // it is committed below
			require.NoError(t, notifications.TurnOffMail(mail.Reminders)(ctx, tx, w.b.ID))
			testkit.SetPreference(t, tx, w.b.ID, "privateMail", true)

			type result struct {
				settings notifications.Preferences
				err      error
			}
			done := make(chan result, 1)
			change := notifications.Defaults()
			change.Likes, change.PrivateMail, change.DiscreetMail = false, nil, nil
			go func() {
				settings, err := w.s.SaveSettings(ctx, w.b, change)
				done <- result{settings, err}
			}()
			w.waitForLock()
			require.NoError(t, tx.Commit(ctx))
			saved := <-done
			require.NoError(t, saved.err)
			want := notifications.Defaults()
			want.Likes, *want.PrivateMail = false, true
			require.Equal(t, want, saved.settings)
			stored, err := w.s.Settings(ctx, w.b)
			require.NoError(t, err)
			require.Equal(t, want, stored)
			require.Equal(t, 1, w.Count(`SELECT count(*) FROM members_without_start_reminders WHERE user_id = $1`, w.b.ID))
		})
	}
}

// Links of two kinds of mail that are opened at once turn off both.
func TestSetMail_KeepsConcurrentChangeOfAnotherKind(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := t.Context()
	tx, err := w.Pool.Begin(ctx)
	require.NoError(t, err)
	defer tx.Rollback(context.WithoutCancel(ctx)) // it is committed below
	require.NoError(t, notifications.TurnOffMail(mail.Digests)(ctx, tx, w.b.ID))
	done := make(chan error, 1)
	go func() { done <- notifications.TurnOffMail(mail.Graduations)(ctx, w.Pool, w.b.ID) }()
	w.waitForLock()
	require.NoError(t, tx.Commit(ctx))
	require.NoError(t, <-done)
	var stored map[string]any
	require.NoError(t, json.Unmarshal([]byte(testkit.Select[string](t, w.Pool, `SELECT preferences FROM notification_settings`)), &stored))
	require.Equal(t, map[string]any{"digest": false, "graduation": false}, stored)
}

// waitForLock returns once a statement waits for a lock.
func (w *env) waitForLock() {
	w.Helper()
	require.Eventually(w, func() bool {
		return w.Count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
	}, testkit.Timeout, time.Millisecond)
}
