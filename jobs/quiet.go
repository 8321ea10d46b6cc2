package jobs

import (
	"context"
	"errors"
	"log/slog"
	"strings"
)

// quiet lets through what an operator has to act on. River tells every minute
// how many jobs it ran, and at each stop what the stop has cut short.
type quiet struct{ slog.Handler }

func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}

func (q quiet) Handle(ctx context.Context, record slog.Record) error {
	cancelled := false
	record.Attrs(func(a slog.Attr) bool {
		cancelled = cancelled || isCancelled(a)
		return !cancelled
	})
	if cancelled {
		return nil
	}
	return q.Handler.Handle(ctx, record)
}

// isCancelled reports whether a is an error that says only that its work was
// called off. River mostly gives errors as texts.
func isCancelled(a slog.Attr) bool {
	if a.Key != "err" && a.Key != "error" {
		return false
	}
	err, _ := a.Value.Any().(error)
	text, _ := a.Value.Any().(string)
	return errors.Is(err, context.Canceled) || strings.HasSuffix(text, context.Canceled.Error())
}

func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(attrs)} }

func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name)} }
