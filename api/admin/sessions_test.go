package admin_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

// session inserts a session of a member that was used some time ago.
func (w *env) session(member uuid.UUID, agent, ago string) uuid.UUID {
	w.Helper()
	id := uuid.New()
	w.Exec(`INSERT INTO sessions (id, token_hash, user_id, user_agent, place, expires_at, created_at)
		VALUES ($1, sha256($5), $2, $3, 'Portland', now() + interval '1 day', now() - $4::text::interval)`, id, member, agent, ago, id[:])
	return id
}

const (
	phoneAgent  = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/605.1"
	laptopAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0"
)

func TestMember_CountsSessionsByDevice(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("Ann Moss", "")
	w.session(ann, phoneAgent, "3 hours")
	w.session(ann, laptopAgent, "2 hours")
	w.session(ann, phoneAgent, "1 hour")
	w.session(ann, phoneAgent, "15 days") // idle for too long
	w.session(w.member("Ben Ash", ""), phoneAgent, "0")

	member, err := w.s.Member(t.Context(), w.admin, ann)
	require.NoError(t, err)
	require.Len(t, member.Sessions, 2)
	for i, want := range []struct {
		device   string
		sessions int
	}{{"Safari on iPhone", 2}, {"Firefox on Linux", 1}} {
		require.Equal(t, want.device, member.Sessions[i].Device)
		require.Equal(t, want.sessions, member.Sessions[i].Sessions)
	}
	require.True(t, member.Sessions[0].LastSeenAt.After(member.Sessions[1].LastSeenAt))
}

func TestEndSessions_EndsAllAndRecordsIt(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("Ann Moss", "")
	first, second := w.session(ann, phoneAgent, "0"), w.session(ann, laptopAgent, "0")
	other := w.session(w.member("Ben Ash", ""), phoneAgent, "0")
	ended := map[string]bool{}
	w.events.Subscribe("session.*", func(data []byte) { ended[string(data)] = true })

	testkit.RequireInvalid(t, w.s.EndSessions(t.Context(), w.admin, ann, " "), "reason")
	for range 2 { // the second one changes nothing
		require.NoError(t, w.s.EndSessions(t.Context(), w.admin, ann, "a stolen phone"))
	}
	require.Equal(t, map[string]bool{first.String(): true, second.String(): true}, ended)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM sessions`))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM sessions WHERE id = $1`, other))
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM revoked_sessions`), "the devices delete what they have stored")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'member.end_sessions' AND admin_id = $1 AND subject_id = $2
		AND reason = 'a stolen phone' AND detail = '{"sessions": 2}'`, w.admin, ann))

	mo := w.member("Mo Staff", "is_moderator = true")
	w.session(mo, laptopAgent, "0")
	for id, kind := range map[uuid.UUID]fault.Kind{w.admin: fault.Forbidden, mo: fault.Forbidden, uuid.New(): fault.NotFound} {
		testkit.RequireKind(t, w.s.EndSessions(t.Context(), w.admin, id, "x"), kind)
	}
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM sessions WHERE user_id = $1`, mo))
}
