package main

import (
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

// Makes PostgreSQL unavailable while members write: killed, and frozen. It is
// unavailable until requests and a socket were refused, which takes the 20 s of a
// request's limit if PostgreSQL is frozen. No acknowledged message is lost, and
// everything continues afterwards.
func TestServe_WithoutPostgreSQL(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	server := p.serve("--no-work")
	people := p.senders()
	talk, caller := p.talk(people[2:]), p.call(people[0])
	talk.continues(server)
	caller.wants("ack")
	for _, c := range []struct {
		name  string
		leave func() (back func())
	}{{"gone", p.killPostgres}, {"frozen", p.freezePostgres}} {
		before := talk.refused.Load()
		back := c.leave()
		require.Eventually(t, func() bool {
			status, _ := p.get("/readyz")
			return status == http.StatusServiceUnavailable
		}, waitTimeout, 5*time.Millisecond, c.name) // its processes end with a delay
		status, _ := p.get("/healthz")
		require.Equal(t, http.StatusOK, status, c.name)
		require.Equal(t, "unavailable", caller.wants("error")["kind"], c.name)
		require.Eventually(t, func() bool { return talk.refused.Load() > before }, waitTimeout, 5*time.Millisecond, "%s: calls are refused", c.name)
		back()
		talk.continues(server)
		caller.wants("ack")
	}
	talk.requireAllStored()
	require.Equal(t, 3, p.query(`SELECT count(*) FROM messages WHERE sender_id = $1 AND content = ANY($2)`, people[0].id, caller.acknowledged))
}

// killPostgres kills PostgreSQL and prevents its restart.
func (p instance) killPostgres() (back func()) {
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
func (p instance) freezePostgres() (back func()) {
	p.t.Helper()
	first := p.postmaster()
	require.NoError(p.t, syscall.Kill(first, syscall.SIGSTOP)) // so that it forks no more
	all := append(children(p.t, first), first)
	back = func() {
		for _, pid := range all {
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	}
	p.t.Cleanup(back) // otherwise the server could not stop it
	for _, pid := range all {
		_ = syscall.Kill(pid, syscall.SIGSTOP) // the process may have ended
	}
	return back
}

func children(t *testing.T, of int) (pids []int) {
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

// caller is a member who sends over a socket.
type caller struct {
	instance
	sender
	conn         *websocket.Conn
	acknowledged []string
}

func (p instance) call(person sender) *caller {
	p.t.Helper()
	address := fmt.Sprintf("127.0.0.1:%d", p.port)
	conn, _, err := websocket.DefaultDialer.Dial("ws://"+address+"/ws", http.Header{
		"Cookie": {"sid=" + person.session.String()}, "Origin": {"http://" + address},
	})
	require.NoError(p.t, err)
	p.t.Cleanup(func() { conn.Close() })
	return &caller{instance: p, sender: person, conn: conn}
}

// wants sends a message and expects a response of the kind.
func (c *caller) wants(kind string) map[string]any {
	c.t.Helper()
	id := uuid.NewString()
	require.NoError(c.t, c.conn.WriteJSON(map[string]any{"type": "send_message", "recipientId": c.to, "content": id, "clientId": id}))
	require.NoError(c.t, c.conn.SetReadDeadline(time.Now().Add(waitTimeout)))
	for {
		var answer map[string]any
		require.NoError(c.t, c.conn.ReadJSON(&answer), "the socket stays open, and tells")
		if answer["clientId"] != id || (answer["type"] != "ack" && answer["type"] != "error") {
			continue
		}
		require.Equal(c.t, kind, answer["type"], "%v", answer)
		if kind == "ack" {
			c.acknowledged = append(c.acknowledged, id)
		}
		return answer
	}
}
