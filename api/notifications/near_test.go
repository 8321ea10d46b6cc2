package notifications_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/notifications"
)

func TestNotifyNear_PushesWhileTheWishStands(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	args := discovery.NearNotifyArgs{MemberID: w.b.ID, Day: "2026-01-01"}
	run := func() int {
		require.NoError(t, pgx.BeginFunc(t.Context(), w.Pool, func(tx pgx.Tx) error { return w.s.NotifyNear(t.Context(), tx, w.jobs, args) }))
		return w.pushes()
	}
	require.Zero(t, run(), "without a wish")
	w.Exec(`INSERT INTO near_waits (user_id, town_lat, town_lon, baseline, by_mail, checked_on, told_at) VALUES ($1, 45, -122, 0, false, '2026-01-01', now())`, w.b.ID)
	w.changeSettings(func(p *notifications.Preferences) { p.Matches, p.Likes = false, false })
	require.Equal(t, 1, run(), "the member asked for this one")
	require.Equal(t, 1, run(), "a repeated job")
	push := w.removePushes()[0]
	shown := w.shownBy(*w.deliver(push))
	require.Equal(t, []string{"More people near you", "At least 20 more within 50 miles of your town."}, []string{shown.Title, shown.Body})
	require.Equal(t, "https://heartward.test/", shown.Navigate)
	w.Exec(`DELETE FROM near_waits`)
	require.Nil(t, w.deliver(push), "taken back")
}
