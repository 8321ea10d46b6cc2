package main

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"github.com/google/uuid"
)

// benchMemory opens idle sockets, each of another member, and compares the
// server before and after.
func benchMemory(ctx context.Context, base string, most int) error {
	most = min(most, openFiles()-500)
	database, drop, err := freshURL(ctx, base)
	if err != nil {
		return err
	}
	defer drop()
	s, err := startServer(ctx, database)
	if err != nil {
		return err
	}
	defer s.stop()
	warm, err := dialAll(ctx, s, newIDs(100)) // what is made once is not counted
	if err != nil {
		return err
	}
	defer closeAll(warm)
	before, err := settled(s, len(warm))
	if err != nil {
		return err
	}
	fmt.Printf("\nMemory of an idle socket, each of another member\n\n")
	fmt.Println("| sockets | KiB each (kernel's count) | heap | stacks | goroutines each | growth |")
	fmt.Println("|---:|---:|---:|---:|---:|---:|")
	last := 0.0
	for _, size := range []int{most / 5, most} {
		sockets, err := dialAll(ctx, s, newIDs(size))
		if err != nil {
			return err
		}
		after, err := settled(s, len(warm)+size)
		closeAll(sockets)
		if err != nil {
			return err
		}
		each := func(bytes int64) float64 { return float64(bytes) / 1024 / float64(size) }
		growth := ""
		if last > 0 {
			growth = fmt.Sprintf("%.2fx each for %dx sockets", each(after.RSS-before.RSS)/last, 5)
		}
		last = each(after.RSS - before.RSS)
		fmt.Printf("| %d | %.1f | %.1f | %.1f | %.1f | %s |\n", size, last, each(after.Heap-before.Heap), each(after.Stacks-before.Stacks),
			float64(after.Goroutines-before.Goroutines)/float64(size), growth)
		if _, err := settled(s, len(warm)); err != nil {
			return err
		}
	}
	return nil
}

func newIDs(n int) []uuid.UUID {
	ids := make([]uuid.UUID, n)
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7())
	}
	return ids
}

// settled waits until so many sockets are open and what they did is done.
func settled(s *server, sockets int) (m memory, err error) {
	for range 200 {
		goroutines := m.Goroutines
		if err = s.get("/memory", &m); err != nil {
			return m, err
		}
		if m.Sockets == sockets && m.Goroutines == goroutines {
			return m, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return m, fmt.Errorf("%d sockets are open instead of %d", m.Sockets, sockets)
}

// openFiles raises the limit of open files as far as it may, and tells it.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 1024
	}
	limit.Cur = limit.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 1024
	}
	return int(min(limit.Cur, 1<<20))
}
