package pulse_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/graduation"
	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/platform/archive"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/files"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/pulse"
)

func TestMain(m *testing.M) {
	web.Prepare()
	os.Exit(m.Run())
}

type env struct {
	testkit.DB
	*pulse.Service
	members  *members.Service
	matching *matching.Service
	couples  *graduation.Service

	mu      sync.Mutex
	changed []uuid.UUID // members of whom a change was announced
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t)}
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	b, jobs := blobs.New(w.Pool, store), pgtest.Jobs(t, w.Pool)
	w.members = members.New(w.Pool, b)
	w.matching = matching.New(w.Pool, &bustest.Recorder{}, jobs)
	w.couples = graduation.New(w.Pool, b, jobs)
	w.Service = pulse.New(w.Pool, jobs)
	w.Watch(func(_ context.Context, ids ...uuid.UUID) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.changed = append(w.changed, ids...)
	})
	return w
}

func (w *env) join(name string) uuid.UUID {
	w.Helper()
	return w.Member(name + " Doe").ID
}

// graduates returns two members who have graduated together.
func (w *env) graduates(a, b string) (one, two uuid.UUID) {
	w.Helper()
	one, two = w.join(a), w.join(b)
	for _, like := range [][2]uuid.UUID{{one, two}, {two, one}} {
		_, err := w.matching.Like(w.Context(), web.Actor{ID: like[0]}, matching.LikeInput{To: like[1], Kind: matching.Kind("like")})
		require.NoError(w, err)
	}
	_, err := w.couples.Ask(w.Context(), one, graduation.Ask{Partner: two})
	require.NoError(w, err)
	state, err := w.couples.State(w.Context(), two)
	require.NoError(w, err)
	_, err = w.couples.Accept(w.Context(), two, state.Requests[0].ID, graduation.Acceptance{})
	require.NoError(w, err)
	require.NoError(w, w.couples.Approve(w.Context(), w.join("Mo"+a), state.Requests[0].ID, "Lovely"))
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
	w.Helper()
	entry, err := w.Save(w.Context(), member, member, pulse.Edit{Date: date, Question: questionOf(date), Response: response, TimeZone: zone.String()})
	require.NoError(w, err)
	return entry
}

// insert stores entries of whole days in UTC, newest first, from a date backwards.
func (w *env) insert(member uuid.UUID, newest time.Time, days int) {
	w.Helper()
	w.Exec(`
		INSERT INTO love_pulse (id, user_id, date, day_starts, day_ends, question, mood, reflection, client_id, edited_at)
		SELECT gen_random_uuid(), $1, $2::date - i, ($2::date - i) AT TIME ZONE 'UTC', ($2::date - i + 1) AT TIME ZONE 'UTC', 'What?', 'content', 'Fine', gen_random_uuid(), now()
		FROM generate_series(0, $3 - 1) i`, member, newest.Format(time.DateOnly), days)
}

// export returns the documents of the member's export by name.
func (w *env) export(member uuid.UUID) map[string]string {
	w.Helper()
	var zipped bytes.Buffer
	writer := archive.NewWriter(&zipped, nil, w.Pool, member)
	require.NoError(w, pulse.Export(w.Context(), writer))
	require.NoError(w, graduation.Export(w.Context(), writer))
	require.NoError(w, writer.Close())
	reader, err := zip.NewReader(bytes.NewReader(zipped.Bytes()), int64(zipped.Len()))
	require.NoError(w, err)
	documents := map[string]string{}
	for _, file := range reader.File {
		content, err := file.Open()
		require.NoError(w, err)
		text, err := io.ReadAll(content)
		require.NoError(w, err)
		documents[file.Name] = string(text)
	}
	return documents
}
