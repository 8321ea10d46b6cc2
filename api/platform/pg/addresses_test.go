package pg_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
	"heartward/migrations"
)

// filesBefore returns the migrations with smaller numbers.
func filesBefore(t *testing.T, number string) fstest.MapFS {
	t.Helper()
	before := fstest.MapFS{}
	names, err := fs.Glob(migrations.FS, "*.sql")
	require.NoError(t, err)
	for _, name := range names {
		if name < number {
			data, err := fs.ReadFile(migrations.FS, name)
			require.NoError(t, err)
			before[name] = &fstest.MapFile{Data: data}
		}
	}
	return before
}

// Existing members get keys. Those who share a mailbox do not stop the migration: the later ones get a number.
func TestMigrate_KeepsAccountsOfOneMailbox(t *testing.T) {
	t.Parallel()
	address := emptySchema(t)
	require.NoError(t, pg.MigrateFiles(t.Context(), address, filesBefore(t, "00160"), func() {}))
	pool := openAt(t, address)
	for i, email := range []string{"kim@example.test", "kim+2@example.test", "kim+b+c@example.test", "+lee@example.test", "a..b@docomo.example"} {
		testkit.Exec(t, pool, `INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, created_at)
			VALUES (gen_random_uuid(), $1, 'Kim', 'Kim', '1990-01-01', $2, now() - $3 * interval '1 hour')`, email, email[:6], i)
	}
	require.NoError(t, pg.MigrateFiles(t.Context(), address, migrations.FS, func() {}))
	rows, err := pool.Query(t.Context(), `SELECT identity_key, abuse_key, mailbox_number FROM users ORDER BY created_at DESC`)
	require.NoError(t, err)
	var got [][3]any
	for rows.Next() {
		values, err := rows.Values()
		require.NoError(t, err)
		got = append(got, [3]any(values))
	}
	require.Equal(t, [][3]any{
		{"kim@example.test", "kim@example.test", int16(2)},
		{"kim+2@example.test", "kim@example.test", int16(1)},
		{"kim+b+c@example.test", "kim@example.test", int16(0)},
		{"+lee@example.test", "+lee@example.test", int16(0)},
		{"a..b@docomo.example", "a..b@docomo.example", int16(0)},
	}, got)
}
