package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/live"
	"heartward/api/matching"
	"heartward/api/messaging"
	"heartward/api/messaging/guard"
	"heartward/api/platform/bus"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/jobs"
)

const (
	serveArg = "serve-for-bench"
	poolSize = 20
)

// serve runs the measured server, in a separate process so that its memory is measured
// without the clients'. It uses the product's hub, bus and database without limits; the
// session cookie contains the member's id.
func serve(ctx context.Context, address string) error {
	pool, err := pg.Open(ctx, address, poolSize)
	if err != nil {
		return err
	}
	defer pool.Close()
	events, err := bus.Open(bus.Options{})
	if err != nil {
		return err
	}
	defer events.Close()
	service, err := newMessaging(pool, events)
	if err != nil {
		return err
	}
	hub := live.New(live.Deps{
		Pool: pool, Bus: events, Messaging: service,
		Authenticate: trust, CheckSession: func(context.Context, web.Actor) error { return nil }, Cookie: "sid", AllowNoOrigin: true,
		Limits: live.Limits{SocketsPerMember: 1000, SocketsPerAddress: 100_000, FramesPerSecond: 1_000_000},
	})
	app := fiber.New()
	app.Get("/ws", hub.Handler())
	app.Get("/memory", func(c fiber.Ctx) error { return c.JSON(memoryNow(hub.Sockets())) })
	app.Get("/echo", echo())
	app.Get("/relay", relay(events))
	app.Get("/ceiling", func(c fiber.Ctx) error {
		found, err := measureInserts(c.Context(), pool, fiber.Query[int](c, "workers"), fiber.Query[int](c, "rows"), fiber.Query[int](c, "ms"))
		if err != nil {
			return err
		}
		return c.JSON(found)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	go func() {
		_, _ = bufio.NewReader(os.Stdin).ReadByte() // closed when the parent exits
		_ = hub.Shutdown(ctx)
		_ = app.ShutdownWithTimeout(time.Second)
	}()
	return app.Listener(listener, fiber.ListenConfig{DisableStartupMessage: true})
}

// newMessaging returns a started messaging service without limits.
func newMessaging(pool *pgxpool.Pool, events *bus.Bus) (*messaging.Service, error) {
	queue, err := jobs.NewInserter(pool)
	if err != nil {
		return nil, err
	}
	service := messaging.New(pool, events, matching.New(pool, events, queue), queue, guard.Category).Unlimited()
	service.Start()
	return service, nil
}

func trust(_ context.Context, token string) (web.Actor, error) {
	id, err := uuid.Parse(token)
	return web.Actor{ID: id, SessionID: id}, err
}

type memory struct {
	Sockets    int
	RSS        int64 // of the process, from the kernel
	Heap       int64
	Stacks     int64
	Goroutines int
}

func memoryNow(sockets int) memory {
	debug.FreeOSMemory()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	m := memory{Sockets: sockets, Heap: int64(stats.HeapInuse), Stacks: int64(stats.StackInuse), Goroutines: runtime.NumGoroutine()}
	status, _ := os.ReadFile("/proc/self/status")
	if _, line, ok := strings.Cut(string(status), "VmRSS:"); ok {
		kilobytes, _ := strconv.ParseInt(strings.Fields(line)[0], 10, 64)
		m.RSS = kilobytes << 10
	}
	return m
}

// server is a child process that runs serve or, with only an address, a hub that
// serveHub runs.
type server struct {
	address string
	stop    func()
	kill    func() // ends the process without a shutdown
}

func startServer(ctx context.Context, database string) (*server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	child := exec.CommandContext(ctx, self, serveArg, database)
	child.Stderr = os.Stderr
	input, err := child.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := child.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := child.Start(); err != nil {
		return nil, err
	}
	stop := func() { input.Close(); _ = child.Wait() }
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		stop()
		return nil, fmt.Errorf("the server did not start: %w", err)
	}
	return &server{address: strings.TrimSpace(line), stop: stop, kill: func() { _ = child.Process.Kill() }}, nil
}

func (s *server) get(path string, into any) error {
	response, err := http.Get("http://" + s.address + path)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(into)
}
