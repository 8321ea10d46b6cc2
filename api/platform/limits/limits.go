// Package limits limits how often something happens: a Rule calls of any key (GCRA) and a Daily
// different items of a member, which all nodes share in PostgreSQL; a Members calls of each member,
// in the memory of a process.
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

// Rule allows Count calls per Per, refilled evenly, and at most Burst at once. Burst
// defaults to Count. Name distinguishes rules. Message is the text of the error; if it
// is empty, a default is used.
type Rule struct {
	Name    string
	Count   int
	Per     time.Duration
	Burst   int
	Message string
}

var errTooOften = fault.Declare("too_often", fault.RateLimited, "That was a bit too often. Please wait a moment and try again.")

// Scaled returns the rule with Count and Burst multiplied by factor, and at least 1.
// Use it only for rules per client address, because all clients of a test share one.
func (r Rule) Scaled(factor float64) Rule {
	if r.Burst == 0 {
		r.Burst = r.Count
	}
	r.Count = max(1, int(float64(r.Count)*factor))
	r.Burst = max(1, int(float64(r.Burst)*factor))
	return r
}

// interval is the time by which a call advances the theoretical arrival time, and
// tolerance the maximum by which that may be ahead of now.
func (r Rule) interval() time.Duration { return r.Per / time.Duration(r.Count) }

func (r Rule) tolerance() time.Duration {
	burst := r.Burst
	if burst == 0 {
		burst = r.Count
	}
	return r.interval() * time.Duration(burst-1)
}

// rowKey returns a hash of the key, so that the table contains no addresses.
func (r Rule) rowKey(key string) string {
	return r.Name + ":" + hashOf(key)
}

func hashOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// allowSQL counts a call of key $1. tat is the theoretical arrival time of the next call, $2 the
// interval, and $3 the tolerance. It is one statement, so that the lock of the row serializes
// concurrent calls.
//
// No call sets tat to more than statement_timestamp() + $3 + $2. A larger tat was stored while the
// clock was ahead: the call is allowed, and sets tat to this maximum. Such a tat is compared with
// clock_timestamp(), because this statement may have waited for the row's lock while another one
// that began later set it.
//
// The second column is the time until a retry, or NULL if a concurrent first call
// inserts the row.
const allowSQL = `
WITH counted AS (
	INSERT INTO rate_limits AS r (key, tat)
	VALUES ($1, statement_timestamp() + $2::interval)
	ON CONFLICT (key) DO UPDATE
	SET tat = least(greatest(r.tat, statement_timestamp()), statement_timestamp() + $3::interval) + $2::interval
	WHERE r.tat <= statement_timestamp() + $3::interval
		OR r.tat > clock_timestamp() + $3::interval + $2::interval
	RETURNING 1
)
SELECT EXISTS (SELECT FROM counted),
	(SELECT tat - $3::interval - statement_timestamp() FROM rate_limits WHERE key = $1)`

// Allow counts a call of key under rule. Above the limit it returns RateLimited with
// the time until a retry, and does not count the call. db is usually the pool. If it is
// a transaction, a rollback also undoes the count, so that only stored changes count.
func Allow(ctx context.Context, db pg.DB, rule Rule, key string) error {
	var allowed bool
	var wait *time.Duration
	err := db.QueryRow(ctx, allowSQL, rule.rowKey(key), rule.interval(), rule.tolerance()).Scan(&allowed, &wait)
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
	refusal := errTooOften.After(after)
	if rule.Message != "" {
		refusal = refusal.Saying(rule.Message)
	}
	return refusal
}

// Refund uncounts a call that Allow counted, because its action failed.
func Refund(ctx context.Context, db pg.DB, rule Rule, key string) error {
	_, err := db.Exec(ctx, `
		UPDATE rate_limits
		SET tat = least(tat - $2::interval, clock_timestamp() + $3::interval)
		WHERE key = $1`, rule.rowKey(key), rule.interval(), rule.tolerance())
	return pg.Fault(err)
}

// Reached reports whether the next call of key under rule would be refused, without
// counting a call. A concurrent call may change the result. A tat that was stored while the clock
// was ahead refuses no call, as in allowSQL.
func Reached(ctx context.Context, db pg.DB, rule Rule, key string) (bool, error) {
	var reached bool
	err := db.QueryRow(ctx, `
		SELECT tat > statement_timestamp() + $3::interval
			AND tat <= clock_timestamp() + $3::interval + $2::interval
		FROM rate_limits
		WHERE key = $1`, rule.rowKey(key), rule.interval(), rule.tolerance()).Scan(&reached)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return reached, pg.Fault(err)
}

// Reset resets the count of key under rule, such as after a successful sign-in.
func Reset(ctx context.Context, db pg.DB, rule Rule, key string) error {
	_, err := db.Exec(ctx, `DELETE FROM rate_limits WHERE key = $1`, rule.rowKey(key))
	return pg.Fault(err)
}
