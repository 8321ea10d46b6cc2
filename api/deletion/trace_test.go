package deletion_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/deletion"
	"heartward/api/platform/testkit"
)

// A member with rows in every table leaves nothing behind but what docs/personal-data.md lists
// as staying. The tables and columns are read from the schema, so that a new one is covered: a column that
// refers to members must be filled by fillMember.
func TestDelete_LeavesOnlyListedTraces(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	m := w.fillMember()
	before := w.traces(m)
	require.Empty(t, testkit.Missing(w.columnsOfMembers(), slices.Collect(maps.Keys(before))), "fillMember must insert rows with the member in these columns")
	for _, file := range m.files {
		require.True(t, w.hasBlob(file))
	}

	w.makeDue(m.id)
	require.NoError(t, deletion.Delete(t.Context(), w.Pool, w.jobs, w.moderation(), api.Data(), m.id))
	_, err := w.blobs.RemoveDue(t.Context())
	require.NoError(t, err)
	after := w.traces(m)
	remaining := staying(t)
	for _, column := range testkit.Missing(slices.Collect(maps.Keys(after)), remaining) {
		t.Errorf("a trace of the member remains in %s: %s", column, after[column])
	}
	require.Empty(t, testkit.Missing(remaining, slices.Collect(maps.Keys(after))), "each reason is needed")
	for _, file := range m.files {
		require.Equal(t, file == m.evidence, w.hasBlob(file), "only the evidence remains in the file store")
	}
	require.Zero(t, w.Count(`SELECT count(*) FROM conversations WHERE id <> ALL ($1)`, m.conversations), "closed conversations and requests are deleted")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'confirm_deletion' AND args->>'email' = $1`, m.email))
	require.NoError(t, deletion.Delete(t.Context(), w.Pool, w.jobs, w.moderation(), api.Data(), m.id), "a repeated job does nothing")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'confirm_deletion'`))
}

// traces returns the columns in which a trace of the member is, with the trace.
func (w *env) traces(m filledMember) map[string]string {
	w.Helper()
	searched := append([]string{m.id.String(), m.email, mark}, m.fileIDs()...)
	found := map[string]string{}
	for _, column := range w.columns(`true`) {
		table, name, _ := strings.Cut(column, ".")
		var text *string
		err := w.Pool.QueryRow(w.Context(), fmt.Sprintf(`SELECT min(%[1]s::text) FROM %[2]s WHERE %[1]s::text ILIKE ANY ($1)`,
			pgx.Identifier{name}.Sanitize(), pgx.Identifier{table}.Sanitize()), patterns(searched)).Scan(&text)
		require.NoError(w, err, column)
		if text != nil {
			found[column] = *text
		}
	}
	return found
}

func patterns(texts []string) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = "%" + text + "%"
	}
	return all
}

// columnsOfMembers returns the columns with a foreign key to users.
func (w *env) columnsOfMembers() []string {
	w.Helper()
	return w.columns(`EXISTS (SELECT FROM pg_constraint k WHERE k.contype = 'f' AND k.conrelid = c.oid
		AND k.confrelid = 'users'::regclass AND k.conkey[1] = a.attnum)`)
}

// columns returns the columns of tables that satisfy a condition on pg_class c and
// pg_attribute a.
func (w *env) columns(condition string) []string {
	w.Helper()
	return testkit.SelectAll[string](w, w.Pool, `
		SELECT c.relname || '.' || a.attname
		FROM pg_class c
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND `+condition)
}

// A run that stops at any of its statements is continued by the next one.
func TestDelete_ContinuesAfterInterruption(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	m := w.fillMember()
	w.makeDue(m.id)
	interrupted := 0
	for w.interruptedDelete(m.id, interrupted) != nil {
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM users WHERE id = $1`, m.id), "the account is deleted last")
		interrupted++
		require.Less(t, interrupted, 1000)
	}
	require.Greater(t, interrupted, 10, "the run stopped at many statements")
	require.Zero(t, w.Count(`SELECT count(*) FROM users WHERE id = $1`, m.id))
	require.Zero(t, w.Count(`SELECT count(*) FROM messages WHERE sender_id = $1 AND content <> ''`, m.id))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'confirm_deletion'`))
}

// The other member keeps a gapless conversation with the own messages, and reads each change
// by its rev.
func TestDelete_LeavesConversationToOtherMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	m := w.fillMember()
	w.Exec(`UPDATE conversations SET last_rev = 7 WHERE id = $1`, m.conversations[0])
	w.makeDue(m.id)
	require.NoError(t, deletion.Delete(t.Context(), w.Pool, w.jobs, w.moderation(), api.Data(), m.id))
	rows, _ := w.Pool.Query(t.Context(), `
		SELECT seq, content, deleted_at IS NOT NULL, coalesce(sender_reaction, ''), coalesce(receiver_reaction, ''), rev
		FROM messages WHERE conversation_id = $1 ORDER BY seq`, m.conversations[0])
	type message struct {
		Seq               int64
		Content           string
		Deleted           bool
		Sender, Recipient string
		Rev               int64
	}
	messages, err := pgx.CollectRows(rows, pgx.RowToStructByPos[message])
	require.NoError(t, err)
	require.Equal(t, []message{
		{1, "", true, "", "", 8},
		{2, "words of another", false, "💛", "", 9},
		{3, "", true, "", "", 10},
	}, messages)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM conversations WHERE id = $1 AND last_seq = 3 AND last_rev = 10`, m.conversations[0]))
}

// The conversation is deleted with the account of its second member.
func TestDelete_DeletesConversationOfTwoFormerMembers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b := newID(), newID()
	w.insertUser(a, "a@example.test", "Ann")
	w.insertUser(b, "b@example.test", "Ben")
	w.insertConversation(a, b)
	for _, id := range []uuid.UUID{a, b} {
		w.makeDue(id)
		require.NoError(t, deletion.Delete(t.Context(), w.Pool, w.jobs, w.moderation(), api.Data(), id))
	}
	require.Zero(t, w.Count(`SELECT count(*) FROM conversations`))
	require.Zero(t, w.Count(`SELECT count(*) FROM messages`))
}

// A job that runs too early, or after the account was kept, does nothing.
func TestDelete_OnlyWhenDue(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	m := w.fillMember()
	before := w.traces(m)
	require.NoError(t, deletion.Delete(t.Context(), w.Pool, w.jobs, w.moderation(), api.Data(), m.id))
	w.makeDue(m.id)
	w.Exec(`UPDATE users SET deletion_due_at = now() + interval '1 minute' WHERE id = $1`, m.id)
	require.NoError(t, deletion.Delete(t.Context(), w.Pool, w.jobs, w.moderation(), api.Data(), m.id))
	require.Equal(t, before, w.traces(m))
}
