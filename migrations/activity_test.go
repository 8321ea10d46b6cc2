package migrations_test

import (
	"context"
	"database/sql"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/migrations"
)

// older returns a schema without any migration, and what applies them to it.
func older(t *testing.T) (*pgxpool.Pool, *goose.Provider) {
	t.Helper()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), `CREATE SCHEMA older`)
	require.NoError(t, err)
	address, err := url.Parse(pool.Config().ConnString())
	require.NoError(t, err)
	query := address.Query()
	query.Set("search_path", "older")
	address.RawQuery = query.Encode()
	there, err := pg.Open(t.Context(), address.String(), 4)
	require.NoError(t, err)
	t.Cleanup(there.Close)
	db, err := sql.Open("pgx", address.String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.FS)
	require.NoError(t, err)
	return there, provider
}

// More rows than one batch keep their last activity and last use; what the
// version before still writes is followed; and all of it is there again after
// the migration was undone.
func TestActivity_KeepsWhatAnOlderDatabaseHas(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	pool, provider := older(t)
	exec := func(sql string) {
		t.Helper()
		_, err := pool.Exec(ctx, sql)
		require.NoError(t, err)
	}
	holds := func(condition string) {
		t.Helper()
		var holds bool
		require.NoError(t, pool.QueryRow(ctx, `SELECT `+condition).Scan(&holds))
		require.True(t, holds, condition)
	}
	_, err := provider.UpTo(ctx, 29)
	require.NoError(t, err)
	exec(`
		INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, last_active_at)
		SELECT gen_random_uuid(), n || '@example.test', 'Kim', 'Kim', '1990-01-01', 'code' || n, now() - n * interval '1 minute'
		FROM generate_series(1000, 12000) n`)
	exec(`
		INSERT INTO sessions (id, token_hash, user_id, expires_at, last_seen_at)
		SELECT gen_random_uuid(), sha256(uuid_send(id)), id, now() + interval '1 day', last_active_at - interval '1 second'
		FROM users`)
	exec(`CREATE TABLE before AS SELECT s.id AS session, u.id AS member, last_active_at, last_seen_at FROM users u JOIN sessions s ON s.user_id = u.id`)
	const kept = `NOT EXISTS (
		SELECT FROM before b
		LEFT JOIN member_activity m ON m.user_id = b.member
		LEFT JOIN session_activity s ON s.session_id = b.session
		WHERE (m.last_active_at, s.last_seen_at) IS DISTINCT FROM (b.last_active_at, b.last_seen_at))`

	_, err = provider.UpTo(ctx, 30)
	require.NoError(t, err)
	holds(kept)
	holds(`NOT EXISTS (SELECT FROM search_active_hours)`)

	exec(`UPDATE users SET last_active_at = now()`)
	exec(`UPDATE sessions SET last_seen_at = now()`)
	exec(`UPDATE before SET last_active_at = u.last_active_at, last_seen_at = s.last_seen_at
		FROM users u JOIN sessions s ON s.user_id = u.id WHERE u.id = before.member`)
	holds(kept)

	// An attempt that fails in between is made again from the start.
	exec(`UPDATE member_activity SET last_active_at = now() + interval '1 second'`)
	exec(`DELETE FROM goose_db_version WHERE version_id = 30`)
	_, err = provider.UpTo(ctx, 30)
	require.NoError(t, err)
	holds(`(SELECT count(*) = 11001 FROM member_activity a JOIN users u ON u.id = a.user_id WHERE a.last_active_at > u.last_active_at)`)

	_, err = provider.DownTo(ctx, 29)
	require.NoError(t, err)
	holds(`(SELECT count(*) = 11001 FROM before b JOIN users u ON u.id = b.member JOIN sessions s ON s.id = b.session
		WHERE u.last_active_at > b.last_active_at AND s.last_seen_at = b.last_seen_at)`)
}
