package moderation_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func (w *env) decide(admin web.Actor, report uuid.UUID, action string) error {
	in := moderation.Decision{Action: action, Reason: "Seen"}
	if action != moderation.NoAction {
		in.Explanation = "You threatened someone."
	}
	if action == moderation.Suspend {
		in.SuspendedUntil = new(time.Now().Add(time.Hour))
	}
	return w.s.DecideReport(context.Background(), admin.ID, report, in)
}

// session creates a session of a member, and returns its id.
func (w *env) session(of web.Actor) (id uuid.UUID) {
	w.Helper()
	id = uuid.Must(uuid.NewV7())
	w.Exec(`INSERT INTO sessions (id, user_id, token_hash, expires_at) VALUES ($1, $2, sha256($3), now() + interval '1 day')`,
		id, of.ID, []byte(uuid.NewString()))
	return id
}

// Each decision has its effect at once, on the profile and on sessions, and its audit row
// and mails.
func TestDecideReport_TakesEffect(t *testing.T) {
	t.Parallel()
	for action, want := range map[string]struct {
		status, closed string
		sessions       int
	}{
		moderation.NoAction: {"active", "reviewed", 1},
		moderation.Warn:     {"active", "reviewed", 1},
		moderation.Suspend:  {"suspended", "resolved", 0},
		moderation.Ban:      {"suspended", "resolved", 0},
	} {
		w := newEnv(t)
		var changed []uuid.UUID
		w.s.WatchStatus(func(_ context.Context, id uuid.UUID) { changed = append(changed, id) })
		admin, ann, bob := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Bob Moss")
		session := w.session(bob)
		id := w.report(ann, urgent(bob)).ID
		require.Contains(t, w.events.Subjects(), auth.SessionSubject(session), "the report closes sockets")
		require.Equal(t, 1, w.endJobs(session), "also if the response to COMMIT is lost")
		before := len(w.events.Subjects())
		require.NoError(t, w.decide(admin, id, action), action)
		require.Equal(t, want.status, w.status(bob), action)
		require.Equal(t, want.sessions, w.Count(`SELECT count(*) FROM sessions WHERE user_id = $1`, bob.ID), action)
		require.Equal(t, want.sessions == 0, slices.Contains(w.events.Subjects()[before:], auth.SessionSubject(session)), "%s: sockets are closed", action)
		require.Equal(t, want.sessions == 0, w.endJobs(session) == 2, action)
		require.Equal(t, action == moderation.Suspend, w.Count(`SELECT count(*) FROM users WHERE id = $1 AND suspended_until > now()`, bob.ID) == 1, action)
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports WHERE id = $1 AND status = $2 AND action_taken = $3 AND reviewed_by = $4 AND reviewed_at IS NOT NULL`,
			id, want.closed, action, admin.ID), action)
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = $1 AND admin_id = $2 AND subject_id = $3 AND reason = 'Seen' AND detail->>'report' = $4`,
			"report."+action, admin.ID, bob.ID, id.String()), action)
		require.Equal(t, []uuid.UUID{bob.ID, bob.ID}, changed, "%s: hidden, then shown or suspended", action)
		require.Equal(t, 2, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_outcome'`), "%s: a mail to each of the two", action)
	}
}

// A retried decision has one effect, and another decision is refused, also at the same
// time.
func TestDecideReport_IsIdempotent(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, other := w.Admin("Admin Moss"), w.Admin("Admin Moss")
	until := time.Now().Add(48 * time.Hour)
	for _, in := range []moderation.Decision{
		{Action: moderation.NoAction, Reason: "Nothing"},
		{Action: moderation.Suspend, SuspendedUntil: &until, Explanation: "Threats", Reason: "Threats"},
	} {
		id := w.report(w.Member("Ann Moss"), urgent(w.Member("Bob Moss"))).ID
		same := func() { assert.NoError(t, w.s.DecideReport(context.Background(), admin.ID, id, in)) }
		concurrently(same, same, same)
		same()
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE detail->>'report' = $1`, id.String()))
		require.Equal(t, 2, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_outcome' AND args->>'reportId' = $1`, id.String()))
		testkit.RequireKind(t, w.decide(other, id, moderation.Ban), fault.Conflict)
		in.SuspendedUntil, in.Action, in.Explanation = new(until.Add(time.Hour)), moderation.Suspend, "Threats"
		testkit.RequireKind(t, w.s.DecideReport(context.Background(), admin.ID, id, in), fault.Conflict)
	}
}

func TestDecideReport_RefusesInvalidDecisions(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	admin, ann, bob := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Bob Moss")
	id := w.report(ann, urgent(bob)).ID
	soon, past, late := new(time.Now().Add(time.Hour)), new(time.Now().Add(-time.Hour)), new(time.Now().AddDate(2, 0, 0))
	for name, c := range map[string]struct {
		in    moderation.Decision
		field string
	}{
		"no reason":                   {moderation.Decision{Action: "no_action", Reason: " "}, "reason"},
		"an explanation of nothing":   {moderation.Decision{Action: "no_action", Explanation: "x", Reason: "x"}, "explanation"},
		"a warning unexplained":       {moderation.Decision{Action: "warn", Explanation: " ", Reason: "x"}, "explanation"},
		"a long explanation":          {moderation.Decision{Action: "ban", Explanation: strings.Repeat("é", 501), Reason: "x"}, "explanation"},
		"a ban with an end":           {moderation.Decision{Action: "ban", SuspendedUntil: soon, Explanation: "x", Reason: "x"}, "suspendedUntil"},
		"a suspension without end":    {moderation.Decision{Action: "suspend", Explanation: "x", Reason: "x"}, "suspendedUntil"},
		"a suspension that has ended": {moderation.Decision{Action: "suspend", SuspendedUntil: past, Explanation: "x", Reason: "x"}, "suspendedUntil"},
		"a suspension of two years":   {moderation.Decision{Action: "suspend", SuspendedUntil: late, Explanation: "x", Reason: "x"}, "suspendedUntil"},
	} {
		err := w.s.DecideReport(ctx, admin.ID, id, c.in)
		testkit.RequireKind(t, err, fault.Invalid)
		require.Equal(t, c.field, fault.From(err).Field, name)
	}
	testkit.RequireKind(t, w.decide(admin, uuid.New(), moderation.NoAction), fault.NotFound)
	w.Exec(`UPDATE users SET is_admin = true WHERE id IN ($1, $2)`, ann.ID, bob.ID)
	testkit.RequireKind(t, w.decide(ann, id, moderation.NoAction), fault.Forbidden)
	testkit.RequireKind(t, w.decide(bob, id, moderation.NoAction), fault.Forbidden)
	testkit.RequireKind(t, w.decide(admin, id, moderation.Ban), fault.Forbidden)
	require.Zero(t, w.Count(`SELECT count(*) FROM audit_log`)+w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_outcome'`))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports WHERE id = $1 AND status = 'pending'`, id))

	w.Exec(`DELETE FROM users WHERE id = $1`, bob.ID)
	testkit.RequireKind(t, w.decide(admin, id, moderation.Warn), fault.Conflict)
	require.NoError(t, w.decide(admin, id, moderation.NoAction))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_outcome'`), "to the reporter")
}

// A longer suspension or ban is not shortened by a later one.
func TestDecideReport_DoesNotShortenSuspension(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, bob := w.Admin("Admin Moss"), w.Member("Bob Moss")
	decide := func(action string, until *time.Time) {
		id := w.report(w.Member("Ann Moss"), urgent(bob)).ID
		require.NoError(t, w.s.DecideReport(context.Background(), admin.ID, id, moderation.Decision{
			Action: action, SuspendedUntil: until, Explanation: "Threats", Reason: "Threats",
		}))
	}
	day, week := time.Now().AddDate(0, 0, 1), time.Now().AddDate(0, 0, 7)
	decide(moderation.Suspend, &week)
	decide(moderation.Suspend, &day)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users WHERE id = $1 AND suspended_until > now() + interval '6 days'`, bob.ID))
	decide(moderation.Ban, nil)
	decide(moderation.Suspend, &week)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users WHERE id = $1 AND profile_status = 'suspended' AND suspended_until IS NULL`, bob.ID))
}

// After any sequence of reports, decisions and ends of suspensions, a member who is not
// suspended is under review exactly while a pending report hides the profile.
func TestReports_HideProfileExactlyWhilePending(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	admin := w.Admin("Admin Moss")
	const seed = 7
	random := rand.New(rand.NewPCG(seed, seed))
	people := []web.Actor{w.Member("Ann Moss"), w.Member("Bob Moss"), w.Member("Eve Moss"), w.Member("Fay Moss"), w.Member("Gus Moss")}
	w.match(people[0], people[1])
	w.match(people[2], people[3])
	w.establish(people...)
	reasons := []moderation.Reason{"threat", "assault", "underage", "spam"}
	actions := []string{moderation.NoAction, moderation.Warn, moderation.Suspend, moderation.Ban}
	var open []uuid.UUID
	for step := range 300 {
		switch {
		case random.IntN(2) == 0:
			by, of := people[random.IntN(len(people))], people[random.IntN(len(people))]
			in := urgent(of)
			in.Reason = reasons[random.IntN(len(reasons))]
			w.Exec(`UPDATE reports SET created_at = created_at - interval '2 days'`)
			if receipt, err := w.s.Report(ctx, by, in); err == nil && receipt.Created {
				open = append(open, receipt.ID)
			}
		case len(open) > 0:
			n := random.IntN(len(open))
			action := actions[random.IntN(len(actions))]
			if action == moderation.Ban && random.IntN(4) > 0 {
				action = moderation.NoAction
			}
			require.NoError(t, w.decide(admin, open[n], action))
			open = append(open[:n], open[n+1:]...)
		}
		if random.IntN(5) == 0 {
			w.Exec(`UPDATE users SET suspended_until = now() WHERE suspended_until IS NOT NULL`)
			w.endSuspensions()
		}
		require.Zero(t, w.Count(`SELECT count(*) FROM users u WHERE profile_status <> 'suspended'
			AND (profile_status = 'under_review') <> EXISTS (SELECT FROM members_under_report r WHERE r.user_id = u.id)`), "step %d of seed %d", step, seed)
	}
	for _, id := range open {
		require.NoError(t, w.decide(admin, id, moderation.NoAction))
	}
	require.Zero(t, w.Count(`SELECT count(*) FROM users WHERE profile_status = 'under_review'`))
}

// A new report at the moment of a decision is not lost: either it hides the profile until its own
// decision, or the decision was first and has cleared the member.
func TestDecideReport_ConcurrentWithReport(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin := w.Admin("Admin Moss")
	for range 20 {
		ann, eve, bob := w.Member("Ann Moss"), w.credible("Eve Moss"), w.Member("Bob Moss")
		first := w.report(ann, urgent(bob)).ID
		concurrently(
			func() { assert.NoError(t, w.decide(admin, first, moderation.NoAction)) },
			func() { _, err := w.s.Report(context.Background(), eve, urgent(bob)); assert.NoError(t, err) },
		)
		hides := w.Count(`SELECT count(*) FROM reports WHERE reported_user_id = $1 AND status = 'pending' AND hides_profile`, bob.ID)
		require.Equal(t, map[int]string{0: "active", 1: "under_review"}[hides], w.status(bob))
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports WHERE reported_user_id = $1 AND status = 'pending'`, bob.ID))
	}
}

// The mails say the outcome and the explanation, and name neither member to the other.
func TestSendOutcome_MailsBothMembers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin := w.Admin("Admin Moss")
	for action, want := range map[string][2]string{
		moderation.NoAction: {"nothing that called for action", "shown again"},
		moderation.Warn:     {"we have taken action", "You threatened someone."},
		moderation.Suspend:  {"we have taken action", "is suspended until"},
		moderation.Ban:      {"we have taken action", "is suspended for good"},
	} {
		ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
		id := w.report(ann, urgent(bob)).ID
		box := &mailbox{}
		send := func(toReporter bool) {
			require.NoError(t, moderation.SendOutcome(t.Context(), w.Pool, box, office, moderation.OutcomeArgs{ReportID: id, ToReporter: toReporter}))
		}
		send(true)
		require.Empty(t, box.mails, "nothing before the decision")
		require.NoError(t, w.decide(admin, id, action))
		send(true)
		send(false)
		require.Len(t, box.mails, 2)
		require.Equal(t, []string{ann.ID.String() + "@example.test", bob.ID.String() + "@example.test"}, []string{box.mails[0].To, box.mails[1].To})
		require.Contains(t, oneLine(box.mails[0].Text), want[0], action)
		require.Contains(t, oneLine(box.mails[1].Text), want[1], action)
		for _, sanction := range []string{"warn", "suspend", "clos", "good", "Bob"} {
			require.NotContains(t, box.mails[0].Text, sanction, "the reporter does not learn which")
		}
		require.Equal(t, action != moderation.NoAction, strings.Contains(box.mails[1].Text, "https://heartward.test/decisions"), action)
		require.NotContains(t, box.mails[1].Text, "reply")
		require.NotContains(t, box.mails[1].Text, "Ann")
		require.NotEqual(t, box.mails[0].ID, box.mails[1].ID)
		w.Exec(`DELETE FROM users WHERE id IN ($1, $2)`, ann.ID, bob.ID)
		send(true)
		send(false)
		require.Len(t, box.mails, 2, "no mail to a deleted member")
	}
}
