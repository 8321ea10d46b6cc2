// Package clienterrors writes to the log what failed in the app of a member, under the id that the member sees.
package clienterrors

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/time/rate"

	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/web"
)

// The limits of reports: a broken release fails in every browser, and anyone may send reports. perProcess is a rate in
// reports a second, and burst the number of reports at once.
const (
	perProcess = rate.Limit(0.5)
	burst      = 30
)

var perNetwork = limits.Rule{Name: "client-errors", Count: 20, Per: time.Hour}

// Service logs reports. It is safe for concurrent use.
type Service struct {
	pool    *pgxpool.Pool
	scale   float64
	limiter *rate.Limiter
}

// New returns a Service, which multiplies the limit per network by scale. It panics when the pool is nil.
func New(pool *pgxpool.Pool, scale float64) *Service {
	nilcheck.Must("clienterrors.New", nilcheck.Deps{"pool": pool})
	return &Service{pool, scale, rate.NewLimiter(perProcess, burst)}
}

// Failure is an error that ended a screen of the app. It has no text of the error, which may contain words of members.
type Failure struct {
	ID     string  `json:"id" pattern:"^[0-9A-HJKMNP-TV-Z]{8}$" doc:"Shown to the member; letters and digits of Crockford's base 32"`
	Name   string  `json:"name" pattern:"^[A-Za-z]{1,40}$" doc:"The class of the error, such as TypeError"`
	Route  string  `json:"route" pattern:"^(/|\\*|(/:?[A-Za-z-]{1,30}){1,4})$" doc:"The pattern of the screen's address, such as /profile/:id, without ids"`
	Frames []Frame `json:"frames" maxItems:"10" nullable:"false" doc:"The stack, innermost first"`
}

// Frame is a line of the stack: file, line and column.
type Frame string

// Schema describes a frame. Without letters outside of names of files it cannot contain a text.
func (Frame) Schema(huma.Registry) *huma.Schema {
	frame := &huma.Schema{Type: huma.TypeString, Pattern: `^[A-Za-z0-9_~.-]{1,80}:[0-9]{1,7}:[0-9]{1,7}$`}
	frame.PrecomputeMessages()
	return frame
}

// Log writes the failure to the log. Error: RateLimited above 20 reports an hour of a network, or above the limit of the process.
func (s *Service) Log(ctx context.Context, f Failure) error {
	if err := limits.Allow(ctx, s.pool, perNetwork.Scaled(s.scale), web.NetworkOf(ctx)); err != nil {
		return err
	}
	if wait, ok := limits.Reserve(s.limiter, time.Now()); !ok {
		return fault.Limited("We're getting many reports right now. Please try again later.", wait)
	}
	slog.ErrorContext(ctx, "a screen of the app failed", "id", f.ID, "error", f.Name, "route", f.Route, "stack", f.stack())
	return nil
}

func (f Failure) stack() string {
	lines := make([]string, len(f.Frames))
	for i, frame := range f.Frames {
		lines[i] = string(frame)
	}
	return strings.Join(lines, " ")
}
