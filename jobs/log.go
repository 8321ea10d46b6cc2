package jobs

import (
	"context"
	"errors"
	"log/slog"
	"strings"
)

// warnings passes records of level warning and above. It drops two that River logs in
// normal operation: the number of jobs every minute, and cancelled work at each stop.
type warnings struct{ slog.Handler }

func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

func (w warnings) Handle(ctx context.Context, record slog.Record) error {
	cancelled := false
	record.Attrs(func(a slog.Attr) bool {
		cancelled = cancelled || isCancelled(a)
		return !cancelled
	})
	if cancelled {
		return nil
	}
	return w.Handler.Handle(ctx, record)
}

// isCancelled reports whether a is the error of a cancelled context. River logs most
// errors as text.
func isCancelled(a slog.Attr) bool {
	if a.Key != "err" && a.Key != "error" {
		return false
	}
	err, _ := a.Value.Any().(error)
	text, _ := a.Value.Any().(string)
	return errors.Is(err, context.Canceled) || strings.HasSuffix(text, context.Canceled.Error())
}

func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }
