package api_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"heartward/api"
	"heartward/api/platform/blobs"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// eveningCall is a line of evening.tsv, which pwa/e2e/bench/evening.bench.ts recorded from the app: the second, the
// method, the path and the body of a request, with ids as numbers.
type eveningCall struct {
	second             int
	method, path, body string
}

func readEvening(t *testing.T) (calls []eveningCall) {
	t.Helper()
	content, err := os.ReadFile("testdata/evening.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(content)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		require.Len(t, cells, 4, line)
		second, err := strconv.Atoi(cells[0])
		require.NoError(t, err)
		calls = append(calls, eveningCall{second, cells[1], cells[2], cells[3]})
	}
	return calls
}

// evening replays the calls with all limits of a site, and a clock that the test sets.
type evening struct {
	*env
	mu     sync.Mutex
	now    time.Time
	people []uuid.UUID // whom the members meet
	photos []uuid.UUID // of the people
}

func newEvening(t *testing.T) *evening {
	t.Helper()
	w := &evening{env: &env{DB: testkit.DB{TB: t, Pool: pgtest.New(t)}, idsOfOthers: map[string]uuid.UUID{}}, now: time.Now()}
	config := newConfig(t, "http://heartward.test")
	config.RateLimitScale = 1
	deps, store, mails := wireWith(t, config, w.Pool, func(s api.Services) {
		s.Messaging.SetLimitClock(w.clock)
		s.Discovery.SetLimitClock(w.clock)
	})
	followSearch(t, deps.Discovery)
	w.search, w.store, w.mails, w.mailbox = deps.Discovery, store, mails, deps.Mailbox.Path()
	server, err := api.New(deps)
	require.NoError(t, err)
	w.server = server
	w.listen()
	w.people = testkit.SelectAll[uuid.UUID](t, w.Pool, `
		INSERT INTO users (id, email, full_name, first_name, birth_date, city, state, intention_tags, bio, referral_code)
		SELECT id, id || '@example.test', 'Person ' || n, 'Person', now() - interval '31 years 2 months', 'Portland', 'OR',
			ARRAY['Long-term'], 'Hello', left(replace(id::text, '-', ''), 16)
		FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(1, 500) n) p
		RETURNING id`)
	w.photos = testkit.SelectAll[uuid.UUID](t, w.Pool, `
		WITH photos AS (
			SELECT gen_random_uuid() AS id, person, n FROM unnest($1::uuid[]) AS person, generate_series(1, 2) n
		), stored AS (
			INSERT INTO files (id, owner_id, content_type, bytes, width, height) SELECT id, person, 'image/webp', 1, 480, 640 FROM photos
		)
		INSERT INTO member_media (file_id, user_id, slot, position) SELECT id, person, 'photo', n FROM photos
		RETURNING file_id`, w.people)
	for _, id := range w.photos {
		for _, variant := range []string{"full.webp", "thumb.webp"} {
			require.NoError(t, store.Put(t.Context(), blobs.Key(id, variant), "image/webp", bytes.NewReader([]byte{0})))
		}
	}
	w.refreshSearch()
	return w
}

func (w *evening) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// advance moves the clock of the process, and the counts in the database back.
func (w *evening) advance(d time.Duration) {
	w.mu.Lock()
	w.now = w.now.Add(d)
	w.mu.Unlock()
	w.Exec(`UPDATE rate_limits SET tat = tat - $1::interval`, d)
	w.Exec(`UPDATE user_likes SET created_at = created_at - $1::interval`, d)
}

// eveningMember is one of the members, with what the numbers in the calls stand for.
type eveningMember struct {
	cookie         string
	id, match      uuid.UUID
	partner        uuid.UUID
	people, photos map[string]uuid.UUID
	next           map[string]string // cursor of a list
}

func (w *evening) join(name string) *eveningMember {
	w.Helper()
	m := &eveningMember{cookie: w.signUp(name), people: map[string]uuid.UUID{}, photos: map[string]uuid.UUID{}, next: map[string]string{}}
	m.id = testkit.Select[uuid.UUID](w, w.Pool, `SELECT id FROM users WHERE full_name = $1`, name)
	m.partner, m.match = w.people[0], uuid.New()
	w.Exec(`INSERT INTO matches (id, user_a, user_b) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3))`, m.match, m.id, m.partner)
	w.Exec(`INSERT INTO conversations (id, user_a, user_b) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3))`, m.match, m.id, m.partner)
	return m
}

var (
	numberedID = regexp.MustCompile(`\{\d+\}`)
	clientID   = regexp.MustCompile(`"clientId":"[^"]*"`)
	nextLink   = regexp.MustCompile(`cursor=([^&>]*)`)
)

// request returns the call for the member.
func (w *evening) request(m *eveningMember, c eveningCall) (path, body string) {
	numbered := func(text string, ids map[string]uuid.UUID, from []uuid.UUID) string {
		return numberedID.ReplaceAllStringFunc(text, func(number string) string {
			if _, known := ids[number]; !known {
				ids[number] = from[len(ids)+1]
			}
			return ids[number].String()
		})
	}
	list, _, _ := strings.Cut(c.path, "?")
	path = strings.ReplaceAll(c.path, "{next}", m.next[list])
	body = clientID.ReplaceAllString(c.body, `"clientId":"`+uuid.Must(uuid.NewV7()).String()+`"`)
	switch {
	case strings.HasPrefix(path, "/files/"):
		return numbered(path, m.photos, w.photos), body
	case strings.HasPrefix(path, "/api/referrals/"):
		return numberedID.ReplaceAllString(path, m.id.String()), body
	case strings.HasPrefix(path, "/api/messages"), strings.HasPrefix(path, "/api/matches/"):
		return numberedID.ReplaceAllString(path, m.match.String()), numberedID.ReplaceAllString(body, m.partner.String())
	}
	return numbered(path, m.people, w.people), numbered(body, m.people, w.people)
}

// play makes a call, and returns an error if a limit refuses it or if it fails.
func (w *evening) play(m *eveningMember, c eveningCall) error {
	path, body := w.request(m, c)
	response := w.send(m.cookie, c.method, path, "application/json", body)
	list, _, _ := strings.Cut(c.path, "?")
	if next := nextLink.FindStringSubmatch(response.header.Get("Link")); next != nil {
		m.next[list] = next[1]
	}
	if at := response.header.Get("X-New-People-At"); response.status >= 400 || at != "" {
		return fmt.Errorf("second %d: %s %s: %d %s %s", c.second, c.method, path, response.status, at, response.body)
	}
	return nil
}

// reads reports whether a call reads people or their files, which a network has limits for.
func (c eveningCall) reads() bool {
	for _, prefix := range []string{"/files/", "/api/users/", "/api/compatibility/", "/api/matches/for-you", "/api/discover"} {
		if c.method == http.MethodGet && strings.HasPrefix(c.path, prefix) {
			return true
		}
	}
	return false
}

// Thirty members of one network, whose address all requests of the test have, spend an evening of two hours at
// the same time. One makes all calls that the app made, the others those for people and their files.
func TestEvening_MeetsNoLimit(t *testing.T) {
	t.Parallel()
	w := newEvening(t)
	members := make([]*eveningMember, 30)
	for n := range members {
		members[n] = w.join(fmt.Sprintf("Member%c%c", 'a'+n/26, 'a'+n%26))
	}
	w.refreshSearch()
	calls := readEvening(t)
	require.Greater(t, calls[len(calls)-1].second, 100*60)
	var second int
	for _, call := range calls {
		if call.second > second {
			w.advance(time.Duration(call.second-second) * time.Second)
			second = call.second
		}
		if err := w.play(members[0], call); err != nil {
			t.Fatal(err)
		}
		if !call.reads() {
			continue
		}
		var others errgroup.Group
		others.SetLimit(4)
		for _, m := range members[1:] {
			others.Go(func() error { return w.play(m, call) })
		}
		require.NoError(t, others.Wait())
	}
	t.Log(testkit.SelectAll[string](t, w.Pool, `SELECT rule || ' ' || min(items) || ' to ' || max(items) FROM daily_counts GROUP BY rule`),
		w.Count(`SELECT coalesce(sum(items), 0) FROM daily_network_counts`))
}
