package figures

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/discovery"
	"heartward/api/platform/pg"
)

// group is a number of members who were shown equally often.
type group struct{ Times, Members int }

// gini returns the Gini coefficient of how often members were shown. groups must be sorted by Times. It is nil if no member
// was shown.
//
// With the values x of n members in ascending order it is
// 2·Σ(i·x_i) / (n·Σ(x_i)) − (n+1)/n. The ranks i of a group are consecutive, so their sum
// is the number of its members times the mean rank.
func gini(groups []group) *float64 {
	var n, total, weighted float64
	for _, g := range groups {
		size, times := float64(g.Members), float64(g.Times)
		meanRank := n + (size+1)/2
		weighted += size * meanRank * times
		total += size * times
		n += size
	}
	if total == 0 {
		return nil
	}
	// Rounding may leave a result just below 0 when all are equal.
	return new(max(0, 2*weighted/(n*total)-(n+1)/n))
}

// exposureOf returns the figures of a distribution.
func exposureOf(groups []group) (e Exposure) {
	for _, g := range groups {
		e.Members += g.Members
		if g.Times == 0 {
			e.NeverShown = g.Members
		}
	}
	e.Gini = gini(groups)
	return e
}

// showingsBatch is the number of showings that one statement counts and deletes.
const showingsBatch = 5000

// CountShowings deletes the records of who was shown to whom on earlier days, and adds them to the counts of how often each
// member was shown in the week. It may be interrupted: each record is deleted and counted in one statement.
func CountShowings(ctx context.Context, db pg.DB) error {
	for {
		removed, err := addShowings(ctx, db, discovery.ShownRule, showingsBatch)
		if err != nil || removed < showingsBatch {
			return err
		}
	}
}

// storeWeeks stores the exposure of this week so far, and the final one of the weeks that have ended. Then it deletes the
// counts of these.
func storeWeeks(ctx context.Context, pool *pgxpool.Pool, now time.Time) error {
	if err := CountShowings(ctx, pool); err != nil {
		return err
	}
	current := mondayOf(now.Add(-settleTime))
	weeks, err := selectOpenWeeks(ctx, pool, discovery.ShownRule, current)
	if err != nil {
		return err
	}
	for _, week := range weeks {
		if err := storeWeek(ctx, pool, week, true, now); err != nil {
			return err
		}
	}
	if err := errors.Join(deleteFinalShowings(ctx, pool), storeWeek(ctx, pool, current, false, now)); err != nil {
		return err
	}
	if next := mondayOf(now); next.After(current) { // in the first hour of a week
		return storeWeek(ctx, pool, next, false, now)
	}
	return nil
}

// storeWeek stores the exposure of a week, as the final one if isFinal. It does nothing, and leaves the week to the next
// run, if the week is to be final and a concurrent CountShowings has not counted all of it.
func storeWeek(ctx context.Context, pool *pgxpool.Pool, week time.Time, isFinal bool, now time.Time) error {
	return pg.TxDo(ctx, pool, func(tx pgx.Tx) error {
		if isFinal {
			// If there are no uncounted records now, the next statement sees all of them counted.
			isUncounted, err := hasUncounted(ctx, tx, discovery.ShownRule, week)
			if err != nil || isUncounted {
				return err
			}
		}
		groups, err := selectDistribution(ctx, tx, discovery.ShownRule, week)
		if err != nil {
			return err
		}
		e := exposureOf(groups)
		e.IsFinal, e.CountedAt = isFinal, now
		return upsertWeek(ctx, tx, week, e)
	})
}

func deleteFinalShowings(ctx context.Context, pool *pgxpool.Pool) error {
	const batch = 1000
	for {
		deleted, err := deleteShowings(ctx, pool, batch)
		if err != nil || deleted < batch {
			return err
		}
	}
}
