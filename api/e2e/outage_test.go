package e2e_test

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// Kills and then freezes PostgreSQL while members write, until a request and a socket's
// frame were refused. That takes 20 s, a request's time limit, if PostgreSQL is frozen.
// No acknowledged message is lost, and sending continues.
func TestServe_WithoutPostgreSQL(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	server := p.serve("--no-work")
	people := p.insertSenders()
	traffic, member := p.startTraffic(people[2:]), p.openSocket(people[0])
	traffic.waitForProgress(server)
	member.send("ack")
	for _, c := range []struct {
		name string
		stop func() (restore func())
	}{{"killed", p.killPostgres}, {"frozen", p.freezePostgres}} {
		before := traffic.unavailable.Load()
		restore := c.stop()
		require.Eventually(t, func() bool {
			status, _ := p.get("/readyz")
			return status == http.StatusServiceUnavailable
		}, waitTimeout, 5*time.Millisecond, c.name) // PostgreSQL's processes exit with a delay
		status, _ := p.get("/healthz")
		require.Equal(t, http.StatusOK, status, c.name)
		require.Equal(t, "unavailable", member.send("error")["kind"], c.name)
		require.Eventually(t, func() bool { return traffic.unavailable.Load() > before }, waitTimeout, 5*time.Millisecond, "%s: requests are refused", c.name)
		restore()
		traffic.waitForProgress(server)
		member.send("ack")
	}
	traffic.requireAllStored()
	require.Equal(t, 3, p.query(`SELECT count(*) FROM messages WHERE sender_id = $1 AND content = ANY($2)`, people[0].id, member.acknowledged))
}

// killPostgres kills PostgreSQL and prevents its restart.
func (p instance) killPostgres() (restore func()) {
	p.t.Helper()
	settings := filepath.Join(p.dir, "postgres", "data", "postgresql.conf")
	require.NoError(p.t, os.Rename(settings, settings+".away"))
	require.NoError(p.t, syscall.Kill(p.postmaster(), syscall.SIGKILL))
	return func() {
		p.t.Helper()
		require.NoError(p.t, os.Rename(settings+".away", settings))
	}
}

// freezePostgres stops all processes of PostgreSQL with SIGSTOP.
func (p instance) freezePostgres() (restore func()) {
	p.t.Helper()
	first := p.postmaster()
	require.NoError(p.t, syscall.Kill(first, syscall.SIGSTOP)) // so that it starts no process
	all := append(children(p.t, first), first)
	restore = func() {
		for _, pid := range all {
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	}
	p.t.Cleanup(restore) // otherwise the server cannot stop PostgreSQL
	for _, pid := range all {
		_ = syscall.Kill(pid, syscall.SIGSTOP) // the process may have ended
	}
	return restore
}

func children(t testing.TB, of int) (pids []int) {
	t.Helper()
	found, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	for _, path := range found {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // the process has ended
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == strconv.Itoa(of) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			require.NoError(t, err)
			pids = append(pids, pid)
		}
	}
	return pids
}

// socketSender is a member who sends over a socket.
type socketSender struct {
	instance
	sender
	conn         *websocket.Conn
	acknowledged []string
	refused      string // the message to send again; empty if none was refused
}

func (p instance) openSocket(person sender) *socketSender {
	p.t.Helper()
	address := fmt.Sprintf("127.0.0.1:%d", p.port)
	conn, _, err := websocket.DefaultDialer.Dial("ws://"+address+"/ws", http.Header{
		"Cookie": {"sid=" + person.session.String()}, "Origin": {"http://" + address},
	})
	require.NoError(p.t, err)
	p.t.Cleanup(func() { conn.Close() })
	return &socketSender{instance: p, sender: person, conn: conn}
}

// send sends a message, that which was refused before if there is one, and expects a response of
// the given type.
func (c *socketSender) send(responseType string) map[string]any {
	c.t.Helper()
	id := cmp.Or(c.refused, uuid.NewString())
	require.NoError(c.t, c.conn.WriteJSON(map[string]any{"type": "send_message", "recipientId": c.to, "content": id, "clientId": id}))
	require.NoError(c.t, c.conn.SetReadDeadline(time.Now().Add(waitTimeout)))
	for {
		var answer map[string]any
		require.NoError(c.t, c.conn.ReadJSON(&answer), "the socket stays open and responds")
		if answer["clientId"] != id || (answer["type"] != "ack" && answer["type"] != "error") {
			continue
		}
		require.Equal(c.t, responseType, answer["type"], "%v", answer)
		c.refused = id
		if responseType == "ack" {
			c.acknowledged, c.refused = append(c.acknowledged, id), ""
		}
		return answer
	}
}
