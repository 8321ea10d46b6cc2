package pulse_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/graduation"
	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/platform/archive"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/files"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
	"heartward/api/pulse"
)

func TestMain(m *testing.M) {
	web.Prepare()
	os.Exit(m.Run())
}

type env struct {
	*pulse.Service
	t        *testing.T
	pool     *pgxpool.Pool
	members  *members.Service
	matching *matching.Service
	couples  *graduation.Service

	mu      sync.Mutex
	changed []uuid.UUID // members of whom a change was announced
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{t: t, pool: pgtest.New(t)}
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	b, jobs := blobs.New(w.pool, store), pgtest.Jobs(t, w.pool)
	w.members = members.New(w.pool, b)
	w.matching = matching.New(w.pool, &bustest.Recorder{}, jobs)
	w.couples = graduation.New(w.pool, b, jobs)
	w.Service = pulse.New(w.pool)
	w.Watch(func(_ context.Context, ids ...uuid.UUID) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.changed = append(w.changed, ids...)
	})
	return w
}

// join adds a member as a sign-up does.
func (w *env) join(name string) uuid.UUID {
	w.t.Helper()
	draft, err := w.members.Check(w.t.Context(), members.NewMember{
		Email: strings.ToLower(name) + "@example.test", FullName: name + " Doe", Age: new(30), City: "Portland", State: "OR",
	})
	require.NoError(w.t, err)
	id, err := pg.Tx(w.t.Context(), w.pool, func(tx pgx.Tx) (uuid.UUID, error) { return members.Create(w.t.Context(), tx, draft) })
	require.NoError(w.t, err)
	return id
}

// graduates returns two members who have graduated together.
func (w *env) graduates(a, b string) (one, two uuid.UUID) {
	w.t.Helper()
	one, two = w.join(a), w.join(b)
	for _, like := range [][2]uuid.UUID{{one, two}, {two, one}} {
		_, err := w.matching.Like(w.t.Context(), web.Actor{ID: like[0]}, matching.LikeInput{To: like[1], Kind: matching.Kind("like")})
		require.NoError(w.t, err)
	}
	_, err := w.couples.Ask(w.t.Context(), one, graduation.Ask{Partner: two})
	require.NoError(w.t, err)
	state, err := w.couples.State(w.t.Context(), two)
	require.NoError(w.t, err)
	_, err = w.couples.Accept(w.t.Context(), two, state.Requests[0].ID, false, nil)
	require.NoError(w.t, err)
	require.NoError(w.t, w.couples.Approve(w.t.Context(), w.join("Mo"+a), state.Requests[0].ID, "Lovely"))
	return one, two
}

const hopeful = "💚 Hopeful: "

// zone is a time zone in which the day does not change during the tests, because they begin around noon there.
var zone = time.FixedZone(middayZone(time.Now()))

// middayZone returns the name of a time zone in which the hour of at is 12, and its offset in seconds.
func middayZone(at time.Time) (name string, offset int) {
	switch east := 12 - at.UTC().Hour(); {
	case east > 0:
		return fmt.Sprintf("Etc/GMT-%d", east), east * 3600 // the sign in the name is that of POSIX
	case east < 0:
		return fmt.Sprintf("Etc/GMT+%d", -east), east * 3600
	}
	return "UTC", 0
}

// today is the date in zone.
func today() string { return time.Now().In(zone).Format(time.DateOnly) }

func yesterday() string { return time.Now().In(zone).AddDate(0, 0, -1).Format(time.DateOnly) }

func questionOf(date string) string {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic(err)
	}
	return string(pulse.QuestionOf(at))
}

// save saves the member's entry of a day in zone.
func (w *env) save(member uuid.UUID, date, response string) pulse.DailyEntry {
	w.t.Helper()
	entry, err := w.Save(w.t.Context(), member, member, pulse.Edit{Date: date, Question: questionOf(date), Response: response, TimeZone: zone.String()})
	require.NoError(w.t, err)
	return entry
}

// insert stores entries of whole days in UTC, newest first, from a date backwards.
func (w *env) insert(member uuid.UUID, newest time.Time, days int) {
	w.t.Helper()
	pgtest.Exec(w.t, w.pool, `
		INSERT INTO love_pulse (id, user_id, date, day_starts, day_ends, question, mood, reflection, client_id, edited_at)
		SELECT gen_random_uuid(), $1, $2::date - i, ($2::date - i) AT TIME ZONE 'UTC', ($2::date - i + 1) AT TIME ZONE 'UTC', 'What?', 'content', 'Fine', gen_random_uuid(), now()
		FROM generate_series(0, $3 - 1) i`, member, newest.Format(time.DateOnly), days)
}

// export returns the documents of the member's export by name.
func (w *env) export(member uuid.UUID) map[string]string {
	w.t.Helper()
	var zipped bytes.Buffer
	writer := archive.NewWriter(&zipped, w.pool, member)
	require.NoError(w.t, pulse.Export(w.t.Context(), writer))
	require.NoError(w.t, graduation.Export(w.t.Context(), writer))
	require.NoError(w.t, writer.Close())
	reader, err := zip.NewReader(bytes.NewReader(zipped.Bytes()), int64(zipped.Len()))
	require.NoError(w.t, err)
	documents := map[string]string{}
	for _, file := range reader.File {
		content, err := file.Open()
		require.NoError(w.t, err)
		text, err := io.ReadAll(content)
		require.NoError(w.t, err)
		documents[file.Name] = string(text)
	}
	return documents
}
