package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"heartward/api/discovery"
)

// timing is the result of one engine with one filter.
type timing struct {
	p50, p99 time.Duration // of one client
	searches int           // number of measured searches
	alone    float64       // searches per second of one client
	eight    float64       // searches per second of eight clients
}

const atOnce = 8

// engine returns the scores of the first page of a search.
type engine struct {
	name   string
	scores func(ctx context.Context, me asker, f discovery.FilterSet) ([]int, error)
}

// measure runs searches of one client and then of eight for about budget each. Each
// client runs at least one, so that slow engines are measured too.
func (e engine) measure(ctx context.Context, askers []asker, f discovery.FilterSet, budget time.Duration) (t timing, err error) {
	if _, err := e.scores(ctx, askers[0], f); err != nil { // warm up
		return t, err
	}
	took, span, err := e.clients(ctx, 1, askers, f, budget)
	if err != nil {
		return t, err
	}
	slices.Sort(took)
	t.p50, t.p99, t.searches = took[len(took)/2], took[len(took)*99/100], len(took)
	t.alone = float64(len(took)) / span.Seconds()
	took, span, err = e.clients(ctx, atOnce, askers, f, budget)
	t.eight = float64(len(took)) / span.Seconds()
	return t, err
}

func (e engine) clients(ctx context.Context, n int, askers []asker, f discovery.FilterSet, budget time.Duration) (took []time.Duration, span time.Duration, err error) {
	var (
		next   atomic.Int64
		lock   sync.Mutex
		begun  = time.Now()
		failed error
		all    sync.WaitGroup
	)
	for range n {
		all.Go(func() {
			for {
				me := askers[int(next.Add(1))%len(askers)]
				start := time.Now()
				_, err := e.scores(ctx, me, f)
				lock.Lock()
				took = append(took, time.Since(start))
				if err != nil {
					failed = err
				}
				stop := failed != nil || time.Since(begun) > budget
				lock.Unlock()
				if stop {
					return
				}
			}
		})
	}
	all.Wait()
	return took, time.Since(begun), failed
}

// agree returns an error when two engines return different scores.
func agree(ctx context.Context, engines []engine, askers []asker, mix string, f discovery.FilterSet) error {
	found := 0
	for _, me := range askers {
		want, err := engines[0].scores(ctx, me, f)
		if err != nil {
			return err
		}
		found += len(want)
		for _, other := range engines[1:] {
			got, err := other.scores(ctx, me, f)
			if err != nil {
				return err
			}
			if !slices.Equal(want, got) {
				return fmt.Errorf("%s, viewer %s: the engines do not agree:\n%s %v\n%s %v", mix, me.id, engines[0].name, want, other.name, got)
			}
		}
	}
	if found == 0 {
		return fmt.Errorf("%s: no member was found, so nothing was compared", mix)
	}
	return nil
}
