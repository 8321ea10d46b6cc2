package pgserver

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExitReason(t *testing.T) {
	t.Parallel()
	const started = "2026-01-01 UTC [1] LOG:  starting PostgreSQL 18.4\n"
	const early = "2026-01-01 UTC [2] FATAL:  the database system is starting up\n"
	const full = `2026-01-01 UTC [3] FATAL:  could not write to file "pg_wal/xlogtemp.3": No space left on device`
	const panics = `2026-01-01 UTC [3] PANIC:  could not write to file "pg_logical/replorigin_checkpoint.tmp": No space left on device`
	for _, test := range []struct {
		log, reason string
		found       bool
	}{
		{"", "", false},
		{started, "2026-01-01 UTC [1] LOG:  starting PostgreSQL 18.4", false},
		{started + early, "2026-01-01 UTC [1] LOG:  starting PostgreSQL 18.4", false},
		{started + early + full + "\nLOG:  shutting down\n", full, true},
		{started + panics + "\n" + full, panics, true},
		{"initdb: error: could not create directory", "initdb: error: could not create directory", true},
	} {
		reason, found := exitReason(test.log)
		require.Equal(t, test.reason, reason)
		require.Equal(t, test.found, found)
	}
}
