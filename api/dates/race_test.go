package dates_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/dates"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

// Of concurrent calls of Accept, Decline, Change and Cancel one succeeds, the others
// return Conflict, and one message is added.
func TestTransitions_OneOfConcurrentCallsSucceeds(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for range 8 {
		ada, ben, conversation := w.Pair()
		date := w.propose(ada, conversation)
		calls := []func(context.Context) (dates.Date, error){
			func(ctx context.Context) (dates.Date, error) { return w.s.Accept(ctx, ben, date.ID, 1) },
			func(ctx context.Context) (dates.Date, error) { return w.s.Decline(ctx, ben, date.ID, 1) },
			func(ctx context.Context) (dates.Date, error) { return w.s.Cancel(ctx, ada, date.ID, 1) },
			func(ctx context.Context) (dates.Date, error) { return w.s.Change(ctx, ada, date.ID, 1, plan()) },
			func(ctx context.Context) (dates.Date, error) { return w.s.Change(ctx, ben, date.ID, 1, plan()) },
		}
		errs := concurrently(t, calls)
		succeeded := 0
		for _, err := range errs {
			if err == nil {
				succeeded++
			} else {
				testkit.RequireKind(t, err, fault.Conflict)
			}
		}
		require.Equal(t, 1, succeeded)
		after, err := w.s.Get(t.Context(), ada, date.ID)
		require.NoError(t, err)
		require.Equal(t, 2, after.Revision)
		require.Equal(t, 2, w.Count(`SELECT count(*) FROM messages WHERE conversation_id = $1`, conversation))
	}
}

// Concurrent repetitions of a proposal create one date with one message.
func TestPropose_ConcurrentRepetitionsCreateOneDate(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for range 8 {
		ada, _, conversation := w.Pair()
		id, want := uuid.Must(uuid.NewV7()), plan()
		propose := func(ctx context.Context) (dates.Date, error) {
			result, err := w.s.Propose(ctx, ada, conversation, id, want)
			return result.Date, err
		}
		for _, err := range concurrently(t, []func(context.Context) (dates.Date, error){propose, propose, propose}) {
			require.NoError(t, err)
		}
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM dates WHERE conversation_id = $1`, conversation))
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages WHERE conversation_id = $1`, conversation))
	}
}

// A date that is accepted while its conversation is closed is cancelled in either order.
func TestAccept_ConcurrentWithClosing(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for range 8 {
		ada, ben, conversation := w.Pair()
		date, err := w.s.Propose(t.Context(), ada, conversation, uuid.Must(uuid.NewV7()), plan())
		require.NoError(t, err)
		errs := concurrently(t, []func(context.Context) (dates.Date, error){
			func(ctx context.Context) (dates.Date, error) { return w.s.Accept(ctx, ben, date.Date.ID, 1) },
			func(ctx context.Context) (dates.Date, error) {
				_, err := w.Pool.Exec(ctx, `UPDATE conversations SET closed_at = now() WHERE id = $1`, conversation)
				return dates.Date{}, err
			},
		})
		require.NoError(t, errs[1])
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM dates WHERE conversation_id = $1 AND status = 'cancelled'`, conversation),
			"the date is cancelled in either order")
	}
}

// Of five concurrent proposals three succeed.
func TestPropose_ConcurrentCallsRespectLimit(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, conversation := w.Pair()
	var calls []func(context.Context) (dates.Date, error)
	for i := range 5 {
		actor := ada
		if i%2 == 1 {
			actor = ben
		}
		calls = append(calls, func(ctx context.Context) (dates.Date, error) {
			result, err := w.s.Propose(ctx, actor, conversation, uuid.Must(uuid.NewV7()), plan())
			return result.Date, err
		})
	}
	refused := 0
	for _, err := range concurrently(t, calls) {
		if err != nil {
			testkit.RequireKind(t, err, fault.Conflict)
			refused++
		}
	}
	require.Equal(t, 2, refused)
	require.Equal(t, 3, w.Count(`SELECT count(*) FROM dates`))
}

// Concurrent repetitions of the third proposal create one date and all return it.
func TestPropose_ConcurrentRepetitionsOfThirdDateReturnIt(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for range 4 {
		ada, _, conversation := w.Pair()
		w.propose(ada, conversation)
		w.propose(ada, conversation)
		id, want := uuid.Must(uuid.NewV7()), plan()
		// All calls have passed the first check before one gets the lock.
		lock, err := w.Pool.Begin(t.Context())
		require.NoError(t, err)
		_, err = lock.Exec(t.Context(), `SELECT FROM conversations WHERE id = $1 FOR UPDATE`, conversation)
		require.NoError(t, err)
		calls := make([]func(context.Context) (dates.Date, error), 3)
		results := make([]dates.ProposeResult, len(calls))
		for i := range calls {
			calls[i] = func(ctx context.Context) (_ dates.Date, err error) {
				results[i], err = w.s.Propose(ctx, ada, conversation, id, want)
				return results[i].Date, err
			}
		}
		errs := make(chan []error, 1)
		go func() { errs <- concurrently(t, calls) }()
		require.Eventually(t, func() bool {
			return w.Count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == len(calls)
		}, testkit.Timeout, time.Millisecond)
		require.NoError(t, lock.Rollback(t.Context()))
		for _, err := range <-errs {
			require.NoError(t, err)
		}
		repeated := 0
		for _, m := range results {
			require.Equal(t, results[0].Date.ID, m.Date.ID)
			if m.Repeated {
				repeated++
			}
		}
		require.Equal(t, 2, repeated)
		require.Equal(t, 3, w.Count(`SELECT count(*) FROM dates WHERE conversation_id = $1`, conversation))
	}
}

// concurrently runs the calls concurrently and returns their errors.
func concurrently(t *testing.T, calls []func(context.Context) (dates.Date, error)) []error {
	t.Helper()
	errs := make([]error, len(calls))
	start := make(chan struct{})
	var all sync.WaitGroup
	for i, call := range calls {
		all.Go(func() {
			<-start
			_, errs[i] = call(t.Context())
		})
	}
	close(start)
	all.Wait()
	return errs
}
