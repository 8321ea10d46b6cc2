package main

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"github.com/google/uuid"
)

// benchMemory opens idle sockets of different members, and compares the memory of the
// server before and after.
func benchMemory(ctx context.Context, base string) error {
	maxSockets := min(memorySockets, raiseFileLimit()-500)
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
	fmt.Printf("\nMemory of an idle socket, each of another member, beside a raw one of the framework\n\n")
	fmt.Println("| socket | sockets | KiB each (kernel's count) | heap | stacks | goroutines each |")
	fmt.Println("|---|---:|---:|---:|---:|---:|")
	for _, path := range []string{"/ws", "/echo"} {
		for _, size := range []int{maxSockets / 5, maxSockets} {
			if err := idle(ctx, s, path, size); err != nil {
				return err
			}
		}
	}
	return nil
}

// idle opens sockets and compares the memory of the server before and after.
func idle(ctx context.Context, s *server, path string, size int) error {
	warm, err := dialAll(ctx, s, path, newIDs(100)) // excludes one-time allocations
	if err != nil {
		return err
	}
	defer closeAll(warm)
	before, err := waitForSockets(s, path, len(warm))
	if err != nil {
		return err
	}
	sockets, err := dialAll(ctx, s, path, newIDs(size))
	if err != nil {
		return err
	}
	after, err := waitForSockets(s, path, len(warm)+size)
	closeAll(sockets)
	if err != nil {
		return err
	}
	each := func(bytes int64) float64 { return float64(bytes) / 1024 / float64(size) }
	fmt.Printf("| %s | %d | %.1f | %.1f | %.1f | %.1f |\n", path, size, each(after.RSS-before.RSS), each(after.Heap-before.Heap),
		each(after.Stacks-before.Stacks), float64(after.Goroutines-before.Goroutines)/float64(size))
	_, err = waitForSockets(s, path, len(warm))
	return err
}

func newIDs(n int) []uuid.UUID {
	ids := make([]uuid.UUID, n)
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7())
	}
	return ids
}

// waitForSockets waits until the given number of sockets is open and the number of
// goroutines is stable. It does not count the sockets of paths other than /ws.
func waitForSockets(s *server, path string, sockets int) (m memory, err error) {
	for range 200 {
		goroutines := m.Goroutines
		if err = s.get("/memory", &m); err != nil {
			return m, err
		}
		if (m.Sockets == sockets || path != "/ws") && m.Goroutines == goroutines {
			return m, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return m, fmt.Errorf("waiting for %d sockets of %s: %d of /ws are open, and the number of goroutines, %d, may still change", sockets, path, m.Sockets, m.Goroutines)
}

// raiseFileLimit raises the limit of open files to its maximum and returns it.
func raiseFileLimit() int {
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
