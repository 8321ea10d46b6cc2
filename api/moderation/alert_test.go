package moderation_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
)

// alert runs the job that alerts admins at a time, and returns the number of mails that are enqueued.
func (w *env) alert(report uuid.UUID, now time.Time) int {
	w.Helper()
	require.NoError(w, pg.TxDo(context.Background(), w.Pool, func(tx pgx.Tx) error {
		wait, err := moderation.AlertAdmins(context.Background(), tx, w.jobs, moderation.AlertArgs{ReportID: report}, now)
		pending := w.Count(`SELECT count(*) FROM reports WHERE id = $1 AND status = 'pending'`, report) == 1
		require.Equal(w, pending, wait > 0, "again until the decision")
		if pending {
			require.Equal(w, now.Truncate(time.Hour).Add(time.Hour), now.Add(wait))
		}
		return err
	}))
	return w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_alert_mail'`)
}

// Only an urgent report within the daily limit alerts.
func TestReport_AlertsToUrgentReports(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	alerts := func() int { return w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_alert'`) }
	ann := w.Member("Ann Moss")
	w.report(ann, report(w.Member("Bob Moss")))
	require.Zero(t, alerts())
	bob := w.Member("Bob Moss")
	id := w.report(ann, urgent(bob)).ID
	w.report(ann, urgent(bob)) // repeated
	more := urgent(bob)
	more.Description = "more words"
	w.report(ann, more)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_alert' AND args = jsonb_build_object('reportId', $1::text)`, id.String()))
	for range 18 {
		w.report(ann, report(w.Member("Bob Moss")))
	}
	w.report(ann, urgent(w.Member("Bob Moss")))
	require.Equal(t, 1, alerts(), "a report over the limit does not alert")
}

// Admins are mailed once an hour, however many reports wait, until somebody decides: opening a report does not silence it.
// The mail has a link and nothing of the reports.
func TestAlertAdmins_MailsHourlyUntilDecided(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	first, second, former := w.Admin("Admin Moss"), w.Admin("Admin Moss"), w.Admin("Admin Moss")
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	w.Exec(`UPDATE users SET is_admin = true WHERE id = $1`, bob.ID) // the reported member is not alerted
	in := urgent(bob)
	in.Description = "private words"
	id := w.report(ann, in).ID
	other := w.report(w.Member("Eve Moss"), urgent(w.Member("Fay Moss"))).ID
	noon := time.Date(2026, time.March, 1, 12, 10, 0, 0, time.UTC)
	require.Equal(t, 3, w.alert(id, noon))
	require.Equal(t, 3, w.alert(id, noon), "a repeated job enqueues nothing more")
	require.Equal(t, 4, w.alert(other, noon.Add(49*time.Minute)), "bundled; only the admin who is party to the first has no mail yet")
	require.Equal(t, 8, w.alert(other, noon.Add(50*time.Minute)), "in the next hour")

	box := &mailbox{}
	send := func() {
		for _, raw := range testkit.SelectAll[[]byte](t, w.Pool, `SELECT args FROM river_job WHERE kind = 'report_alert_mail' ORDER BY id`) {
			var args moderation.AlertMailArgs
			require.NoError(t, json.Unmarshal(raw, &args))
			require.NoError(t, moderation.SendAlert(ctx, w.Pool, box, "https://heartward.test/", args))
		}
	}
	w.Exec(`UPDATE users SET is_admin = false WHERE id = $1`, former.ID)
	_, err := w.s.OpenReport(ctx, first.ID, id, "To see")
	require.NoError(t, err)
	send()
	require.Len(t, box.mails, 6, "not to a former admin")
	ids, to := map[string]bool{}, map[string]int{}
	for _, m := range box.mails {
		ids[m.ID] = true
		to[m.To]++
		require.Contains(t, m.Text, "\nhttps://heartward.test/admin/dashboard/reports\n")
		if m.To == bob.ID.String()+"@example.test" {
			require.Contains(t, m.Subject, "An urgent report waits for a decision")
		} else {
			require.Contains(t, m.Subject, "2 urgent reports wait for a decision")
		}
		for _, secret := range []string{"Ann", "Bob", "private", "threat", id.String(), bob.ID.String()} {
			require.NotContains(t, m.Text+m.Subject, secret)
		}
	}
	require.Len(t, ids, 6, "each mail has an id of its own")
	require.Equal(t, map[string]int{first.ID.String() + "@example.test": 2, second.ID.String() + "@example.test": 2, bob.ID.String() + "@example.test": 2}, to)

	w.Exec(`UPDATE users SET is_admin = false WHERE id = $1`, bob.ID)
	for _, report := range []uuid.UUID{id, other} {
		require.NoError(t, w.decide(first, report, moderation.NoAction))
	}
	send()
	require.Len(t, box.mails, 6, "no mail after the decisions")
	require.Equal(t, 8, w.alert(id, noon.Add(3*time.Hour)))
}
