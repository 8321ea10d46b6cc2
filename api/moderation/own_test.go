package moderation_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// A reporter sees the own reports and whether something followed, not which sanction.
func TestOwnReports_TellOutcomeWithoutSanction(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := t.Context()
	admin, ann, eve := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Eve Moss")
	outcome := func(id uuid.UUID) *string {
		list, _, err := w.s.OwnReports(ctx, ann, "", 50)
		require.NoError(t, err)
		for _, r := range list {
			if r.ID == id {
				require.Equal(t, r.Outcome == nil, r.DecidedAt == nil)
				return r.Outcome
			}
		}
		t.Fatal("the report is not in the list")
		return nil
	}
	for action, want := range map[string]string{
		moderation.NoAction: "no_action", moderation.Warn: "action", moderation.Suspend: "action", moderation.Ban: "action", moderation.NotOfAge: "action",
	} {
		id := w.report(ann, report(w.Member("Bob Moss"))).ID
		require.Nil(t, outcome(id))
		require.NoError(t, w.decide(admin, id, action))
		require.Equal(t, want, *outcome(id))
	}
	last := w.Member("Zoe Moss")
	w.report(ann, report(last))
	list, next, err := w.s.OwnReports(ctx, ann, "", 2)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, []any{"Zoe", "conversation", moderation.Reason("harassment")}, []any{list[0].User.FirstName, list[0].Place, list[0].Reason})
	list, _, err = w.s.OwnReports(ctx, ann, next, 50)
	require.NoError(t, err)
	require.Len(t, list, 4)
	w.Exec(`DELETE FROM users WHERE id = $1`, last.ID)
	list, _, err = w.s.OwnReports(ctx, ann, "", 1)
	require.NoError(t, err)
	require.Nil(t, list[0].User, "of a deleted account")
	list, _, err = w.s.OwnReports(ctx, eve, "", 50)
	require.NoError(t, err)
	require.Empty(t, list)
	_, _, err = w.s.OwnReports(ctx, ann, "nonsense", 50)
	testkit.RequireKind(t, err, fault.Invalid)
}

// A member reads every decision about the account, warnings too, and can appeal against a warning once. An appeal that is
// decided by the moderator of the warning, because there is no other, says so.
func TestOwnDecisions_WarningCanBeAppealed(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := t.Context()
	admin, ann, bob := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Bob Moss")
	decisions := func(of web.Actor) []moderation.OwnDecision {
		list, err := w.s.OwnDecisions(ctx, of)
		require.NoError(t, err)
		return list
	}
	require.Empty(t, decisions(bob))
	warning := uuid.New()
	require.NoError(t, w.s.Warn(ctx, admin.ID, bob.ID, warning, "Please be kind.", "", "Seen"))
	got := decisions(bob)
	require.Len(t, got, 1)
	require.Equal(t, []any{moderation.Warning, "Please be kind.", true}, []any{got[0].Kind, got[0].Explanation, got[0].MayAppeal})
	testkit.RequireKind(t, w.s.Appeal(ctx, ann, warning, "Not mine."), fault.NotFound)
	require.NoError(t, w.s.Appeal(ctx, bob, warning, "I quoted a film."))
	testkit.RequireKind(t, w.s.Appeal(ctx, bob, warning, "Again."), fault.Conflict)
	require.False(t, decisions(bob)[0].MayAppeal)

	until := time.Now().Add(48 * time.Hour)
	require.NoError(t, w.setStatus(admin, bob, "suspended", &until))
	require.NoError(t, w.decideAppeal(admin, warning, moderation.Lifted))
	require.Equal(t, "suspended", w.status(bob), "a warning that is taken back changes no status")
	require.Equal(t, moderation.Reversal, decisions(bob)[0].Kind)
	got = decisions(bob)[1:]
	require.Equal(t, []any{moderation.Suspension, true}, []any{got[0].Kind, got[0].MayAppeal})
	require.Equal(t, []any{"lifted", true}, []any{*got[1].Appeal.Outcome, got[1].Appeal.SameModerator})
	box := &mailbox{}
	require.NoError(t, moderation.SendAppealOutcome(ctx, w.Pool, box, moderation.AppealArgs{SanctionID: warning}))
	require.Contains(t, oneLine(box.mails[0].Text), "no one else on our team")

	old := uuid.New()
	require.NoError(t, w.s.Warn(ctx, admin.ID, ann.ID, old, "Please be kind.", "", "Seen"))
	w.Exec(`UPDATE sanctions SET created_at = now() - interval '181 days' WHERE id = $1`, old)
	require.False(t, decisions(ann)[0].MayAppeal)
	testkit.RequireKind(t, w.s.Appeal(ctx, ann, old, "Late."), fault.Conflict)
}

// Reports about the age are listed and counted separately. A moderator can ask for the age without a sanction. The matches
// of the hidden member are not informed: no match ends, and after the decision everything is as before.
func TestAskAge_NeedsNoSanctionAndTellsPartnersNothing(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := t.Context()
	admin, ann, bob, friend := w.Admin("Admin Moss"), w.credible("Ann Moss"), w.Member("Bob Moss"), w.Member("Friend Moss")
	w.match(friend, bob)
	require.NoError(t, w.send(bob, friend, "Hello"))
	before := w.visibleOn(friend, bob)
	in := urgent(bob)
	in.Reason = "underage"
	id := w.report(ann, in).ID
	other := w.report(ann, urgent(w.Member("Fay Moss"))).ID
	counts, err := w.s.CountReports(ctx, admin.ID)
	require.NoError(t, err)
	require.Equal(t, []int{2, 1}, []int{counts.Pending, counts.Underage})
	list, _, err := w.s.Reports(ctx, admin.ID, "pending", "underage", "", 10)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, id, list[0].ID)

	testkit.RequireKind(t, w.s.AskAge(ctx, admin.ID, uuid.New(), "x"), fault.NotFound)
	testkit.RequireKind(t, w.s.AskAge(ctx, ann.ID, id, "x"), fault.NotFound)
	testkit.RequireKind(t, w.s.AskAge(ctx, admin.ID, other, "x"), fault.Conflict)
	_, err = w.s.OpenReport(ctx, admin.ID, id, "To see")
	require.NoError(t, err)
	testkit.RequireInvalid(t, w.s.AskAge(ctx, admin.ID, id, " "), "reason")
	for range 2 {
		require.NoError(t, w.s.AskAge(ctx, admin.ID, id, "Looks young"))
	}
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'report.ask_age' AND subject_id = $1`, bob.ID))
	box := &mailbox{}
	require.NoError(t, moderation.SendAskAge(ctx, w.Pool, box, office, moderation.AskAgeArgs{ReportID: id}))
	require.Contains(t, box.mails[0].Text, "care@heartward.test")
	require.NotContains(t, box.mails[0].Text, "Ann")
	standing, err := w.s.Standing(ctx, bob)
	require.NoError(t, err)
	require.True(t, standing.AgeAsked)
	require.Nil(t, standing.Sanction)
	require.Nil(t, standing.HiddenUntil, "until the decision")

	require.Empty(t, w.visibleOn(friend, bob))
	require.Empty(t, w.published(friend, "unmatched"))
	require.Zero(t, w.Count(`SELECT count(*) FROM river_job WHERE args->>'memberId' = $1 AND kind NOT IN ('notify', 'notify_match', 'badge_check')`, friend.ID.String()), "no mail")
	w.clear(bob)
	require.Equal(t, before, w.visibleOn(friend, bob))
	testkit.RequireKind(t, w.s.AskAge(ctx, admin.ID, id, "x"), fault.Conflict)
	require.NoError(t, moderation.SendAskAge(ctx, w.Pool, box, office, moderation.AskAgeArgs{ReportID: id}))
	require.Len(t, box.mails, 1, "no mail after the decision")
}
