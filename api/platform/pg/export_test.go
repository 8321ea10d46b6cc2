package pg

import (
	"context"
	"io/fs"
	"time"
)

// MigrateFiles is Migrate for the given files, with a lock timeout of 20 ms.
func MigrateFiles(ctx context.Context, url string, files fs.FS, onRetry func()) error {
	m := newMigration()
	m.files, m.lockTimeout, m.firstPause, m.maxPause, m.onRetry = files, 20*time.Millisecond, time.Millisecond, 10*time.Millisecond, onRetry
	m.attempts = 100_000 // the test releases its lock
	return m.run(ctx, url)
}
