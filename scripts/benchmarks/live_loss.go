package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	natsserver "github.com/nats-io/nats-server/v2/server"

	"heartward/api/live"
	"heartward/api/messaging/messages"
	"heartward/api/platform/bus"
	"heartward/api/platform/web"
)

const (
	syncSettleTime = 3 * time.Second // after which all sync frames of an earlier loss have arrived
	foreignBurst   = 4000            // below the capacity of the sender's queue
	waitForNATS    = 20 * time.Second
)

// benchLoss measures two nodes in this process: the latency of a message over NATS, the
// time until a socket receives a sync frame while NATS is unreachable, and the cost of
// events for members without a socket on the receiving node.
func benchLoss(ctx context.Context, pool *pgxpool.Pool, pair [2]uuid.UUID) error {
	nats, err := startNATS(-1)
	if err != nil {
		return err
	}
	port := nats.Addr().(*net.TCPAddr).Port
	defer func() { nats.Shutdown() }()
	one, err := bus.Open(bus.Options{URL: nats.ClientURL(), DB: pool})
	if err != nil {
		return err
	}
	defer one.Close()
	two, err := bus.Open(bus.Options{URL: nats.ClientURL(), DB: pool})
	if err != nil {
		return err
	}
	defer two.Close()
	receiver, stop, err := serveHub(ctx, pool, two)
	if err != nil {
		return err
	}
	defer stop()
	sockets, err := dialAll(ctx, receiver, "/ws", pair[1:])
	if err != nil {
		return err
	}
	defer closeAll(sockets)
	sender, err := newMessaging(pool, one)
	if err != nil {
		return err
	}
	measure := func(prefix string) (time.Duration, error) {
		begun := time.Now()
		_, err := sender.Messages.Send(ctx, web.Actor{ID: pair[0]}, messages.Outgoing{RecipientID: pair[1], Content: sampleText, ClientID: uuid.Must(uuid.NewV7())})
		if err == nil {
			err = readUntil(sockets[0], prefix)
		}
		return time.Since(begun), err
	}
	var live, lost []time.Duration
	for range lossRounds {
		took, err := measure(`{"type":"new_message"`)
		if err != nil {
			return err
		}
		live = append(live, took)
		time.Sleep(syncSettleTime)
		nats.Shutdown()
		nats.WaitForShutdown()
		if took, err = measure(`{"type":"sync"`); err != nil {
			return err
		}
		lost = append(lost, took)
		if nats, err = startNATS(port); err != nil {
			return err
		}
		if err := waitConnected(one, two); err != nil {
			return err
		}
	}
	slices.Sort(live)
	slices.Sort(lost)
	each, err := foreignEventCost(one, two)
	if err != nil {
		return err
	}
	fmt.Printf("\nTwo nodes, a message from one to a socket of the other, %d times\n\n", lossRounds)
	fmt.Println("| | p50 | slowest |")
	fmt.Println("|---|---:|---:|")
	fmt.Printf("| over NATS | %.1f ms | %.1f ms |\n", millis(quantile(live, 50)), millis(quantile(live, 100)))
	fmt.Printf("| without NATS: until the sync frame | %.1f ms | %.1f ms |\n", millis(quantile(lost, 50)), millis(quantile(lost, 100)))
	fmt.Printf("\nAn event that concerns no member of the receiving node: %.2f µs of the processor for sender, NATS and receiver together\n",
		float64(each.Nanoseconds())/1000)
	return nil
}

// serveHub serves a hub in this process.
func serveHub(ctx context.Context, pool *pgxpool.Pool, events *bus.Bus) (*server, func(), error) {
	service, err := newMessaging(pool, events)
	if err != nil {
		return nil, nil, err
	}
	hub := live.New(live.Deps{
		Pool: pool, Bus: events, Messaging: service, Authenticate: trust,
		CheckSession: func(context.Context, web.Actor) error { return nil }, Cookie: "sid", AllowNoOrigin: true, Limits: live.DefaultLimits(1),
	})
	app := fiber.New()
	app.Get("/ws", hub.Handler())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	go func() { _ = app.Listener(listener, fiber.ListenConfig{DisableStartupMessage: true}) }()
	return &server{address: listener.Addr().String()}, func() {
		_ = hub.Shutdown(ctx)
		_ = app.ShutdownWithTimeout(time.Second)
	}, nil
}

func startNATS(port int) (*natsserver.Server, error) {
	s, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: port, NoLog: true, NoSigs: true})
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(waitForNATS) {
		return nil, errors.New("NATS does not start")
	}
	return s, nil
}

// waitConnected waits until events of one arrive at two.
func waitConnected(one, two *bus.Bus) error {
	arrived := make(chan struct{}, 1)
	defer two.Subscribe("joined", func([]byte) {
		select {
		case arrived <- struct{}{}:
		default:
		}
	})()
	for until := time.Now().Add(waitForNATS); time.Now().Before(until); {
		one.Publish("joined", nil)
		select {
		case <-arrived:
			return nil
		case <-time.After(5 * time.Millisecond):
		}
	}
	return errors.New("the nodes do not connect to each other")
}

// foreignEventCost returns the processor time per event that one publishes and for which
// two has no listener. Nothing else may run in this process meanwhile.
func foreignEventCost(one, two *bus.Bus) (time.Duration, error) {
	arrived := make(chan struct{}, 1)
	defer two.Subscribe("end", func([]byte) { arrived <- struct{}{} })()
	subject, data := bus.MemberSubject(uuid.New()), make([]byte, 300)
	begun := processorTime()
	for range foreignEvents / foreignBurst {
		for range foreignBurst {
			one.Publish(subject, data)
		}
		one.Publish("end", nil)
		select {
		case <-arrived:
		case <-time.After(waitForNATS):
			return 0, errors.New("events were lost")
		}
	}
	return (processorTime() - begun) / time.Duration(foreignEvents), nil
}
