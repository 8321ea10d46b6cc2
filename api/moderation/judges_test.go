package moderation_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/queue"
)

// appealOf stores a warning of a member by a moderator, about a report of other or a flagged message to other, and the member's
// appeal against it, and returns its id.
func (w *env) appealOf(member, other, decider web.Actor, about string) uuid.UUID {
	w.Helper()
	id, subject := uuid.New(), uuid.New()
	switch about {
	case "report":
		w.Exec(`INSERT INTO reports (id, reporter_id, reported_user_id, reason, place, priority) VALUES ($1, $2, $3, 'spam', 'profile', 1)`,
			subject, other.ID, member.ID)
	case "message":
		w.Exec(`INSERT INTO message_flags (message_id, conversation_id, seq, sender_id, receiver_id, content, source)
			VALUES ($1, gen_random_uuid(), 1, $2, $3, 'c', 'receiver')`, subject, member.ID, other.ID)
	}
	w.Exec(`INSERT INTO sanctions (id, user_id, kind, explanation, `+about+`_id, decided_by) VALUES ($1, $2, 'warning', 'Be kind.', $3, $4)`,
		id, member.ID, subject, decider.ID)
	require.NoError(w, w.s.Appeal(w.Context(), member, id, "It was not me."))
	return id
}

// judgeCases are teams of admins, each with what they have to do with an appeal, and the numbers of those who decide on it. A peer
// is a match of the other party.
var judgeCases = []struct {
	team   []string
	judges []int
}{
	{[]string{""}, []int{0}},
	{[]string{"decider"}, []int{0}},
	{[]string{"match"}, []int{0}},
	{[]string{"peer"}, []int{0}},
	{[]string{"party"}, []int{0}},
	{[]string{"decider match"}, []int{0}},
	{[]string{"decider party"}, []int{0}},
	{[]string{"appellant"}, nil},

	{[]string{"", ""}, []int{0, 1}},
	{[]string{"", "decider"}, []int{0}},
	{[]string{"", "match"}, []int{0}},
	{[]string{"", "peer"}, []int{0}},
	{[]string{"", "party"}, []int{0}},
	{[]string{"", "appellant"}, []int{0}},
	{[]string{"decider", "match"}, []int{0}},
	{[]string{"decider", "peer"}, []int{0}},
	{[]string{"decider", "party"}, []int{0}},
	{[]string{"decider", "appellant"}, []int{0}},
	{[]string{"match", "party"}, []int{0}},
	{[]string{"match", "match"}, []int{0, 1}},
	{[]string{"match", "peer"}, []int{0, 1}},
	{[]string{"match", "decider match"}, []int{0}},
	{[]string{"match", "decider party"}, []int{0}},
	{[]string{"party", "appellant"}, []int{0}},
	{[]string{"decider", "suspended"}, []int{0}},
	{[]string{"party", "suspended"}, []int{0}},

	{[]string{"decider", "match", "party"}, []int{0}},
	{[]string{"", "decider", "party"}, []int{0}},
	{[]string{"decider", "suspended", "peer"}, []int{0}},
}

// There is always an admin who decides on an appeal, and it is the least involved one. All lists, and the decision itself, have
// the same rule.
func TestAppeal_IsForLeastInvolvedAdmins(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for _, about := range []string{"report", "message"} {
		for _, c := range judgeCases {
			t.Logf("About a %s: %q", about, c.team)
			team, appeal := w.addTeam(c.team, about)
			w.requireJudges(t, appeal, team, c.team, c.judges)
		}
	}
}

// addTeam makes a team of judgeCases the only admins, and returns them and a new appeal.
func (w *env) addTeam(all []string, about string) (team []web.Actor, appeal uuid.UUID) {
	w.Helper()
	w.Exec(`UPDATE users SET is_admin = false`)
	bob, ann, mo := w.Member("Bob Moss"), w.Member("Ann Moss"), w.Member("Mo Moss")
	for _, roles := range all {
		admin := w.Admin("Admin Moss")
		team = append(team, admin)
		for role := range strings.FieldsSeq(roles) {
			switch role {
			case "decider":
				mo = admin
			case "party":
				ann = admin
			case "appellant":
				bob = admin
			case "suspended":
				w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, admin.ID)
			}
		}
	}
	for i, roles := range all {
		if strings.Contains(roles, "match") {
			w.Match(team[i], bob)
		}
		if strings.Contains(roles, "peer") {
			w.Match(team[i], ann)
		}
	}
	return team, w.appealOf(bob, ann, mo, about)
}

// requireJudges checks that exactly the judges of a team can decide on an appeal, and lets the first one decide.
func (w *env) requireJudges(t *testing.T, appeal uuid.UUID, team []web.Actor, roles []string, judges []int) {
	t.Helper()
	queued := queue.New(w.Pool)
	var inQueue, inList []int
	for i, admin := range team {
		entries, _, err := queued.List(t.Context(), admin, queue.Appeal, web.Page{Limit: 10})
		require.NoError(t, err)
		for _, e := range entries {
			if e.ID == appeal {
				inQueue = append(inQueue, i)
			}
		}
		list, _, err := w.s.Appeals(t.Context(), admin.ID, true, "", 10)
		require.NoError(t, err)
		refusal := fault.NotFound
		for _, a := range list {
			if a.ID != appeal {
				continue
			}
			refusal = fault.Forbidden
			if a.MayDecide {
				inList = append(inList, i)
			} else {
				require.Contains(t, []string{"decider", "suspended"}, roles[i], "no party and no match reads it")
			}
		}
		if len(inList) == 0 || inList[len(inList)-1] != i {
			testkit.RequireKind(t, w.decideAppeal(admin, appeal, moderation.Upheld), refusal, "admin %d", i)
		}
	}
	require.Equal(t, judges, inQueue)
	require.Equal(t, judges, inList)
	if len(judges) > 0 {
		require.NoError(t, w.decideAppeal(team[judges[0]], appeal, moderation.Upheld))
	} else {
		w.Exec(`DELETE FROM appeals WHERE sanction_id = $1`, appeal)
	}
}

// A reinstatement decides the pending appeals, so it is for an admin who may see them.
func TestSetStatus_ReinstatementIsForThoseWhoMaySeeTheAppeal(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	bob, recipient, other := w.Member("Bob Moss"), w.Admin("Rae Moss"), w.Admin("Otto Moss")
	appeal := w.appealOf(bob, recipient, other, "message")
	require.NoError(t, w.setStatus(other, bob, "suspended", nil))
	testkit.RequireKind(t, w.setStatus(recipient, bob, "active", nil), fault.Forbidden)
	require.Equal(t, "suspended", w.status(bob))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM appeals WHERE sanction_id = $1 AND outcome IS NULL`, appeal))
	require.NoError(t, w.setStatus(other, bob, "active", nil), "the admin who decided may take it back")

	w.Exec(`UPDATE users SET is_admin = false WHERE id = $1`, other.ID)
	w.appealOf(bob, recipient, other, "message")
	require.NoError(t, w.setStatus(recipient, bob, "suspended", nil))
	require.NoError(t, w.setStatus(recipient, bob, "active", nil), "nobody else can decide")
}
