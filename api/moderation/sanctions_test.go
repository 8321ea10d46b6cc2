package moderation_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func (w *env) setStatus(admin, member web.Actor, status string, until *time.Time) error {
	in := moderation.StatusChange{Status: status, SuspendedUntil: until, Reason: "Seen"}
	if status != "active" {
		in.Explanation = "You asked for money."
	}
	return w.s.SetStatus(context.Background(), admin.ID, member.ID, in)
}

// record returns the record of a member for an admin.
func (w *env) record(admin, member web.Actor) moderation.Record {
	w.Helper()
	record, err := moderation.RecordOf(context.Background(), w.Pool, admin.ID, member.ID)
	require.NoError(w, err)
	return record
}

// Each status has its effect at once, on the profile and on sessions, and its audit row,
// sanction and mail. A repetition has none.
func TestSetStatus_TakesEffect(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	var changed []uuid.UUID
	w.s.WatchStatus(func(_ context.Context, id uuid.UUID) { changed = append(changed, id) })
	admin, bob := w.Admin("Admin Moss"), w.Member("Bob Moss")
	until := time.Now().Add(48 * time.Hour)
	for i, step := range []struct {
		status string
		until  *time.Time
		kind   moderation.SanctionKind
	}{
		{"under_review", nil, moderation.Review},
		{"suspended", &until, moderation.Suspension},
		{"suspended", nil, moderation.BanForGood},
		{"active", nil, moderation.Reinstatement},
	} {
		session := w.session(bob)
		for range 2 {
			require.NoError(t, w.setStatus(admin, bob, step.status, step.until))
		}
		require.Equal(t, step.status, w.status(bob))
		ends := step.status == "suspended"
		require.Equal(t, ends, w.Count(`SELECT count(*) FROM sessions WHERE id = $1`, session) == 0, step.kind)
		closes := step.status != "active"
		require.Equal(t, closes, slices.Contains(w.events.Subjects(), auth.SessionSubject(session)), "%s: sockets are closed", step.kind)
		require.Equal(t, closes, w.endJobs(session) == 1, "%s: also if the response to COMMIT is lost", step.kind)
		require.Equal(t, step.until != nil, w.Count(`SELECT count(*) FROM users WHERE id = $1 AND suspended_until > now()`, bob.ID) == 1, step.kind)
		require.Equal(t, i+1, w.Count(`SELECT count(*) FROM audit_log WHERE admin_id = $1 AND subject_id = $2 AND reason = 'Seen'`, admin.ID, bob.ID))
		require.Equal(t, i+1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'sanction'`))
		record := w.record(admin, bob)
		require.Len(t, record.Sanctions, i+1)
		require.Equal(t, step.kind, record.Sanctions[0].Kind)
		require.Equal(t, "Admin Moss", *record.Sanctions[0].DecidedBy)
	}
	require.Equal(t, []uuid.UUID{bob.ID, bob.ID, bob.ID, bob.ID}, changed)
}

func TestSetStatus_Refusals(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, other, bob, hidden, leaving := w.Admin("Admin Moss"), w.Admin("Admin Moss"), w.Member("Bob Moss"), w.Member("Hidden Moss"), w.Member("Leaving Moss")
	past := time.Now().Add(-time.Hour)
	for field, in := range map[string]moderation.StatusChange{
		"explanation":    {Status: "suspended", Reason: "x"},
		"suspendedUntil": {Status: "suspended", SuspendedUntil: &past, Explanation: "x", Reason: "x"},
		"reason":         {Status: "suspended", Explanation: "x", Reason: " "},
	} {
		require.Equal(t, field, fault.From(w.s.SetStatus(t.Context(), admin.ID, bob.ID, in)).Field)
	}
	require.Equal(t, "suspendedUntil", fault.From(w.setStatus(admin, bob, "active", new(time.Now().Add(time.Hour)))).Field)
	testkit.RequireKind(t, w.setStatus(admin, admin, "suspended", nil), fault.Forbidden)
	testkit.RequireKind(t, w.setStatus(admin, other, "suspended", nil), fault.Forbidden)
	testkit.RequireKind(t, w.setStatus(admin, web.Actor{ID: uuid.New()}, "suspended", nil), fault.NotFound)

	w.report(w.Member("Ann Moss"), urgent(hidden))
	testkit.RequireKind(t, w.setStatus(admin, hidden, "active", nil), fault.Conflict)
	w.Exec(`UPDATE users SET profile_status = 'leaving', deletion_due_at = now() + interval '1 day' WHERE id = $1`, leaving.ID)
	testkit.RequireKind(t, w.setStatus(admin, leaving, "active", nil), fault.Conflict)
	require.Zero(t, w.Count(`SELECT count(*) FROM sanctions`)+w.Count(`SELECT count(*) FROM audit_log`)+w.Count(`SELECT count(*) FROM river_job WHERE kind = 'sanction'`))

	require.NoError(t, w.setStatus(admin, leaving, "suspended", nil))
	require.NoError(t, w.setStatus(admin, leaving, "active", nil))
	require.Equal(t, "leaving", w.status(leaving), "the deletion goes on")
}

func TestWarn_IsIdempotent(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	admin, bob, ann, id := w.Admin("Admin Moss"), w.Member("Bob Moss"), w.Member("Ann Moss"), uuid.New()
	for range 2 {
		require.NoError(t, w.s.Warn(ctx, admin.ID, bob.ID, id, "Please be kind.", "", "Seen"))
	}
	testkit.RequireKind(t, w.s.Warn(ctx, admin.ID, ann.ID, id, "Please be kind.", "", "Seen"), fault.Conflict)
	testkit.RequireKind(t, w.s.Warn(ctx, admin.ID, admin.ID, uuid.New(), "x", "", "x"), fault.Forbidden)
	testkit.RequireKind(t, w.s.Warn(ctx, admin.ID, uuid.New(), uuid.New(), "x", "", "x"), fault.NotFound)
	require.Equal(t, "explanation", fault.From(w.s.Warn(ctx, admin.ID, bob.ID, uuid.New(), " ", "", "x")).Field)
	require.Equal(t, "reason", fault.From(w.s.Warn(ctx, admin.ID, bob.ID, uuid.New(), "x", "", " ")).Field)
	require.Equal(t, []int{1, 1, 1}, []int{w.Count(`SELECT count(*) FROM sanctions`), w.Count(`SELECT count(*) FROM audit_log WHERE action = 'member.warn'`), w.Count(`SELECT count(*) FROM river_job WHERE kind = 'sanction'`)})

	folder, err := mail.NewFolder(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, moderation.SendSanction(ctx, w.Pool, folder, office, moderation.SanctionArgs{SanctionID: id}))
	require.NoError(t, moderation.SendSanction(ctx, w.Pool, folder, office, moderation.SanctionArgs{SanctionID: uuid.New()}), "of a deleted member")
	mails, err := folder.List(bob.ID.String()+"@example.test", 10)
	require.NoError(t, err)
	require.Len(t, mails, 1)
	require.Contains(t, mails[0].Text, "Hi Bob,")
	require.Contains(t, mails[0].Text, "Please be kind.")
}

// Decisions on reports and flags are sanctions too.
func TestRecord_HasDecisionsAndReports(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann, bob := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Bob Moss")
	w.match(ann, bob)
	flag := w.sendFlagged(bob, ann, "an insult", "harassment")
	require.NoError(t, w.decideFlag(admin, flag, moderation.Warn))
	first := w.report(ann, urgent(bob)).ID
	require.NoError(t, w.decide(admin, first, moderation.NoAction))
	second := w.report(w.Member("Eve Moss"), urgent(bob)).ID
	require.NoError(t, w.decide(admin, second, moderation.Suspend))

	record := w.record(admin, bob)
	require.Equal(t, []int{2, 0, 0, 1, 2}, []int{record.ReportsAbout, record.ReportsMade, record.UnfoundedReports, record.FlaggedMessages, record.BlockedBy})
	require.Equal(t, second, record.Reports[0].ID)
	require.Len(t, record.Sanctions, 2)
	require.Equal(t, []any{moderation.Suspension, second}, []any{record.Sanctions[0].Kind, *record.Sanctions[0].ReportID})
	require.Equal(t, []any{moderation.Warning, flag}, []any{record.Sanctions[1].Kind, *record.Sanctions[1].MessageID})
	require.Equal(t, []int{1, 1}, []int{w.record(admin, ann).ReportsMade, w.record(admin, ann).UnfoundedReports})
	require.Zero(t, w.record(ann, bob).ReportsAbout-1, "an admin does not see the own reports")
}
