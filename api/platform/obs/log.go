package obs

import (
	"context"
	"io"
	"log/slog"
)

// NewLogger returns a logger that writes one line per record. requestID returns the
// id of the request in a context, which is added to each record.
func NewLogger(w io.Writer, level string, requestID func(context.Context) string) *slog.Logger {
	var minimum slog.Level
	if err := minimum.UnmarshalText([]byte(level)); err != nil {
		minimum = slog.LevelInfo // validated by config
	}
	return slog.New(withRequestID{slog.NewTextHandler(w, &slog.HandlerOptions{Level: minimum}), requestID})
}

type withRequestID struct {
	slog.Handler
	requestID func(context.Context) string
}

func (h withRequestID) Handle(ctx context.Context, record slog.Record) error {
	if id := h.requestID(ctx); id != "" {
		record.AddAttrs(slog.String("request", id))
	}
	return h.Handler.Handle(ctx, record)
}

func (h withRequestID) WithAttrs(attrs []slog.Attr) slog.Handler {
	return withRequestID{h.Handler.WithAttrs(attrs), h.requestID}
}

func (h withRequestID) WithGroup(name string) slog.Handler {
	return withRequestID{h.Handler.WithGroup(name), h.requestID}
}
