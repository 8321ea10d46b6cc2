package moderation_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func (w *env) standing(member web.Actor) moderation.Standing {
	w.Helper()
	standing, err := w.s.Standing(context.Background(), member)
	require.NoError(w, err)
	return standing
}

// appeal appeals against the sanction that has an effect now, and returns its id.
func (w *env) appeal(member web.Actor) uuid.UUID {
	w.Helper()
	id := w.standing(member).Sanction.ID
	require.NoError(w, w.s.Appeal(context.Background(), member, id, "It was not me."))
	return id
}

func (w *env) decideAppeal(admin web.Actor, id uuid.UUID, outcome string) error {
	return w.s.DecideAppeal(context.Background(), admin.ID, id, moderation.AppealDecision{Outcome: outcome, Explanation: "We looked again.", Reason: "Read"})
}

// A member sees the own suspension with the admin's words, appeals once, and gets the outcome
// by mail. An appeal that is lifted ends the suspension at once.
func TestAppeal_Story(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	w.s.ContactAt("care@heartward.test", "")
	var changed []uuid.UUID
	w.s.WatchStatus(func(_ context.Context, id uuid.UUID) { changed = append(changed, id) })
	admin, other, bob, ann := w.Admin("Admin Moss"), w.Admin("Admin Moss"), w.Member("Bob Moss"), w.Member("Ann Moss")
	require.Equal(t, moderation.Standing{Status: "active", Contact: "care@heartward.test"}, w.standing(bob))
	until := time.Now().Add(48 * time.Hour)
	require.NoError(t, w.setStatus(admin, bob, "suspended", &until))
	standing := w.standing(bob)
	require.Equal(t, []any{"suspended", false}, []any{standing.Status, standing.UnderReport})
	require.Equal(t, []any{moderation.Suspension, "You asked for money."}, []any{standing.Sanction.Kind, standing.Sanction.Explanation})
	require.WithinDuration(t, until, *standing.Sanction.SuspendedUntil, time.Millisecond)
	require.Nil(t, standing.Appeal)
	id := standing.Sanction.ID

	require.Equal(t, "text", fault.From(w.s.Appeal(ctx, bob, id, " ")).Field)
	require.Equal(t, "text", fault.From(w.s.Appeal(ctx, bob, id, strings.Repeat("x", 2001))).Field)
	testkit.RequireKind(t, w.s.Appeal(ctx, ann, id, "It was me."), fault.NotFound)
	testkit.RequireKind(t, w.s.Appeal(ctx, bob, uuid.New(), "It was me."), fault.NotFound)
	for range 2 {
		require.Equal(t, id, w.appeal(bob))
	}
	testkit.RequireKind(t, w.s.Appeal(ctx, bob, id, "And another thing."), fault.Conflict)
	require.Nil(t, w.standing(bob).Appeal.Outcome)

	list, next, err := w.s.Appeals(ctx, other.ID, true, "", 10)
	require.NoError(t, err)
	require.Empty(t, next)
	require.Len(t, list, 1)
	require.Equal(t, []any{id, "Bob", "Admin Moss", true}, []any{list[0].ID, list[0].User.FirstName, *list[0].SanctionedBy, list[0].MayDecide})
	list, _, err = w.s.Appeals(ctx, admin.ID, true, "", 10)
	require.NoError(t, err)
	require.False(t, list[0].MayDecide, "another admin has to decide")
	opened, err := w.s.OpenAppeal(ctx, other.ID, id, "Queue")
	require.NoError(t, err)
	require.Equal(t, []string{"It was not me.", "You asked for money."}, []string{opened.Text, opened.Explanation})
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'appeal.open' AND admin_id = $1 AND subject_id = $2 AND reason = 'Queue'`, other.ID, bob.ID))
	_, err = w.s.OpenAppeal(ctx, other.ID, id, " ")
	require.Equal(t, "reason", fault.From(err).Field)

	testkit.RequireKind(t, w.decideAppeal(admin, id, moderation.Lifted), fault.Forbidden)
	for range 2 {
		require.NoError(t, w.decideAppeal(other, id, moderation.Lifted))
	}
	testkit.RequireKind(t, w.decideAppeal(other, id, moderation.Upheld), fault.Conflict)
	require.Equal(t, "active", w.status(bob))
	require.Equal(t, []uuid.UUID{bob.ID, bob.ID}, changed)
	require.Equal(t, moderation.Reinstatement, w.record(admin, bob).Sanctions[0].Kind)
	require.Equal(t, []int{1, 1}, []int{w.Count(`SELECT count(*) FROM audit_log WHERE action = 'appeal.lifted'`), w.Count(`SELECT count(*) FROM river_job WHERE kind = 'appeal'`)})
	list, _, err = w.s.Appeals(ctx, other.ID, false, "", 10)
	require.NoError(t, err)
	require.Equal(t, moderation.Lifted, *list[0].Outcome)

	folder, err := mail.NewFolder(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, moderation.SendAppealOutcome(ctx, w.Pool, folder, moderation.AppealArgs{SanctionID: id}))
	require.NoError(t, moderation.SendAppealOutcome(ctx, w.Pool, folder, moderation.AppealArgs{SanctionID: uuid.New()}), "of a deleted member")
	mails, err := folder.List(bob.ID.String()+"@example.test", 10)
	require.NoError(t, err)
	require.Len(t, mails, 1)
	require.Contains(t, mails[0].Text, "We looked again.")

	w.Exec(`UPDATE appeals SET decided_at = now() - interval '91 days'`)
	emptied, err := moderation.DeleteOldAppeals(ctx, w.Pool, 10)
	require.NoError(t, err)
	require.Equal(t, 1, emptied)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM appeals WHERE content = ''`))
}

func TestAppeal_UpheldKeepsSanction(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, bob := w.Admin("Admin Moss"), w.Member("Bob Moss")
	require.NoError(t, w.setStatus(admin, bob, "suspended", nil))
	id := w.appeal(bob)
	require.NoError(t, w.decideAppeal(admin, id, moderation.Upheld), "the only admin decides on the own decision")
	require.Equal(t, "suspended", w.status(bob))
	standing := w.standing(bob)
	require.Equal(t, id, standing.Sanction.ID)
	require.Equal(t, []string{"upheld", "We looked again."}, []string{*standing.Appeal.Outcome, standing.Appeal.Explanation})
	testkit.RequireKind(t, w.s.Appeal(t.Context(), bob, id, "Once more."), fault.Conflict)
}

// Only the appealed sanction ends: another that is in force stays, and so does a review.
func TestAppeal_LiftedLeavesOtherSanctions(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, bob := w.Admin("Admin Moss"), w.Member("Bob Moss")
	ann, eve := w.Member("Ann Moss"), w.Member("Eve Moss")
	w.like(ann, bob)
	w.like(eve, bob)
	require.NoError(t, w.setStatus(admin, bob, "under_review", nil))
	require.Equal(t, moderation.Review, w.standing(bob).Sanction.Kind)
	first, second := w.report(ann, urgent(bob)).ID, w.report(eve, urgent(bob)).ID
	require.NoError(t, w.decide(admin, first, moderation.Suspend))
	require.NoError(t, w.decide(admin, second, moderation.Ban))
	ban := w.appeal(bob)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM sanctions WHERE id = $1 AND kind = 'ban'`, ban))
	require.NoError(t, w.decideAppeal(admin, ban, moderation.Lifted))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users WHERE id = $1 AND profile_status = 'suspended' AND suspended_until > now()`, bob.ID))
	require.NoError(t, w.decideAppeal(admin, w.appeal(bob), moderation.Lifted))
	require.Equal(t, "under_review", w.status(bob))
	require.NoError(t, w.decideAppeal(admin, w.appeal(bob), moderation.Lifted))
	require.Equal(t, "active", w.status(bob))
}

// A report hides the profile without a decision, so there is nothing to appeal. The appeal
// against an earlier suspension does not show the profile.
func TestAppeal_PendingReport(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, bob := w.Admin("Admin Moss"), w.Member("Bob Moss")
	require.NoError(t, w.setStatus(admin, bob, "suspended", nil))
	id := w.appeal(bob)
	w.report(w.Member("Ann Moss"), urgent(bob))
	require.NoError(t, w.decideAppeal(admin, id, moderation.Lifted))
	require.Equal(t, "under_review", w.status(bob))
	standing := w.standing(bob)
	require.True(t, standing.UnderReport)
	require.Nil(t, standing.Sanction)
	testkit.RequireKind(t, w.s.Appeal(t.Context(), bob, id, "Again."), fault.Conflict)
}

// A suspension may end while the appeal is pending, by its time or by an admin.
func TestAppeal_SanctionEndsMeanwhile(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	admin, bob, eve := w.Admin("Admin Moss"), w.Member("Bob Moss"), w.Member("Eve Moss")
	until := time.Now().Add(time.Hour)
	for _, member := range []web.Actor{bob, eve} {
		require.NoError(t, w.setStatus(admin, member, "suspended", &until))
	}
	ofEve := w.standing(eve).Sanction.ID
	id := w.appeal(bob)
	w.Exec(`UPDATE sanctions SET suspended_until = now()`)
	w.Exec(`UPDATE users SET suspended_until = now() WHERE profile_status = 'suspended'`)
	testkit.RequireKind(t, w.s.Appeal(ctx, eve, ofEve, "It was not me."), fault.Conflict)
	_, err := members.EndSuspensions(ctx, w.Pool, 10)
	require.NoError(t, err)
	require.NoError(t, w.decideAppeal(admin, id, moderation.Lifted))
	require.Equal(t, "active", w.status(bob))
	require.Equal(t, 3, w.Count(`SELECT count(*) FROM sanctions`), "the decision that took it back")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM sanctions WHERE kind = 'reversal'`), "there was nothing to end")

	require.NoError(t, w.setStatus(admin, bob, "suspended", nil))
	id = w.appeal(bob)
	require.NoError(t, w.setStatus(admin, bob, "active", nil))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM appeals WHERE sanction_id = $1 AND outcome = 'lifted'`, id), "the reinstatement answers the appeal")
	testkit.RequireKind(t, w.decideAppeal(admin, id, moderation.Upheld), fault.Conflict)
}

// Of two admins who decide differently at once, one succeeds and one gets a conflict.
func TestDecideAppeal_Race(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, first, second := w.Admin("Admin Moss"), w.Admin("Admin Moss"), w.Admin("Admin Moss")
	for range 5 {
		bob := w.Member("Bob Moss")
		require.NoError(t, w.setStatus(admin, bob, "suspended", nil))
		id := w.appeal(bob)
		var errs [2]error
		concurrently(
			func() { errs[0] = w.decideAppeal(first, id, moderation.Lifted) },
			func() { errs[1] = w.decideAppeal(second, id, moderation.Upheld) },
		)
		winner := 0
		if errs[0] != nil {
			winner = 1
		}
		require.NoError(t, errs[winner])
		testkit.RequireKind(t, errs[1-winner], fault.Conflict)
		require.Equal(t, []string{"active", "suspended"}[winner], w.status(bob))
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE subject_id = $1 AND action LIKE 'appeal.%'`, bob.ID))
	}
}

// An admin neither sees nor decides an appeal against the decision on the own report.
func TestAppeals_OmitOwnReports(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, reporter, bob := w.Admin("Admin Moss"), w.Admin("Admin Moss"), w.Member("Bob Moss")
	require.NoError(t, w.decide(admin, w.report(reporter, urgent(bob)).ID, moderation.Ban))
	id := w.appeal(bob)
	list, _, err := w.s.Appeals(t.Context(), reporter.ID, true, "", 10)
	require.NoError(t, err)
	require.Empty(t, list)
	_, err = w.s.OpenAppeal(t.Context(), reporter.ID, id, "Mine")
	testkit.RequireKind(t, err, fault.NotFound)
	testkit.RequireKind(t, w.decideAppeal(reporter, id, moderation.Upheld), fault.NotFound)
	counts, err := w.s.CountAppeals(t.Context(), admin.ID)
	require.NoError(t, err)
	require.Equal(t, moderation.AppealCounts{Pending: 1}, counts)
}
