package moderation_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
)

// alert runs the job that alerts admins, and returns the number of mails that are enqueued.
func (w *env) alert(args moderation.AlertArgs) int {
	w.Helper()
	require.NoError(w, pg.TxDo(context.Background(), w.Pool, func(tx pgx.Tx) error {
		return moderation.AlertAdmins(context.Background(), tx, w.jobs, args)
	}))
	return w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_alert_mail' AND args->>'reportId' = $1`, args.ReportID.String())
}

// Only an urgent report within the daily limit alerts, at 0, 30 and 55 minutes.
func TestReport_SchedulesAlerts(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.Member("Ann Moss")
	w.report(ann, report(w.Member("Bob Moss")))
	require.Zero(t, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_alert'`))
	bob := w.Member("Bob Moss")
	id := w.report(ann, urgent(bob)).ID
	w.report(ann, urgent(bob)) // repeated
	for _, minute := range []int{0, 30, 55} {
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_alert' AND args = jsonb_build_object('reportId', $1::text, 'minute', $2::int)
			AND scheduled_at BETWEEN created_at + make_interval(mins => $2) - interval '10 s' AND created_at + make_interval(mins => $2) + interval '10 s'`, id.String(), minute))
	}
	for range 18 {
		w.report(ann, report(w.Member("Bob Moss")))
	}
	w.report(ann, urgent(w.Member("Bob Moss")))
	require.Equal(t, 3, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_alert'`), "a report over the limit does not alert")
}

// Admins are mailed once for each time until one of them opens or decides the report. The
// mail has a link and nothing of the report.
func TestAlertAdmins_MailsUntilOpened(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"opened", "decided"} {
		w := newEnv(t)
		ctx := context.Background()
		first, second, former := w.Admin("Admin Moss"), w.Admin("Admin Moss"), w.Admin("Admin Moss")
		ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
		w.Exec(`UPDATE users SET is_admin = true WHERE id = $1`, bob.ID) // the reported member is not alerted
		in := urgent(bob)
		in.Description = "private words"
		id := w.report(ann, in).ID
		require.Equal(t, 3, w.alert(moderation.AlertArgs{ReportID: id}))
		require.Equal(t, 3, w.alert(moderation.AlertArgs{ReportID: id}), "a repeated job enqueues nothing more")
		require.Equal(t, 6, w.alert(moderation.AlertArgs{ReportID: id, Minute: 30}))

		box := &mailbox{}
		send := func() {
			all := testkit.SelectAll[[]byte](t, w.Pool, `SELECT args FROM river_job WHERE kind = 'report_alert_mail' ORDER BY id`)
			for _, raw := range all {
				var args moderation.AlertMailArgs
				require.NoError(t, json.Unmarshal(raw, &args))
				require.NoError(t, moderation.SendAlert(ctx, w.Pool, box, "https://heartward.test/", args))
			}
		}
		w.Exec(`UPDATE users SET is_admin = false WHERE id = $1`, former.ID)
		send()
		require.Len(t, box.mails, 4, "not to a former admin")
		ids, to := map[string]bool{}, map[string]int{}
		for _, m := range box.mails {
			ids[m.ID] = true
			to[m.To]++
			require.Contains(t, m.Text, "\nhttps://heartward.test/admin/dashboard/reports\n")
			for _, secret := range []string{"Ann", "Bob", "private", "threat", id.String(), bob.ID.String()} {
				require.NotContains(t, m.Text+m.Subject, secret)
			}
		}
		require.Len(t, ids, 4, "each mail has an id of its own")
		require.Equal(t, map[string]int{first.ID.String() + "@example.test": 2, second.ID.String() + "@example.test": 2}, to)

		if end == "opened" {
			_, err := w.s.OpenReport(ctx, first.ID, id, "To see")
			require.NoError(t, err)
		} else {
			require.NoError(t, w.decide(first, id, moderation.NoAction))
		}
		send()
		require.Len(t, box.mails, 4, "no mail after the report was %s", end)
		require.Equal(t, 6, w.alert(moderation.AlertArgs{ReportID: id, Minute: 55}))
	}
}
