package pg

import (
	"context"
	"io/fs"
	"time"
)

// MigrateFiles is Migrate for other files and a short lock timeout.
func MigrateFiles(ctx context.Context, url string, files fs.FS, onRetry func()) error {
	m := newMigration()
	m.files, m.lockTimeout, m.firstPause, m.maxPause, m.onRetry = files, 20*time.Millisecond, time.Millisecond, 10*time.Millisecond, onRetry
	m.attempts = 100_000 // a test ends by its own lock
	return m.run(ctx, url)
}
