package notes_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/notes"
	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

type env struct {
	*notes.Service
	testkit.DB
	ada, ben web.Actor // a match
	eve      web.Actor
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{DB: testkit.DB{TB: t, Pool: pgtest.New(t)}}
	w.Service = notes.New(w.Pool)
	w.ada, w.ben, _ = w.Pair()
	w.eve = w.Member("Eve")
	return w
}

// save saves Ada's note about Ben and returns what is stored.
func (w *env) save(content string, age time.Duration) string {
	w.Helper()
	note, err := w.Save(w.Context(), w.ada, w.ben.ID, content, age)
	require.NoError(w, err)
	return note.Content
}

func TestSave_IsPrivateToItsMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	empty, err := w.Get(t.Context(), w.ada, w.ben.ID)
	require.NoError(t, err)
	require.Equal(t, notes.Note{}, empty)
	require.Equal(t, "His sister is called Mo", w.save(" His sister is called Mo ", 0))
	stored, err := w.Get(t.Context(), w.ada, w.ben.ID)
	require.NoError(t, err)
	require.Equal(t, "His sister is called Mo", stored.Content)
	other, err := w.Get(t.Context(), w.ben, w.ada.ID)
	require.NoError(t, err)
	require.Empty(t, other.Content, "the match has a note of his own")
	for _, call := range []struct{ actor, about web.Actor }{{w.eve, w.ada}, {w.ada, w.eve}, {w.ada, w.ada}} {
		_, err = w.Get(t.Context(), call.actor, call.about.ID)
		testkit.RequireKind(t, err, fault.NotFound)
		_, err = w.Save(t.Context(), call.actor, call.about.ID, "x", 0)
		testkit.RequireKind(t, err, fault.NotFound)
	}
	_, err = w.Save(t.Context(), w.ada, w.ben.ID, strings.Repeat("x", 501), 0)
	testkit.RequireKind(t, err, fault.Invalid)
	require.Equal(t, strings.Repeat("é", 500), w.save(strings.Repeat("e\u0301", 500), 0))
}

// Two devices of a member write, and one of them was offline.
func TestSave_LastEditWinsByTimeOfWriting(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	require.Equal(t, "new", w.save("new", time.Minute))
	require.Equal(t, "new", w.save("older", time.Hour))
	require.Equal(t, "newest", w.save("newest", 0))
	require.Empty(t, w.save("", 0))
	require.Empty(t, w.save("newest", time.Minute), "an older edit does not bring a deleted note back")
}

// The match ends while an edit waits on the device.
func TestSave_KeepsNoteOverUnmatch(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.save("before", time.Hour)
	w.Exec(`UPDATE matches SET unmatched_at = now()`)
	_, err := w.Save(t.Context(), w.ada, w.ben.ID, "after", 0)
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = w.Get(t.Context(), w.ada, w.ben.ID)
	testkit.RequireKind(t, err, fault.NotFound)
	w.Exec(`UPDATE matches SET unmatched_at = NULL`)
	stored, err := w.Get(t.Context(), w.ada, w.ben.ID)
	require.NoError(t, err)
	require.Equal(t, "after", stored.Content)
}
