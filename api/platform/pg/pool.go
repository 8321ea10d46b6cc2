// Package pg gives access to PostgreSQL: the pool, transactions, migrations,
// snapshots, and the mapping of its errors to fault kinds. Package pgserver runs
// an embedded server.
package pg

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Open makes a pool for url with at most maxConns connections (pgxpool's own
// default of four is too small for a chat server) and checks that it answers.
// Idle transactions and runaway statements are ended by the server, so that
// no fault holds a row lock for long.
func Open(ctx context.Context, url string, maxConns int) (*pgxpool.Pool, error) {
	config, err := poolConfig(url, maxConns)
	if err != nil {
		return nil, err
	}
	return open(ctx, config)
}

func poolConfig(url string, maxConns int) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", err)
	}
	config.MaxConns = int32(maxConns)
	config.MaxConnIdleTime = 5 * time.Minute
	config.ConnConfig.ConnectTimeout = 5 * time.Second
	params := config.ConnConfig.RuntimeParams
	params["application_name"] = "heartward"
	params["idle_in_transaction_session_timeout"] = "15s"
	params["statement_timeout"] = "30s"
	params["timezone"] = "UTC"
	params["jit"] = "off" // compiling a query that runs for milliseconds takes a second
	return config, nil
}

func open(ctx context.Context, config *pgxpool.Config) (*pgxpool.Pool, error) {
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}
