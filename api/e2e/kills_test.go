package e2e_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgserver"
)

// Number of times the server and PostgreSQL are killed. Use more after changes to how
// messages are stored:
//
//	go test ./api/e2e -run NothingAcknowledged -server-kills 50 -postgres-kills 20
var (
	serverKills   = flag.Int("server-kills", 2, "kill -9 of the server")
	postgresKills = flag.Int("postgres-kills", 2, "kill -9 of PostgreSQL")
)

// senderCount is the number of concurrent senders; each may send 30 messages in 10 s.
const senderCount = 60

// Kills processes while members send. Each member repeats a message until it is
// acknowledged, as the app does, and one in ten responses is discarded at random. In the
// end each acknowledged message is stored once, in the order in which it was sent.
func TestSend_NothingAcknowledgedIsLost(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	server := p.serve("--no-work")
	traffic := p.startTraffic(p.insertSenders())
	for kill := range max(*serverKills, *postgresKills) {
		traffic.waitForProgress(server)
		if kill < *postgresKills {
			require.NoError(t, syscall.Kill(p.postmaster(), syscall.SIGKILL))
			traffic.waitForProgress(server)
		}
		if kill < *serverKills {
			server.stop(syscall.SIGKILL)
			server = p.serve("--no-work")
		}
	}
	traffic.waitForProgress(server)
	traffic.requireAllStored()
	t.Logf("%d messages acknowledged, %d kills of the server, %d of PostgreSQL", traffic.totalAcknowledged(), *serverKills, *postgresKills)
}

// traffic is a set of members who send concurrently, with counts of the responses.
type traffic struct {
	instance
	people       []sender
	acknowledged []atomic.Int64 // by sender
	unavailable  atomic.Int64   // responses with status 503
	stop         chan struct{}
	sending      sync.WaitGroup
}

// startTraffic lets each of people send messages until requireAllStored.
func (p instance) startTraffic(people []sender) *traffic {
	c := &traffic{instance: p, people: people, acknowledged: make([]atomic.Int64, len(people)), stop: make(chan struct{})}
	for i, person := range people {
		c.sending.Go(func() {
			for n := 1; ; n++ {
				select {
				case <-c.stop:
					return
				default:
				}
				if !c.sendUntilAcknowledged(person, n) {
					return
				}
				c.acknowledged[i].Store(int64(n))
			}
		})
	}
	return c
}

func (c *traffic) totalAcknowledged() (n int64) {
	for i := range c.acknowledged {
		n += c.acknowledged[i].Load()
	}
	return n
}

func (c *traffic) waitForProgress(server *process) {
	c.t.Helper()
	before := c.totalAcknowledged()
	require.Eventually(c.t, func() bool { return c.totalAcknowledged() > before+int64(len(c.people)) }, waitTimeout, 5*time.Millisecond,
		"messages are acknowledged: %s", server.log)
}

// requireAllStored stops sending and checks the acknowledged messages.
func (c *traffic) requireAllStored() {
	c.t.Helper()
	close(c.stop)
	c.sending.Wait()
	for i, person := range c.people {
		c.requireStored(person, int(c.acknowledged[i].Load()))
	}
}

// sender is a member with a session, and the recipient.
type sender struct{ id, to, session uuid.UUID }

func (p instance) insertSenders() []sender {
	p.t.Helper()
	conn := p.connect()
	defer conn.Close(context.Background())
	people := make([]sender, senderCount)
	for i := range people {
		people[i] = sender{id: uuid.Must(uuid.NewV7()), session: uuid.Must(uuid.NewV7())}
	}
	for i := range people {
		one, other := &people[i], people[i^1]
		one.to = other.id
		hash := sha256.Sum256([]byte(one.session.String()))
		p.exec(conn, `INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
			VALUES ($1::uuid, $1::uuid || '@fault.test', 'Tess', 'Tess', '1990-01-01', left(md5($1::uuid::text), 20))`, one.id)
		p.exec(conn, `INSERT INTO sessions (id, user_id, token_hash, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')`, one.session, one.id, hash[:])
		if i%2 == 1 {
			p.exec(conn, `INSERT INTO conversations (id, user_a, user_b) VALUES (gen_random_uuid(), least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid))`, one.id, one.to)
		}
	}
	return people
}

func (p instance) connect() *pgx.Conn {
	p.t.Helper()
	address, ok := pgserver.FindRunning(filepath.Join(p.dir, "postgres"))
	require.True(p.t, ok, "PostgreSQL runs")
	conn, err := pgx.Connect(context.Background(), address)
	require.NoError(p.t, err)
	return conn
}

func (p instance) exec(conn *pgx.Conn, sql string, args ...any) {
	p.t.Helper()
	_, err := conn.Exec(context.Background(), sql, args...)
	require.NoError(p.t, err)
}

// sendUntilAcknowledged reports whether message n was acknowledged before the traffic
// stopped.
func (c *traffic) sendUntilAcknowledged(from sender, n int) bool {
	body, err := json.Marshal(map[string]any{
		"recipientId": from.to, "content": fmt.Sprint(n), "clientId": uuid.Must(uuid.NewV7()),
	})
	require.NoError(c.t, err)
	for {
		wait, err := c.send(from, body)
		if err == nil {
			return true
		}
		select {
		case <-c.stop:
			return false
		case <-time.After(wait):
		}
	}
}

var errNotAcknowledged = errors.New("not acknowledged")

// send sends a message once. Without an acknowledgement it returns the delay of the
// retry.
func (c *traffic) send(from sender, body []byte) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, fmt.Sprintf("http://127.0.0.1:%d/api/messages", c.port), bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.AddCookie(&http.Cookie{Name: "sid", Value: from.session.String()})
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 50 * time.Millisecond, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if response.StatusCode == http.StatusServiceUnavailable {
		c.unavailable.Add(1)
	}
	switch status := response.StatusCode; {
	case err != nil || rand.IntN(10) == 0:
		return 0, errNotAcknowledged // as if the response were lost
	case status == http.StatusCreated || status == http.StatusOK:
		return 0, nil
	case status == http.StatusTooManyRequests:
		return 200 * time.Millisecond, errNotAcknowledged
	case status == http.StatusServiceUnavailable || status == http.StatusInternalServerError:
		return 50 * time.Millisecond, errNotAcknowledged
	default:
		c.t.Errorf("unexpected status %d: %s", status, answer)
		return 50 * time.Millisecond, errNotAcknowledged
	}
}

// requireStored checks that messages 1 to n of a member are stored once each and in order.
func (p instance) requireStored(from sender, n int) {
	p.t.Helper()
	got := p.query(`SELECT count(*) FROM (
		SELECT content::int AS n, row_number() OVER (ORDER BY seq) AS position FROM messages WHERE sender_id = $1) m WHERE m.n = position`, from.id)
	all := p.query(`SELECT count(*) FROM messages WHERE sender_id = $1`, from.id)
	require.Equal(p.t, all, got, "each message is stored once and in order")
	require.GreaterOrEqual(p.t, all, n, "all acknowledged messages are stored")
	require.LessOrEqual(p.t, all, n+1, "at most one message was stored without an acknowledgement")
}
