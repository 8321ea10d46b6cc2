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
