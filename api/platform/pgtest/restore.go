package pgtest

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

// BackUp copies pool's database. The function that it returns puts the copy in
// its place, as an operator does who restores a backup.
func BackUp(t testing.TB, pool *pgxpool.Pool) (restore func()) {
	t.Helper()
	config := pool.Config().ConnConfig
	name := config.Database
	run := administer(t)
	t.Cleanup(func() { run(`DROP DATABASE IF EXISTS ` + name + `_lost WITH (FORCE)`) })
	// A database that is copied or renamed has no connections.
	comeBack := TakeAway(t, pool)
	run(`CREATE DATABASE ` + name + `_backup TEMPLATE ` + name + ` OWNER ` + config.User)
	comeBack()
	return func() {
		TakeAway(t, pool)
		run(`ALTER DATABASE ` + name + ` RENAME TO ` + name + `_lost`)
		run(`ALTER DATABASE ` + name + `_backup RENAME TO ` + name)
		pool.Reset()
	}
}

// TakeAway ends the connections to pool's database and refuses new ones until
// the function that it returns is called.
func TakeAway(t testing.TB, pool *pgxpool.Pool) (comeBack func()) {
	t.Helper()
	name := pool.Config().ConnConfig.Database
	run := administer(t)
	run(`ALTER DATABASE ` + name + ` ALLOW_CONNECTIONS false`)
	run(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '` + name + `'`)
	return func() {
		run(`ALTER DATABASE ` + name + ` ALLOW_CONNECTIONS true`)
		pool.Reset()
	}
}
