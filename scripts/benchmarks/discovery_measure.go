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
	p50, p99         time.Duration // of one client
	searches         int           // number of measured searches
	oneClientRate    float64       // searches per second of one client
	eightClientsRate float64       // searches per second of eight clients
}

const manyClients = 8

// engine returns the scores of the first page of a search.
type engine struct {
	name   string
	scores func(ctx context.Context, me viewerData, f discovery.FilterSet) ([]int, error)
}

// measure runs searches of one client and then of eight for about budget each. Each
// client runs at least one, so that slow engines are measured too.
func (e engine) measure(ctx context.Context, viewers []viewerData, f discovery.FilterSet, budget time.Duration) (t timing, err error) {
	if _, err := e.scores(ctx, viewers[0], f); err != nil { // warm up
		return t, err
	}
	took, span, err := e.runClients(ctx, 1, viewers, f, budget)
	if err != nil {
		return t, err
	}
	slices.Sort(took)
	t.p50, t.p99, t.searches = took[len(took)/2], took[len(took)*99/100], len(took)
	t.oneClientRate = float64(len(took)) / span.Seconds()
	took, span, err = e.runClients(ctx, manyClients, viewers, f, budget)
	t.eightClientsRate = float64(len(took)) / span.Seconds()
	return t, err
}

func (e engine) runClients(ctx context.Context, n int, viewers []viewerData, f discovery.FilterSet, budget time.Duration) (took []time.Duration, span time.Duration, err error) {
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
				me := viewers[int(next.Add(1))%len(viewers)]
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

// compareEngines returns an error when two engines return different scores.
func compareEngines(ctx context.Context, engines []engine, viewers []viewerData, mix string, f discovery.FilterSet) error {
	found := 0
	for _, me := range viewers {
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
				return fmt.Errorf("%s, viewer %s: the engines do not agree:\n%s %v\n%s %v", mix, me.ID, engines[0].name, want, other.name, got)
			}
		}
	}
	if found == 0 {
		return fmt.Errorf("%s: the searches find no member", mix)
	}
	return nil
}
