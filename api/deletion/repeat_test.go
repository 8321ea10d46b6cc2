package deletion_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/deletion"
)

// A restore brings a deleted account back. The log of the deletion names it, and it is deleted again; other members stay.
// The test is not parallel, because it reads the log of the process.
func TestRepeat_DeletesRestoredAccounts(t *testing.T) {
	w := newEnv(t)
	former, other := newID(), newID()
	w.insertUser(other, "other@example.test", "Other")
	restore := func() { w.insertUser(former, "former@example.test", "Former") }
	restore()
	w.makeDue(former)
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	err := deletion.Delete(t.Context(), w.Pool, w.jobs, w.moderation(), api.Data(), former)
	slog.Info("account deleted of someone", "member", other)
	slog.SetDefault(before)
	require.NoError(t, err)
	require.NotContains(t, log.String(), "former@example.test")
	restore()

	ids, err := deletion.ReadDeleted(&log)
	require.NoError(t, err)
	require.Equal(t, former, ids[0])
	require.Len(t, ids, 1)
	for _, want := range []int{1, 0} { // the second call finds that it is leaving
		scheduled, err := deletion.Repeat(t.Context(), w.Pool, w.jobs, ids)
		require.NoError(t, err)
		require.Equal(t, want, scheduled)
	}
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = $1`, deletion.DeleteArgs{}.Kind()))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users WHERE profile_status = 'leaving'`))
	require.NoError(t, deletion.Delete(t.Context(), w.Pool, w.jobs, w.moderation(), api.Data(), former))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users`))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users WHERE id = $1`, other))
}
