package moderation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// decideAsModerator decides on a report of the reason about a member, and returns the error.
func (w *env) decideAsModerator(moderator, reported web.Actor, action string, until *time.Time) error {
	w.Helper()
	reporter := w.Member("Reporter Moss")
	w.match(reporter, reported)
	report := w.report(reporter, moderation.ReportInput{UserID: reported.ID, Reason: "harassment", Place: "conversation"}).ID
	in := moderation.Decision{Action: action, SuspendedUntil: until, Reason: "Seen", ByModerator: true}
	if action != moderation.NoAction {
		in.Explanation = "You were rude."
	}
	return w.s.DecideReport(w.Context(), moderator.ID, report, in)
}

// A moderator warns, and suspends for up to 30 days, but does not ban, reinstate or shorten
// what an admin decided.
func TestModerator_DecidesWithinLimits(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	moderator := w.Member("Mo Moss")
	w.Exec(`UPDATE users SET is_moderator = true WHERE id = $1`, moderator.ID)
	after := func(days int) *time.Time { return new(time.Now().Add(time.Duration(days) * 24 * time.Hour)) }
	change := func(member web.Actor, status string, until *time.Time) error {
		return w.s.SetStatus(t.Context(), moderator.ID, member.ID, moderation.StatusChange{
			Status: status, SuspendedUntil: until, Explanation: "You were rude.", Reason: "Seen", ByModerator: true,
		})
	}

	bob := w.Member("Bob Moss")
	require.NoError(t, w.decideAsModerator(moderator, bob, moderation.NoAction, nil))
	require.NoError(t, w.decideAsModerator(moderator, bob, moderation.Warn, nil))
	testkit.RequireKind(t, w.decideAsModerator(moderator, bob, moderation.Ban, nil), fault.Forbidden)
	err := w.decideAsModerator(moderator, bob, moderation.Suspend, after(31))
	testkit.RequireInvalid(t, err, "suspendedUntil")
	testkit.RequireKind(t, change(bob, "suspended", after(31)), fault.Invalid)
	testkit.RequireKind(t, change(bob, "suspended", nil), fault.Forbidden)
	testkit.RequireKind(t, change(bob, "under_review", nil), fault.Forbidden)
	require.Equal(t, "active", w.status(bob))
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM audit_log WHERE admin_id = $1`, moderator.ID), "a refused decision leaves no row")

	require.NoError(t, w.decideAsModerator(moderator, bob, moderation.Suspend, after(30)))
	require.Equal(t, "suspended", w.status(bob))
	testkit.RequireKind(t, change(bob, "active", nil), fault.Forbidden)
	testkit.RequireKind(t, change(bob, "suspended", after(1)), fault.Forbidden)

	for status, name := range map[string]string{"suspended": "Banned", "under_review": "Reviewed"} {
		member := w.Member(name + " Moss")
		require.NoError(t, w.setStatus(w.Admin("Admin Moss"), member, status, nil))
		testkit.RequireKind(t, change(member, "suspended", after(1)), fault.Forbidden)
		require.Equal(t, status, w.status(member), "a short suspension would end what the admin decided")
	}
}

// Neither role can be sanctioned.
func TestModerator_IsNotSanctioned(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, moderator := w.Admin("Admin Moss"), w.Member("Mo Moss")
	w.Exec(`UPDATE users SET is_moderator = true WHERE id = $1`, moderator.ID)
	testkit.RequireKind(t, w.setStatus(admin, moderator, "suspended", nil), fault.Forbidden)
	testkit.RequireKind(t, w.decideAsModerator(admin, moderator, moderation.Suspend, new(time.Now().Add(time.Hour))), fault.Forbidden)
	_, err := w.Pool.Exec(t.Context(), `UPDATE users SET is_moderator = true WHERE is_admin`)
	require.ErrorContains(t, err, "users_one_role")
}
