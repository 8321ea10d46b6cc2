package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLog_OmitsExpectedErrors(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		level  slog.Level
		attr   slog.Attr
		logged bool
	}{
		{slog.LevelInfo, slog.Int("jobs", 3), false},
		{slog.LevelWarn, slog.Int("jobs", 3), true},
		{slog.LevelError, slog.String("error", "connection refused"), true},
		{slog.LevelError, slog.String("error", "timeout: context deadline exceeded"), true},
		{slog.LevelError, slog.String("queue", "context canceled"), true},
		{slog.LevelError, slog.String("error", "begin: context canceled"), false},
		{slog.LevelError, slog.Any("err", fmt.Errorf("fetch: %w", context.Canceled)), false},
		{slog.LevelError, slog.Any("err", errors.New("lost")), true},
	} {
		var out bytes.Buffer
		logger := slog.New(warnings{slog.NewTextHandler(&out, nil)}).With("node", "a").WithGroup("river")
		logger.LogAttrs(t.Context(), row.level, "something", slog.String("queue", "default"), row.attr)
		require.Equal(t, row.logged, out.Len() > 0, "%s %s", row.level, row.attr)
	}
}
