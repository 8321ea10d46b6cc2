package pg

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Option changes a pool that Open returns.
type Option func(*pgxpool.Config)

// LogStatements has the pool log each statement with its duration at the level debug. The log has no arguments, and of an
// error only its code, because both can contain personal data.
func LogStatements(config *pgxpool.Config) { config.ConnConfig.Tracer = statementLog{} }

type statementLog struct{}

// statement is a running statement.
type statement struct {
	sql     string
	started time.Time
}

type statementKey struct{}

// TraceQueryStart implements pgx.QueryTracer.
func (statementLog) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return context.WithValue(ctx, statementKey{}, statement{data.SQL, time.Now()})
}

// TraceQueryEnd implements pgx.QueryTracer.
func (statementLog) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	ended, _ := ctx.Value(statementKey{}).(statement)
	ended.log(ctx, data.CommandTag, data.Err)
}

// TraceBatchStart implements pgx.BatchTracer.
func (statementLog) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return context.WithValue(ctx, statementKey{}, statement{started: time.Now()})
}

// TraceBatchQuery implements pgx.BatchTracer. The durations count from the start of the batch.
func (statementLog) TraceBatchQuery(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	ended, _ := ctx.Value(statementKey{}).(statement)
	ended.sql = data.SQL
	ended.log(ctx, data.CommandTag, data.Err)
}

// TraceBatchEnd implements pgx.BatchTracer.
func (statementLog) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

func (s statement) log(ctx context.Context, result pgconn.CommandTag, err error) {
	attrs := []any{
		"took", time.Since(s.started).Round(time.Microsecond), "rows", result.RowsAffected(),
		"sql", strings.Join(strings.Fields(s.sql), " "),
	}
	if err != nil {
		attrs = append(attrs, "failed", codeOf(err))
	}
	slog.DebugContext(ctx, "statement", attrs...)
}

// codeOf returns the SQLSTATE of err, or client for an error that is not PostgreSQL's.
func codeOf(err error) string {
	if failure, ok := errors.AsType[*pgconn.PgError](err); ok {
		return failure.Code
	}
	return "client"
}
