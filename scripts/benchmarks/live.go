package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"heartward/api/platform/pg"
)

const dialsAtOnce = 64

// benchLive measures sockets under failures: a node that dies, clients that do not
// read, a flood, and events lost between nodes.
func benchLive(ctx context.Context, base string) error {
	database, drop, err := freshURL(ctx, base)
	if err != nil {
		return err
	}
	defer drop()
	pool, err := pg.Open(ctx, database, 8)
	if err != nil {
		return err
	}
	defer pool.Close()
	pairs, err := makePairs(ctx, pool, 2)
	if err != nil {
		return err
	}
	if err := benchReconnect(ctx, database, min(liveSockets, raiseFileLimit()/3)); err != nil {
		return err
	}
	if err := benchDisturbances(ctx, database, pairs); err != nil {
		return err
	}
	return benchLoss(ctx, pool, pairs[0])
}

// benchReconnect kills a node whose sockets all reconnect to another one, and
// compares with opening as many raw sockets of the framework.
func benchReconnect(ctx context.Context, database string, sockets int) error {
	dying, err := startServer(ctx, database)
	if err != nil {
		return err
	}
	defer dying.stop()
	other, err := startServer(ctx, database)
	if err != nil {
		return err
	}
	defer other.stop()
	members := newIDs(sockets)
	open, err := dialAll(ctx, dying, "/ws", members)
	if err != nil {
		return err
	}
	died := time.Now()
	dying.kill()
	reconnected, err := dialTimes(ctx, other, "/ws", members, died, func(i int) { _, _, _ = open[i].ReadMessage() })
	closeAll(open)
	if err != nil {
		return err
	}
	raw, err := dialTimes(ctx, other, "/echo", members, time.Now(), func(int) {})
	if err != nil {
		return err
	}
	fmt.Printf("\nA node with %d sockets is killed; all move to another one, %d at a time\n\n", sockets, dialsAtOnce)
	fmt.Println("| | 95 % | all | all : opening raw sockets |")
	fmt.Println("|---|---:|---:|---:|")
	fmt.Printf("| reconnected | %.2f s | %.2f s | %.2f |\n", quantile(reconnected, 95).Seconds(), quantile(reconnected, 100).Seconds(),
		quantile(reconnected, 100).Seconds()/quantile(raw, 100).Seconds())
	fmt.Printf("| raw sockets | %.2f s | %.2f s | |\n", quantile(raw, 95).Seconds(), quantile(raw, 100).Seconds())
	return nil
}

// dialTimes opens a socket for each member after ready returns for it, and returns
// the times from begun until each was identified.
func dialTimes(ctx context.Context, s *server, path string, members []uuid.UUID, begun time.Time, ready func(int)) ([]time.Duration, error) {
	took, sockets, slots := make([]time.Duration, len(members)), make([]*websocket.Conn, len(members)), make(chan struct{}, dialsAtOnce)
	defer func() { closeAll(sockets) }()
	dialer := &websocket.Dialer{HandshakeTimeout: time.Minute, ReadBufferSize: 512, WriteBufferSize: 512}
	group, ctx := errgroup.WithContext(ctx)
	for i, id := range members {
		group.Go(func() error {
			ready(i)
			slots <- struct{}{}
			defer func() { <-slots }()
			c, _, err := dialer.DialContext(ctx, "ws://"+s.address+path, http.Header{"Cookie": {"sid=" + id.String()}})
			if err != nil {
				return err
			}
			sockets[i] = c
			err = readUntil(c, `{"type":"identified"`)
			took[i] = time.Since(begun)
			return err
		})
	}
	err := group.Wait()
	slices.Sort(took)
	return took, err
}

// quantile returns a percentile of a sorted list.
func quantile(list []time.Duration, percent int) time.Duration {
	return list[min(len(list)-1, len(list)*percent/100)]
}

// benchDisturbances measures a pair without other load, while another member's sockets do
// not read, and during a flood.
func benchDisturbances(ctx context.Context, database string, pairs [][2]uuid.UUID) error {
	s, err := startServer(ctx, database)
	if err != nil {
		return err
	}
	defer s.stop()
	fmt.Printf("\nOne pair sends in turn, %v each\n\n", chatDuration)
	fmt.Println("| beside it | p50 | p99 | p99 : nothing |")
	fmt.Println("|---|---:|---:|---:|")
	baseline := time.Duration(0)
	for _, c := range []struct {
		name  string
		begin func() (end func(), err error)
	}{
		{"nothing", func() (func(), error) { return func() {}, nil }},
		{fmt.Sprintf("messages for %d sockets that never read", stalledSockets), func() (func(), error) { return sendToStalled(ctx, s, pairs[1]) }},
		{fmt.Sprintf("a socket that sends %d frames at once, again and again", floodFrames), func() (func(), error) { return flood(ctx, s, pairs[1][0]) }},
	} {
		end, err := c.begin()
		if err != nil {
			return err
		}
		run, err := converse(ctx, s, "/ws", pairs[:1], 0, false)
		end()
		if err != nil {
			return err
		}
		if baseline == 0 {
			baseline = run.p99
		}
		fmt.Printf("| %s | %.2f ms | %.2f ms | %.2f |\n", c.name, millis(run.p50), millis(run.p99), run.p99.Seconds()/baseline.Seconds())
	}
	return nil
}

// sendToStalled sends messages to the second member, whose sockets do not read, until end is called.
func sendToStalled(ctx context.Context, s *server, pair [2]uuid.UUID) (end func(), err error) {
	stalled, err := dialAll(ctx, s, "/ws", slices.Repeat([]uuid.UUID{pair[1]}, stalledSockets))
	if err != nil {
		return nil, err
	}
	sending, err := dialAll(ctx, s, "/ws", pair[:1])
	if err != nil {
		return nil, err
	}
	text := bytes.Repeat([]byte("x"), 4000)
	var done sync.WaitGroup
	done.Go(func() { // until the socket is closed
		for {
			frame := fmt.Appendf(nil, `{"type":"send_message","recipientId":"%s","content":"%s"}`, pair[1], text)
			if sending[0].WriteMessage(websocket.TextMessage, frame) != nil || readUntil(sending[0], `{"type":"ack"`) != nil {
				return
			}
		}
	})
	return func() {
		closeAll(sending)
		done.Wait()
		closeAll(stalled)
	}, nil
}

// flood sends floodFrames pings in one write, again and again, from a socket of member until end is called.
func flood(ctx context.Context, s *server, member uuid.UUID) (end func(), err error) {
	flooder, err := dialAll(ctx, s, "/ws", []uuid.UUID{member})
	if err != nil {
		return nil, err
	}
	frame := append([]byte{0x81, 0x80 | byte(len(pingText)), 0, 0, 0, 0}, pingText...) // masked with zeros
	frames := bytes.Repeat(frame, floodFrames)
	var done sync.WaitGroup
	done.Go(func() {
		for {
			if _, err := flooder[0].NetConn().Write(frames); err != nil {
				return
			}
		}
	})
	done.Go(func() {
		for {
			if _, _, err := flooder[0].ReadMessage(); err != nil {
				return
			}
		}
	})
	return func() {
		closeAll(flooder)
		done.Wait()
	}, nil
}

const pingText = `{"type":"ping"}`
