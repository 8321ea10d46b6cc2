// Package limits says how often something may be done. The count is one row in
// PostgreSQL, so every node shares it.
package limits

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// Rule allows Count calls in Per, evenly refilled, of which up to Burst may
// come at once. A Burst of zero means Count. Name keeps the rules apart. Message
// is what the caller reads when a call is refused; empty for the usual sentence.
type Rule struct {
	Name    string
	Count   int
	Per     time.Duration
	Burst   int
	Message string
}

// Scaled is the rule with its figures multiplied, at least 1. It is for rules
// per client address alone: behind one address may stand a whole test.
func (r Rule) Scaled(factor float64) Rule {
	if r.Burst == 0 {
		r.Burst = r.Count
	}
	r.Count = max(1, int(float64(r.Count)*factor))
	r.Burst = max(1, int(float64(r.Burst)*factor))
	return r
}

// interval is the time that one call uses up, and tolerance how far ahead of
// its time a call may come.
func (r Rule) interval() time.Duration { return r.Per / time.Duration(r.Count) }

func (r Rule) tolerance() time.Duration {
	burst := r.Burst
	if burst == 0 {
		burst = r.Count
	}
	return r.interval() * time.Duration(burst-1)
}

// rowKey hides what is limited (an address, a member) from who reads the table.
func (r Rule) rowKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return r.Name + ":" + base64.RawURLEncoding.EncodeToString(sum[:16])
}

// One statement, so that callers at the same instant are counted one by one
// under the row's lock. The second half answers when a refused call may be
// tried again; it may see no row when another call has just made it.
const take = `
WITH taken AS (
	INSERT INTO rate_limits AS r (key, tat)
	VALUES ($1, statement_timestamp() + $2::interval)
	ON CONFLICT (key) DO UPDATE
	SET tat = greatest(r.tat, statement_timestamp()) + $2::interval
	WHERE r.tat <= statement_timestamp() + $3::interval
	RETURNING 1
)
SELECT EXISTS (SELECT FROM taken),
	(SELECT tat - $3::interval - statement_timestamp() FROM rate_limits WHERE key = $1)`

// Allow counts one call of key under rule. A call too many is not counted and
// answered with fault.RateLimited and when to try again. Give it the pool
// rather than a transaction: a roll-back would take the count back too. A
// transaction is right where only what was done counts, and not what was tried.
func Allow(ctx context.Context, db pg.DB, rule Rule, key string) error {
	var allowed bool
	var wait *time.Duration
	err := db.QueryRow(ctx, take, rule.rowKey(key), rule.interval(), rule.tolerance()).Scan(&allowed, &wait)
	if err != nil {
		return pg.Fault(err)
	}
	if allowed {
		return nil
	}
	after := rule.interval()
	if wait != nil && *wait > 0 {
		after = *wait
	}
	message := rule.Message
	if message == "" {
		message = "That was a bit too often. Please wait a moment and try again."
	}
	return fault.Limited(message, after)
}

// Return takes back one call that Allow counted, because what it was counted
// for did not happen.
func Return(ctx context.Context, db pg.DB, rule Rule, key string) error {
	_, err := db.Exec(ctx, `UPDATE rate_limits SET tat = tat - $2::interval WHERE key = $1`, rule.rowKey(key), rule.interval())
	return pg.Fault(err)
}

// Reached reports whether the next call of key under rule would be refused. It
// counts nothing and decides nothing: it is for slowing down, not for refusing.
func Reached(ctx context.Context, db pg.DB, rule Rule, key string) (bool, error) {
	var reached bool
	err := db.QueryRow(ctx, `SELECT tat > now() + $2::interval FROM rate_limits WHERE key = $1`,
		rule.rowKey(key), rule.tolerance()).Scan(&reached)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return reached, pg.Fault(err)
}

// Forget gives key its full share of rule again, after a success that shows
// that it was no attack.
func Forget(ctx context.Context, db pg.DB, rule Rule, key string) error {
	_, err := db.Exec(ctx, `DELETE FROM rate_limits WHERE key = $1`, rule.rowKey(key))
	return pg.Fault(err)
}
