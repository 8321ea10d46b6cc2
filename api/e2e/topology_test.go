package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"regexp"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"heartward/api/live"
)

// Runs what fly.toml deploys: two servers without workers and one worker, which share
// PostgreSQL, NATS and a file store.
func TestTopology_DeliversAcrossNodes(t *testing.T) {
	t.Parallel()
	i := newInstallation(t, "NATS_URL="+startNATS(t), startModeration(t))
	one, two, worker := i.machine(), i.machine(), i.machine()
	metricsPort := freePort(t)
	worker.variables = append(slices.Clone(worker.variables), fmt.Sprintf("METRICS_ADDR=127.0.0.1:%d", metricsPort))
	processes := []*process{one.serve("--no-work"), two.serve("--no-work"), worker.start(working, "work")}
	for _, port := range []int{one.port, two.port, metricsPort} {
		node := instance{t: t, port: port}
		require.Eventually(t, func() bool {
			status, _ := node.get("/readyz")
			return status == http.StatusOK
		}, waitTimeout, 10*time.Millisecond)
	}
	_, metrics := instance{t: t, port: metricsPort}.get("/metrics")
	require.Contains(t, metrics, "heartward_pool_connections")
	ada, bea, offline, admin := i.member("Ada"), i.member("Bea"), i.memberWithDevice("Cleo"), i.member("Dora")
	i.conversation(ada, bea)
	i.conversation(ada, offline)
	adaOnOne := one.signIn(ada)
	beaOnTwo := two.connectAs(one.signIn(bea))

	// The message sent on one node and the worker's flag reach the other node. Their order
	// is not defined, because different processes publish them.
	adaOnOne.call(http.MethodPost, "/api/messages", http.StatusCreated, map[string]any{
		"recipientId": bea, "content": "see you at eight", "clientId": uuid.Must(uuid.NewV7()),
	})
	frames := beaOnTwo.wantAll("new_message", "message_changed")
	message, flagged := frames["new_message"], frames["message_changed"]["message"].(map[string]any)
	require.Equal(t, "see you at eight", message["content"])
	require.Equal(t, message["id"], flagged["id"])
	require.Equal(t, "harassment", flagged["flag"])

	// An admin decides, and the worker sends the warning.
	require.Zero(t, one.run(nil, "admin", "grant", emailOf(admin)).code)
	adminOnTwo := two.signIn(admin)
	adminOnTwo.call(http.MethodPost, fmt.Sprintf("/api/admin/flags/%s/open", message["id"]), http.StatusOK, map[string]any{"reason": "To see"})
	adminOnTwo.call(http.MethodPut, fmt.Sprintf("/api/admin/flags/%s", message["id"]), http.StatusNoContent,
		map[string]any{"decision": "warn", "reason": "Insulting", "explanation": "Please be kind."})
	require.Eventually(t, func() bool { return len(worker.mailsTo(emailOf(ada), "A decision about your account")) == 1 }, waitTimeout, 20*time.Millisecond, "the warning is mailed")

	// The worker pushes to an offline member.
	adaOnOne.call(http.MethodPost, "/api/messages", http.StatusCreated, map[string]any{
		"recipientId": offline, "content": "are you there?", "clientId": uuid.Must(uuid.NewV7()),
	})
	i.Exec(`UPDATE river_job SET scheduled_at = now(), state = 'available' WHERE kind = 'notify' AND state = 'scheduled'`)
	i.Exec(`UPDATE messages SET sent_at = sent_at - interval '10 s'`)
	require.Eventually(t, func() bool { return i.pushedTo(offline) }, waitTimeout, 20*time.Millisecond)

	require.False(t, i.queryBool(`SELECT EXISTS (SELECT FROM river_job WHERE errors IS NOT NULL)`), "no job failed")
	for _, process := range processes {
		process.stop(syscall.SIGTERM)
		require.Zero(t, process.cmd.ProcessState.ExitCode(), process.log)
		require.NotContains(t, process.log.String(), "ERROR")
	}
}

// The command line has no connection to NATS: the worker closes the sockets on all nodes.
func TestAdminCommands_EndSessionsOnEveryNode(t *testing.T) {
	t.Parallel()
	i := newInstallation(t, "NATS_URL="+startNATS(t))
	one, two, worker := i.machine(), i.machine(), i.machine()
	one.serve("--no-work")
	two.serve("--no-work")
	worker.start(working, "work")
	for step, command := range [][]string{{"grant"}, {"grant", "--role", "moderator"}, {"revoke"}} {
		mo := i.member(fmt.Sprintf("Mo %d", step))
		if command[0] == "revoke" {
			i.Exec(`UPDATE users SET is_admin = true WHERE id = $1`, mo)
		}
		b := one.signIn(mo)
		sockets := []*socket{one.connectAs(b), two.connectAs(b)}
		require.Zero(t, one.run(nil, append(append([]string{"admin"}, command...), emailOf(mo))...).code)
		for _, s := range sockets {
			s.wantClosed(live.CloseSignedOut)
		}
		b.call(http.MethodGet, "/api/auth/user", http.StatusUnauthorized, nil)
	}

	ada := i.member("Ada")
	i.Exec(`UPDATE users SET is_moderator = true WHERE id = $1`, ada)
	b := two.signIn(ada)
	s := two.connectAs(b)
	require.Zero(t, one.run(nil, "admin", "grant", "--role", "moderator", emailOf(ada)).code)
	b.call(http.MethodGet, "/api/auth/user", http.StatusOK, nil)
	require.Zero(t, one.run(nil, "admin", "reset-factor", emailOf(ada)).code)
	s.wantClosed(live.CloseSignedOut)
	b.call(http.MethodGet, "/api/auth/user", http.StatusUnauthorized, nil)
}

func startNATS(t *testing.T) (url string) {
	t.Helper()
	broker, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	require.NoError(t, err)
	broker.Start()
	require.True(t, broker.ReadyForConnections(waitTimeout))
	t.Cleanup(func() {
		broker.Shutdown()
		broker.WaitForShutdown()
	})
	return broker.ClientURL()
}

// browser is an HTTP client with a member's session, for any node.
type browser struct {
	t    testing.TB
	site string
	http *http.Client
}

var eightDigits = regexp.MustCompile(`\b\d{8}\b`)

// signIn signs in with the code that the node mails.
func (p instance) signIn(member uuid.UUID) *browser {
	p.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(p.t, err)
	b := &browser{p.t, fmt.Sprintf("http://127.0.0.1:%d", p.port), &http.Client{Jar: jar, Timeout: waitTimeout}}
	b.call(http.MethodPost, "/api/auth/code", http.StatusAccepted, map[string]any{"email": emailOf(member)})
	mails := p.mailsTo(emailOf(member), "code")
	require.Len(p.t, mails, 1)
	b.call(http.MethodPost, "/api/auth/login", http.StatusOK, map[string]any{
		"email": emailOf(member), "code": eightDigits.FindString(mails[0].Text),
	})
	return b
}

func (b *browser) call(method, path string, status int, body any) {
	b.t.Helper()
	text, err := json.Marshal(body)
	require.NoError(b.t, err)
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.site+path, bytes.NewReader(text))
	require.NoError(b.t, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := b.http.Do(request)
	require.NoError(b.t, err)
	defer response.Body.Close()
	var answer bytes.Buffer
	_, err = answer.ReadFrom(response.Body)
	require.NoError(b.t, err)
	require.Equal(b.t, status, response.StatusCode, answer.String())
}

// socket is a member's socket on one node.
type socket struct {
	t    testing.TB
	conn *websocket.Conn
}

// connectAs opens a socket on this node with the session of b.
func (p instance) connectAs(b *browser) *socket {
	p.t.Helper()
	address := fmt.Sprintf("127.0.0.1:%d", p.port)
	dialer := websocket.Dialer{Jar: b.http.Jar, HandshakeTimeout: waitTimeout}
	conn, _, err := dialer.Dial("ws://"+address+"/ws", http.Header{"Origin": {"http://" + address}})
	require.NoError(p.t, err)
	p.t.Cleanup(func() { conn.Close() })
	s := &socket{p.t, conn}
	s.want("identified")
	return s
}

// want reads until a frame of the type arrives.
func (s *socket) want(frameType string) map[string]any {
	s.t.Helper()
	return s.wantAll(frameType)[frameType]
}

// wantAll reads until one frame of each type has arrived, in any order, and
// returns them by type.
func (s *socket) wantAll(frameTypes ...string) map[string]map[string]any {
	s.t.Helper()
	require.NoError(s.t, s.conn.SetReadDeadline(time.Now().Add(waitTimeout)))
	frames := map[string]map[string]any{}
	for len(frames) < len(frameTypes) {
		var frame map[string]any
		require.NoError(s.t, s.conn.ReadJSON(&frame), "waiting for %s, received %v", frameTypes, frames)
		if frameType, _ := frame["type"].(string); slices.Contains(frameTypes, frameType) {
			frames[frameType] = frame
		}
	}
	return frames
}

// wantClosed reads until the server closes the socket, with this code.
func (s *socket) wantClosed(code int) {
	s.t.Helper()
	require.NoError(s.t, s.conn.SetReadDeadline(time.Now().Add(waitTimeout)))
	for {
		if _, _, err := s.conn.ReadMessage(); err != nil {
			require.True(s.t, websocket.IsCloseError(err, code), "%v", err)
			return
		}
	}
}
