// Package pg gives access to PostgreSQL: the pool, transactions, migrations,
// snapshots, and the mapping of its errors to fault kinds. Package pgserver runs
// an embedded server.
package pg

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Open returns a pool for url with at most maxConns connections, after it has
// connected once. PostgreSQL ends transactions that are idle for 15 s and
// statements that run for 30 s, so that a bug does not hold row locks for long.
func Open(ctx context.Context, url string, maxConns int, options ...Option) (*pgxpool.Pool, error) {
	config, err := poolConfig(url, maxConns)
	if err != nil {
		return nil, err
	}
	for _, set := range options {
		set(config)
	}
	return open(ctx, config)
}

// PlaintextHosts returns the hosts of url to which a connection may be unencrypted, as with
// the default sslmode=prefer. A path of a Unix socket is a host.
func PlaintextHosts(url string) ([]string, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", err)
	}
	var hosts []string
	if config.TLSConfig == nil {
		hosts = append(hosts, config.Host)
	}
	for _, other := range config.Fallbacks {
		if other.TLSConfig == nil {
			hosts = append(hosts, other.Host)
		}
	}
	return hosts, nil
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
	params["datestyle"] = "ISO" // of dates that a statement casts to text
	params["jit"] = "off"       // compiling takes a second, and most queries run for milliseconds
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
