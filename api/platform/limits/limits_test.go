package limits_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

var rule = limits.Rule{Name: "test", Count: 5, Per: time.Hour}

func TestAllow_RefusesAboveBurst(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), context.Background()
	for range 5 {
		require.NoError(t, limits.Allow(ctx, db, rule, "a"))
	}
	err := limits.Allow(ctx, db, rule, "a")
	testkit.RequireKind(t, err, fault.RateLimited)
	after := fault.From(err).RetryAfter
	require.Greater(t, after, 11*time.Minute)
	require.LessOrEqual(t, after, 12*time.Minute)
	require.NoError(t, limits.Allow(ctx, db, rule, "b"), "another key is not limited")
	other := rule
	other.Name = "other"
	require.NoError(t, limits.Allow(ctx, db, other, "a"), "another rule is not limited")
}

func TestAllow_RefillsOverTime(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), context.Background()
	for range 5 {
		require.NoError(t, limits.Allow(ctx, db, rule, "a"))
	}
	_, err := db.Exec(ctx, `UPDATE rate_limits SET tat = tat - interval '24 minutes'`)
	require.NoError(t, err)
	require.NoError(t, limits.Allow(ctx, db, rule, "a"))
	require.NoError(t, limits.Allow(ctx, db, rule, "a"))
	require.Error(t, limits.Allow(ctx, db, rule, "a"), "in 24 minutes two of five calls per hour are refilled")
}

func TestAllow_ConcurrentCallsRespectBurst(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), context.Background()
	var allowed, refused atomic.Int32
	var group sync.WaitGroup
	for range 60 {
		group.Go(func() {
			switch err := limits.Allow(ctx, db, rule, "a"); {
			case err == nil:
				allowed.Add(1)
			case fault.Is(err, fault.RateLimited):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 5, allowed.Load())
	require.EqualValues(t, 55, refused.Load())
}

func TestReached_CountsNothing(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), context.Background()
	one := limits.Rule{Name: "one", Count: 1, Per: time.Hour}
	for range 3 {
		reached, err := limits.Reached(ctx, db, one, "a")
		require.NoError(t, err)
		require.False(t, reached)
	}
	require.NoError(t, limits.Allow(ctx, db, one, "a"))
	reached, err := limits.Reached(ctx, db, one, "a")
	require.NoError(t, err)
	require.True(t, reached)
}

func TestScaled_MultipliesCountAndBurst(t *testing.T) {
	t.Parallel()
	require.Equal(t, limits.Rule{Name: "x", Count: 2000, Per: time.Hour, Burst: 2000},
		limits.Rule{Name: "x", Count: 20, Per: time.Hour}.Scaled(100))
	require.Equal(t, 1, limits.Rule{Name: "x", Count: 3, Per: time.Hour}.Scaled(0.1).Count)
}

func TestRefund_UncountsOneCall(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), context.Background()
	for range 5 {
		require.NoError(t, limits.Allow(ctx, db, rule, "a"))
	}
	require.NoError(t, limits.Refund(ctx, db, rule, "a"))
	require.NoError(t, limits.Allow(ctx, db, rule, "a"))
	require.Error(t, limits.Allow(ctx, db, rule, "a"))
	require.NoError(t, limits.Refund(ctx, db, rule, "a key without a counted call"))
}

func TestAllow_ReturnsTheMessageOfTheRule(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), context.Background()
	withMessage := limits.Rule{Name: "worded", Count: 1, Per: time.Hour, Message: "Please ask tomorrow."}
	require.NoError(t, limits.Allow(ctx, db, withMessage, "a"))
	require.Equal(t, "Please ask tomorrow.", fault.From(limits.Allow(ctx, db, withMessage, "a")).Message)
}

// setClockBack moves all counts a day into the future, as if the clock had been ahead by a day and was now corrected.
func setClockBack(t *testing.T, db *pgxpool.Pool) {
	t.Helper()
	_, err := db.Exec(context.Background(), `UPDATE rate_limits SET tat = tat + interval '24 hours'`)
	require.NoError(t, err)
}

func TestAllow_RefusesForOneIntervalAtMostAfterClockWasAhead(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]limits.Rule{
		"burst of the count":    rule,
		"burst above the count": {Name: "burst", Count: 5, Per: time.Hour, Burst: 20},
		"one at a time":         {Name: "one", Count: 5, Per: time.Hour, Burst: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, ctx := pgtest.New(t), context.Background()
			require.NoError(t, limits.Allow(ctx, db, r, "a"))
			setClockBack(t, db)
			require.NoError(t, limits.Allow(ctx, db, r, "a"))
			err := limits.Allow(ctx, db, r, "a")
			testkit.RequireKind(t, err, fault.RateLimited, "the count is the maximum")
			require.LessOrEqual(t, fault.From(err).RetryAfter, 12*time.Minute)
			_, err = db.Exec(ctx, `UPDATE rate_limits SET tat = tat - interval '12 minutes'`)
			require.NoError(t, err)
			require.NoError(t, limits.Allow(ctx, db, r, "a"))
		})
	}
}

func TestReached_IsFalseAfterClockWasAhead(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), context.Background()
	require.NoError(t, limits.Allow(ctx, db, rule, "a"))
	setClockBack(t, db)
	reached, err := limits.Reached(ctx, db, rule, "a")
	require.NoError(t, err)
	require.False(t, reached, "the next call is allowed")
	require.NoError(t, limits.Allow(ctx, db, rule, "a"))
	reached, err = limits.Reached(ctx, db, rule, "a")
	require.NoError(t, err)
	require.True(t, reached)
}

func TestRefund_RefundsOneCallAfterClockWasAhead(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), context.Background()
	require.NoError(t, limits.Allow(ctx, db, rule, "a"))
	setClockBack(t, db)
	require.NoError(t, limits.Refund(ctx, db, rule, "a"))
	require.NoError(t, limits.Allow(ctx, db, rule, "a"))
	err := limits.Allow(ctx, db, rule, "a")
	testkit.RequireKind(t, err, fault.RateLimited, "one call of the maximum was refunded")
	require.LessOrEqual(t, fault.From(err).RetryAfter, 12*time.Minute)
}
