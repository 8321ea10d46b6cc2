package moderation_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/queue"
)

// Admins and moderators cannot find, open or decide on a report by or about their match while another admin, who is not a
// match of that member, can.
func TestReport_OfMatchIsForAnotherAdmin(t *testing.T) {
	t.Parallel()
	for name, role := range map[string]string{"an admin": "is_admin", "a moderator": "is_moderator"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			queued := queue.New(w.Pool)
			ann, bob, eve := w.Member("Ann Moss"), w.Member("Bob Moss"), w.Member("Eve Moss")
			judge, other := w.Member("Mo Moss", testkit.Columns{role: true}), w.Admin("Admin Moss")
			judge.Admin, judge.Moderator, other.Admin, other.Moderator = role == "is_admin", true, true, true
			w.match(judge, bob)
			about := w.report(ann, moderation.ReportInput{UserID: bob.ID, Reason: "harassment", Place: "profile"}).ID
			by := w.report(bob, moderation.ReportInput{UserID: eve.ID, Reason: "spam", Place: "profile"}).ID
			waiting := func(of web.Actor) int {
				entries, _, err := queued.List(t.Context(), of, queue.Report, web.Page{Limit: 10})
				require.NoError(t, err)
				require.Len(t, w.reportQueue(of, 10), len(entries))
				counts, err := w.s.CountReports(t.Context(), of.ID)
				require.NoError(t, err)
				require.Len(t, entries, counts.Pending)
				return len(entries)
			}
			dismiss := moderation.Decision{Action: moderation.NoAction, Reason: "Seen", ByModerator: role != "is_admin"}
			require.Zero(t, waiting(judge))
			for _, id := range []uuid.UUID{about, by} {
				_, err := w.s.OpenReport(t.Context(), judge.ID, id, "To see")
				testkit.RequireKind(t, err, fault.NotFound)
				testkit.RequireKind(t, w.s.DecideReport(t.Context(), judge.ID, id, dismiss), fault.Forbidden)
			}
			require.Equal(t, 2, waiting(other))
			decided := w.report(w.Member("Eli Moss"), moderation.ReportInput{UserID: bob.ID, Reason: "spam", Place: "profile"}).ID
			require.NoError(t, w.s.DecideReport(t.Context(), other.ID, decided, moderation.Decision{Action: moderation.NoAction, Reason: "Seen"}))
			testkit.RequireKind(t, w.s.DecideReport(t.Context(), judge.ID, decided, dismiss), fault.Forbidden, "does not learn of the decision")

			w.match(other, bob)
			require.Equal(t, 2, waiting(judge), "the other admin is his match too: nobody else can decide")
			require.Equal(t, 2, waiting(other))
			require.NoError(t, w.s.DecideReport(t.Context(), judge.ID, by, dismiss))
			w.Exec(`UPDATE matches SET unmatched_at = now(), unmatched_by = user_a WHERE $1 IN (user_a, user_b)`, judge.ID)
			require.Equal(t, 1, waiting(judge), "no match any more")
			withheld := map[string]int{"is_admin": 0, "is_moderator": 1}[role]
			require.Equal(t, withheld, waiting(other), "only an admin can decide everything in place of an admin")
		})
	}
}

// The same holds for flagged messages of a match.
func TestFlag_OfMatchIsForAnotherAdmin(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	judge, other := w.Admin("Mo Moss"), w.Admin("Admin Moss")
	w.match(ann, bob)
	w.match(judge, ann)
	id := w.sendFlagged(ann, bob, "You will regret this.", "harassment")
	dismiss := moderation.Decision{Action: moderation.Dismiss, Reason: "Seen"}
	_, err := w.s.OpenFlag(t.Context(), judge.ID, id, "To see")
	testkit.RequireKind(t, err, fault.NotFound)
	testkit.RequireKind(t, w.s.DecideFlag(t.Context(), judge.ID, id, dismiss), fault.Forbidden)
	_, err = w.s.OpenFlag(t.Context(), other.ID, id, "To see")
	require.NoError(t, err)
	require.NoError(t, w.s.DecideFlag(t.Context(), other.ID, id, dismiss))
	require.NoError(t, w.s.DecideFlag(t.Context(), other.ID, id, dismiss))
	testkit.RequireKind(t, w.s.DecideFlag(t.Context(), judge.ID, id, dismiss), fault.Forbidden, "does not learn of the decision")
}

// A match of a party decides if the only other admin is the other party, or a match of it.
func TestCase_IsForMatchIfOtherAdminIsInvolved(t *testing.T) {
	t.Parallel()
	for name, isParty := range map[string]bool{"the other admin is a party": true, "the other admin is a match of the other party": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			queued := queue.New(w.Pool)
			bob, judge, other := w.Member("Bob Moss"), w.Admin("Mo Moss"), w.Admin("Otto Moss")
			ann := other
			if !isParty {
				ann = w.Member("Ann Moss")
				w.match(other, ann)
			}
			w.match(judge, bob)
			w.match(ann, bob)
			flag := w.sendFlagged(bob, ann, "You will regret this.", "harassment")
			// The report ends their match.
			reported := w.report(ann, moderation.ReportInput{UserID: bob.ID, Reason: "harassment", Place: "conversation"}).ID
			for _, kind := range []queue.Kind{queue.Report, queue.Flag} {
				entries, _, err := queued.List(t.Context(), judge, kind, web.Page{Limit: 10})
				require.NoError(t, err)
				require.Len(t, entries, 1, kind)
			}
			_, err := w.s.OpenReport(t.Context(), judge.ID, reported, "To see")
			require.NoError(t, err)
			require.NoError(t, w.decide(judge, reported, moderation.NoAction))
			_, err = w.s.OpenFlag(t.Context(), judge.ID, flag, "To see")
			require.NoError(t, err)
			w.Admin("Ada Moss")
			_, err = w.s.OpenFlag(t.Context(), judge.ID, flag, "To see")
			testkit.RequireKind(t, err, fault.NotFound, "an admin who is not involved can decide")
			testkit.RequireKind(t, w.decideFlag(judge, flag, moderation.Dismiss), fault.Forbidden)
		})
	}
}

// The same holds for appeals, which only admins decide.
func TestAppeal_OfMatchIsForAnotherAdmin(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	bob, judge, other, third := w.Member("Bob Moss"), w.Admin("Mo Moss"), w.Admin("Admin Moss"), w.Admin("Otto Moss")
	w.match(judge, bob)
	require.NoError(t, w.setStatus(third, bob, "suspended", nil))
	id := w.appeal(bob)
	_, err := w.s.OpenAppeal(t.Context(), judge.ID, id, "To see")
	testkit.RequireKind(t, err, fault.NotFound)
	lift := moderation.AppealDecision{Outcome: moderation.Lifted, Explanation: "We were wrong.", Reason: "Read"}
	testkit.RequireKind(t, w.s.DecideAppeal(t.Context(), judge.ID, id, lift), fault.NotFound)
	require.NoError(t, w.s.DecideAppeal(t.Context(), other.ID, id, lift))
}

// A moderator who opened a flag before the match with one of its members reads no more files of it.
func TestOpenFlaggedFile_OfMatchIsForAnotherAdmin(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob, judge := w.Member("Ann Moss"), w.Member("Bob Moss"), w.Admin("Mo Moss")
	w.Admin("Admin Moss")
	w.match(ann, bob)
	file, message := w.sendPicture(bob, ann, "")
	w.makeEvidence("bothers", ann, bob, message)
	open := func() error {
		_, err := w.s.OpenFlaggedFile(t.Context(), judge.ID, message.ID, file, "full.webp")
		return err
	}
	_, err := w.s.OpenFlag(t.Context(), judge.ID, message.ID, "To see")
	require.NoError(t, err)
	require.NoError(t, open())
	w.match(judge, bob)
	testkit.RequireKind(t, open(), fault.NotFound)
}

// An admin whom a message reached neither sees nor decides the appeal of its sender against what followed, and neither does one
// who is a match of the recipient or of the reporter.
func TestAppeal_OfCounterpartIsForAnotherAdmin(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	queued := queue.New(w.Pool)
	bob, recipient, judge, third := w.Member("Bob Moss"), w.Admin("Rae Moss"), w.Admin("Mo Moss"), w.Admin("Otto Moss")
	recipient.Admin, judge.Admin, third.Admin = true, true, true
	w.match(bob, recipient)
	w.match(judge, recipient)
	id := w.sendFlagged(bob, recipient, "You will regret this.", "harassment")
	require.NoError(t, w.decideFlag(third, id, moderation.Suspend))
	appeal := w.appeal(bob)
	lift := moderation.AppealDecision{Outcome: moderation.Lifted, Explanation: "We were wrong.", Reason: "Read"}
	for _, refused := range []web.Actor{recipient, judge} {
		list, _, err := w.s.Appeals(t.Context(), refused.ID, true, "", 10)
		require.NoError(t, err)
		require.Empty(t, list)
		counts, err := w.s.CountAppeals(t.Context(), refused.ID)
		require.NoError(t, err)
		require.Zero(t, counts.Pending)
		entries, _, err := queued.List(t.Context(), refused, queue.Appeal, web.Page{Limit: 10})
		require.NoError(t, err)
		require.Empty(t, entries)
		_, err = w.s.OpenAppeal(t.Context(), refused.ID, appeal, "To see")
		testkit.RequireKind(t, err, fault.NotFound)
		testkit.RequireKind(t, w.s.DecideAppeal(t.Context(), refused.ID, appeal, lift), fault.NotFound)
		_, _, err = w.s.StaffNotes(t.Context(), refused.ID, moderation.NoteSubject{Kind: "appeal", ID: appeal}, web.Page{Limit: 10})
		testkit.RequireKind(t, err, fault.NotFound)
	}
	opened, err := w.s.OpenAppeal(t.Context(), third.ID, appeal, "To see")
	require.NoError(t, err)
	require.True(t, opened.MayDecide, "the admin who decided is less involved than the others")
	require.NoError(t, queued.Release(t.Context(), third.ID, queue.Appeal, appeal))
	ada := w.Admin("Ada Moss")
	opened, err = w.s.OpenAppeal(t.Context(), ada.ID, appeal, "To see")
	require.NoError(t, err)
	require.True(t, opened.MayDecide)
	testkit.RequireKind(t, w.s.DecideAppeal(t.Context(), third.ID, appeal, lift), fault.Forbidden)
}

// Nobody warns, suspends or reinstates a match while another admin can.
func TestSetStatus_OfMatchIsForAnotherAdmin(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	bob, judge := w.Member("Bob Moss"), w.Admin("Mo Moss")
	w.match(judge, bob)
	require.NoError(t, w.setStatus(judge, bob, "under_review", nil), "nobody else can decide")
	other := w.Admin("Admin Moss")
	require.Equal(t, "for_another_admin", fault.From(w.setStatus(judge, bob, "active", nil)).Code)
	require.Equal(t, "for_another_admin", fault.From(w.s.Warn(t.Context(), judge.ID, bob.ID, uuid.New(), "Be kind.", "", "Seen")).Code)
	require.NoError(t, w.setStatus(other, bob, "active", nil))
}
