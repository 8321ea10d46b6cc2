package live_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/live"
	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/files"
	"heartward/api/platform/mail"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
)

func TestHandler_RefusesInvalidHandshakes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(func(d *live.Deps) { d.Origin = "https://heartward.test" })
	a := w.member()
	cookie := "sid=" + a.SessionID.String()
	for name, c := range map[string]struct {
		header http.Header
		status int
	}{
		"own host":             {http.Header{"Cookie": {cookie}, "Origin": {"https://" + n.address}}, 101},
		"own host with http":   {http.Header{"Cookie": {cookie}, "Origin": {"http://" + n.address}}, 403},
		"own site":             {http.Header{"Cookie": {cookie}, "Origin": {"https://heartward.test"}}, 101},
		"no origin":            {http.Header{"Cookie": {cookie}}, 403},
		"null":                 {http.Header{"Cookie": {cookie}, "Origin": {"null"}}, 403},
		"another site":         {http.Header{"Cookie": {cookie}, "Origin": {"https://evil.test"}}, 403},
		"a similar host":       {http.Header{"Cookie": {cookie}, "Origin": {"https://heartward.test.evil.test"}}, 403},
		"another port":         {http.Header{"Cookie": {cookie}, "Origin": {"https://heartward.test:8443"}}, 403},
		"another scheme":       {http.Header{"Cookie": {cookie}, "Origin": {"http://heartward.test"}}, 403},
		"a host with a suffix": {http.Header{"Cookie": {cookie}, "Origin": {"https://" + n.address + "/x"}}, 403},
		"signed out":           {http.Header{"Origin": {"https://" + n.address}}, 401},
		"an unknown session":   {http.Header{"Cookie": {"sid=x"}, "Origin": {"https://" + n.address}}, 401},
	} {
		conn, response, err := n.handshake(c.header)
		require.Equal(t, c.status, response.StatusCode, name)
		if err == nil {
			conn.Close()
		} else {
			require.Equal(t, "application/problem+json", response.Header.Get("Content-Type"), name)
		}
	}
	plain, err := http.Get("http://" + n.address + "/ws")
	require.NoError(t, err)
	plain.Body.Close()
	require.Equal(t, http.StatusUpgradeRequired, plain.StatusCode)
}

func TestAuth_RefusesIDOfAnotherMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b := w.pair()
	c := w.node(nil).connect(t, a)
	c.send(`{"type":"auth","userId":%q}`, b.ID)
	require.Equal(t, "forbidden", c.want("error")["kind"])
	require.Equal(t, live.CloseForbidden, c.wantClose())
}

func TestSessionEnded_ClosesSocketsOfSession(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	nodeA, nodeB := w.node(nil), w.node(nil)
	a := w.member()
	otherActor := web.Actor{ID: a.ID, SessionID: uuid.Must(uuid.NewV7())}
	w.mu.Lock()
	w.sessions[otherActor.SessionID.String()] = otherActor
	w.mu.Unlock()
	one, two, otherSession := nodeA.connect(t, a), nodeB.connect(t, a), nodeA.connect(t, otherActor)
	// This is long before the session is checked again.
	w.bus.Publish("session."+a.SessionID.String(), []byte(a.SessionID.String()))
	require.Equal(t, live.CloseSignedOut, one.wantClose())
	require.Equal(t, live.CloseSignedOut, two.wantClose())
	otherSession.send(`{"type":"ping"}`)
	otherSession.want("pong")
	require.Eventually(t, func() bool { return nodeA.hub.Sockets() == 1 && nodeB.hub.Sockets() == 0 }, waitTimeout, time.Millisecond)
}

// A session may end during the handshake, after the cookie was checked and before
// the socket is registered.
func TestSessionEnded_RefusesSocketDuringHandshake(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a := w.member()
	n := w.node(func(d *live.Deps) {
		d.Authenticate = func(ctx context.Context, token string) (web.Actor, error) {
			actor, err := w.authenticate(ctx, token)
			w.bus.Publish("session."+actor.SessionID.String(), []byte(actor.SessionID.String()))
			return actor, err
		}
	})
	require.Equal(t, live.CloseSignedOut, n.dial(t, a).wantClose())
	require.Zero(t, n.hub.Sockets())
}

// The sockets of a member whose account is restricted are closed as if the session had
// ended. It goes on, and may be used again after the account is reinstated.
func TestSessionEnded_AcceptsLaterSocket(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n, a := w.node(nil), w.member()
	before := n.connect(t, a)
	w.bus.Publish("session."+a.SessionID.String(), []byte(a.SessionID.String()))
	require.Equal(t, live.CloseSignedOut, before.wantClose())
	after := n.connect(t, a)
	after.send(`{"type":"ping"}`)
	after.want("pong")
}

// The event of a revocation may be lost; the session is checked periodically.
func TestRecheckSessions_ClosesAfterLostEvent(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(func(d *live.Deps) { d.Timing.Recheck = 10 * time.Millisecond })
	a, b := w.member(), w.member()
	revoked, otherSession := n.connect(t, a), n.connect(t, b)
	w.mu.Lock()
	delete(w.sessions, a.SessionID.String())
	w.mu.Unlock()
	require.Equal(t, live.CloseSignedOut, revoked.wantClose())
	otherSession.send(`{"type":"ping"}`)
	otherSession.want("pong")
}

// A suspension closes the sockets on every node at once, long before the sessions
// are checked again.
func TestSuspension_ClosesSocketsOnEveryNode(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	nats := startCluster(t)
	one, two := w.nodeOn(nats.one, nil), w.nodeOn(nats.two, nil)
	a, b := w.pair()
	second := web.Actor{ID: a.ID, SessionID: uuid.Must(uuid.NewV7())}
	w.mu.Lock()
	w.sessions[second.SessionID.String()] = second
	w.mu.Unlock()
	for _, actor := range []web.Actor{a, second, b} {
		w.Exec(`INSERT INTO sessions (id, token_hash, user_id, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')`,
			actor.SessionID, []byte(actor.SessionID.String())[:32], actor.ID)
	}
	clientA, clientB, peer := one.connect(t, a), two.connect(t, second), two.connect(t, b)

	admin := w.member()
	events := w.busOn(nats.one)
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	jobs := pgtest.Jobs(t, w.Pool)
	s := moderation.New(w.Pool, events, matching.New(w.Pool, events, jobs), blobs.New(w.Pool, store), jobs, []byte("0123456789abcdef0123456789abcdef"))
	flag := uuid.Must(uuid.NewV7())
	w.Exec(`INSERT INTO message_flags (message_id, conversation_id, seq, sender_id, receiver_id, content, category, source)
		VALUES ($1, $1, 1, $2, $3, 'words', 'harassment', 'filter')`, flag, a.ID, b.ID)
	require.NoError(t, s.DecideFlag(ctx, admin.ID, flag, moderation.Decision{
		Action: moderation.Suspend, SuspendedUntil: new(time.Now().Add(7 * 24 * time.Hour)), Explanation: "Threats.", Reason: "Threats",
	}))

	require.Equal(t, live.CloseSignedOut, clientA.wantClose())
	require.Equal(t, live.CloseSignedOut, clientB.wantClose())
	peer.send(`{"type":"ping"}`)
	peer.want("pong")
}

// "Sign out everywhere else" closes the sockets of the other sessions on every node at
// once, and not that of the caller.
func TestEndOtherSessions_ClosesSocketsOnEveryNode(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	nats := startCluster(t)
	one, two := w.nodeOn(nats.one, nil), w.nodeOn(nats.two, nil)
	phone := w.member()
	laptop := web.Actor{ID: phone.ID, SessionID: uuid.Must(uuid.NewV7())}
	tablet := web.Actor{ID: phone.ID, SessionID: uuid.Must(uuid.NewV7())}
	for i, actor := range []web.Actor{phone, laptop, tablet} {
		w.mu.Lock()
		w.sessions[actor.SessionID.String()] = actor
		w.mu.Unlock()
		w.Exec(`INSERT INTO sessions (id, token_hash, user_id, expires_at) VALUES ($1, sha256($2), $3, now() + interval '1 day')`,
			actor.SessionID, []byte{byte(i)}, actor.ID)
	}
	own, sameNode, otherNode := one.connect(t, phone), one.connect(t, laptop), two.connect(t, tablet)
	events := w.busOn(nats.one)
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	mails, err := mail.NewFolder(t.TempDir())
	require.NoError(t, err)
	s := auth.New(w.Pool, mails, events, members.New(w.Pool, blobs.New(w.Pool, store)), pgtest.Jobs(t, w.Pool), auth.Config{Secret: make([]byte, 32)})
	ended, err := s.EndOtherSessions(t.Context(), phone)
	require.NoError(t, err)
	require.ElementsMatch(t, []uuid.UUID{laptop.SessionID, tablet.SessionID}, ended)
	require.Equal(t, live.CloseSignedOut, sameNode.wantClose())
	require.Equal(t, live.CloseSignedOut, otherNode.wantClose())
	own.send(`{"type":"ping"}`)
	own.want("pong")
}
