package moderation_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/queue"
)

// depart deletes an account as the job does: the photos first, and the account last.
func (w *env) depart(member uuid.UUID) {
	w.Helper()
	require.NoError(w, w.s.BeginDeparture(w.Context(), member))
	require.NoError(w, w.s.BeginDeparture(w.Context(), member), "the job may run twice")
	w.Exec(`DELETE FROM files WHERE owner_id = $1`, member)
	require.NoError(w, pg.TxDo(w.Context(), w.Pool, func(tx pgx.Tx) error {
		if err := w.s.CompleteDeparture(w.Context(), tx, member); err != nil {
			return err
		}
		_, err := tx.Exec(w.Context(), `DELETE FROM users WHERE id = $1`, member)
		return err
	}))
}

// reported returns a new member with a photo and the pending reports of two others.
func (w *env) reported() (member uuid.UUID, reports []uuid.UUID) {
	w.Helper()
	member, err := w.joinAs("bob@example.test")
	require.NoError(w, err)
	w.addPicture(web.Actor{ID: member}, "photo", photo(w, 1))
	for _, name := range []string{"ann", "eve"} {
		by, err := w.joinAs(name + "@example.test")
		require.NoError(w, err)
		receipt, err := w.s.Report(w.Context(), web.Actor{ID: by}, moderation.ReportInput{UserID: member, Reason: "scam", Place: "card"})
		require.NoError(w, err)
		reports = append(reports, receipt.ID)
	}
	return member, reports
}

// A reported member who deletes the account before the decision can still be banned: the address is refused, and a copy
// of a photo goes to a moderator.
func TestDecideReport_BansFormerMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, err := w.joinAs("admin@example.test")
	require.NoError(t, err)
	w.Exec(`UPDATE users SET is_admin = true WHERE id = $1`, admin)
	bob, reports := w.reported()
	w.depart(bob)
	_, err = w.joinAs("b.o.b+new@example.test")
	require.NoError(t, err, "another mailbox")

	entries, _, err := queue.New(w.Pool).List(t.Context(), web.Actor{ID: admin, Admin: true}, queue.Report, web.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, entries, 2)
	require.Equal(t, []string{"no_action", "ban", "not_of_age"}, entries[0].Actions)
	opened, err := w.s.OpenReport(t.Context(), admin, reports[0], "the queue")
	require.NoError(t, err)
	require.True(t, opened.IsDeparted)

	warn := moderation.Decision{Action: moderation.Warn, Explanation: "No scams.", Reason: "seen"}
	testkit.RequireKind(t, w.s.DecideReport(t.Context(), admin, reports[0], warn), fault.Conflict)
	ban := moderation.Decision{Action: moderation.Ban, Explanation: "Scam.", Reason: "seen"}
	byModerator := ban
	byModerator.ByModerator = true
	testkit.RequireKind(t, w.s.DecideReport(t.Context(), admin, reports[0], byModerator), fault.Forbidden)
	require.NoError(t, w.s.DecideReport(t.Context(), admin, reports[0], ban))
	require.NoError(t, w.s.DecideReport(t.Context(), admin, reports[0], ban), "a repetition changes nothing")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM bans WHERE user_id IS NULL AND NOT not_of_age AND expires_at = created_at + interval '730 days'`))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM departed_members`), "another report is pending")
	require.NoError(t, w.s.DecideReport(t.Context(), admin, reports[1], moderation.Decision{Action: moderation.NoAction, Reason: "decided"}))
	require.Zero(t, w.Count(`SELECT count(*) FROM departed_members`))
	require.Zero(t, w.Count(`SELECT count(*) FROM departed_photos`))

	_, err = w.joinAs("bob+again@example.test")
	testkit.RequireKind(t, err, fault.Forbidden)
	dan, err := w.joinAs("dan@example.test")
	require.NoError(t, err)
	require.NoError(t, w.s.ComparePhoto(t.Context(), w.addPicture(web.Actor{ID: dan}, "photo", photo(t, 1))))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports WHERE reported_user_id = $1 AND source = 'ban'`, dan))
}

// Nothing is stored about a former member after a decision without a ban, or without a pending report.
func TestDecideReport_WithoutBanForgetsFormerMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, err := w.joinAs("admin@example.test")
	require.NoError(t, err)
	bob, reports := w.reported()
	w.depart(bob)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM departed_photos`))
	require.NoError(t, w.s.DecideReport(t.Context(), admin, reports[0], moderation.Decision{Action: moderation.NoAction, Reason: "fine"}))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM departed_members`), "another report is pending")
	require.NoError(t, w.s.DecideReport(t.Context(), admin, reports[1], moderation.Decision{Action: moderation.NoAction, Reason: "fine"}))
	require.Zero(t, w.Count(`SELECT count(*) FROM departed_members`))
	bob, err = w.joinAs("bob@example.test")
	require.NoError(t, err)
	w.depart(bob)
	require.Zero(t, w.Count(`SELECT count(*) FROM departed_members`), "no report was pending")
	require.Zero(t, w.Count(`SELECT count(*) FROM bans`))
}

// If the reports are decided between the deletion of the files and that of the account, nothing stays stored.
func TestCompleteDeparture_ForgetsMemberDecidedMeanwhile(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, err := w.joinAs("admin@example.test")
	require.NoError(t, err)
	bob, reports := w.reported()
	require.NoError(t, w.s.BeginDeparture(t.Context(), bob))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM departed_members`))
	for _, report := range reports {
		require.NoError(t, w.s.DecideReport(t.Context(), admin, report, moderation.Decision{Action: moderation.NoAction, Reason: "fine"}))
	}
	require.NoError(t, pg.TxDo(t.Context(), w.Pool, func(tx pgx.Tx) error { return w.s.CompleteDeparture(t.Context(), tx, bob) }))
	require.Zero(t, w.Count(`SELECT count(*) FROM departed_members`))
}

// Photos that a member has replaced since the report are banned with the others.
func TestBan_HoldsForPhotosInEvidence(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, err := w.joinAs("admin@example.test")
	require.NoError(t, err)
	bob, reports := w.reported()
	w.Exec(`DELETE FROM files WHERE owner_id = $1`, bob)
	w.addPicture(web.Actor{ID: bob}, "photo", photo(t, 5))
	require.NoError(t, w.s.DecideReport(t.Context(), admin, reports[0], moderation.Decision{Action: moderation.Ban, Explanation: "Scam.", Reason: "seen"}))
	ban := testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM bans`)
	require.NoError(t, w.s.StoreBannedPhotos(t.Context(), moderation.BanPhotosArgs{BanID: ban}))
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM banned_photos WHERE algorithm = 'dhash/1 keyed'`))
}
