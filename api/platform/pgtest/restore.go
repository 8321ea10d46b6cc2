package pgtest

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

// BackUp copies pool's database. The returned function restores the copy, as an
// operator restores a backup.
func BackUp(t testing.TB, pool *pgxpool.Pool) (restore func()) {
	t.Helper()
	config := pool.Config().ConnConfig
	name := config.Database
	run := connectAdmin(t)
	t.Cleanup(func() { run(`DROP DATABASE IF EXISTS ` + name + `_lost WITH (FORCE)`) })
	// A database can be copied or renamed only without connections.
	accept := RefuseConnections(t, pool)
	run(`CREATE DATABASE ` + name + `_backup TEMPLATE ` + name + ` OWNER ` + config.User)
	accept()
	return func() {
		RefuseConnections(t, pool)
		run(`ALTER DATABASE ` + name + ` RENAME TO ` + name + `_lost`)
		run(`ALTER DATABASE ` + name + `_backup RENAME TO ` + name)
		pool.Reset()
	}
}

// RefuseConnections closes the connections to pool's database and refuses new ones until
// accept is called.
func RefuseConnections(t testing.TB, pool *pgxpool.Pool) (accept func()) {
	t.Helper()
	name := pool.Config().ConnConfig.Database
	run := connectAdmin(t)
	run(`ALTER DATABASE ` + name + ` ALLOW_CONNECTIONS false`)
	run(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '` + name + `'`)
	return func() {
		run(`ALTER DATABASE ` + name + ` ALLOW_CONNECTIONS true`)
		pool.Reset()
	}
}
