package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"heartward/api/platform/pg"
)

const (
	sampleText = "Would you like to walk along the river on Sunday?"
	warmUp     = 500 * time.Millisecond
	chatFor    = 5 * time.Second
)

// chatRun is what so many pairs achieved.
type chatRun struct {
	pairs     int
	committed float64 // a second
	delivered float64
	p50, p99  time.Duration // from writing a frame to the other's reading it
	ceiling   float64       // single-row INSERTs a second
}

// benchChat lets pairs talk in turn: each sends as soon as it has received.
func benchChat(ctx context.Context, base string, sizes ...int) error {
	database, drop, err := freshURL(ctx, base)
	if err != nil {
		return err
	}
	defer drop()
	pool, err := pg.Open(ctx, database, 4)
	if err != nil {
		return err
	}
	defer pool.Close()
	pairs, err := makePairs(ctx, pool, slices.Max(sizes))
	if err != nil {
		return err
	}
	s, err := startServer(ctx, database)
	if err != nil {
		return err
	}
	defer s.stop()
	fmt.Printf("\nChat: pairs in turn over real sockets, %d connections to PostgreSQL, %v each\n\n", poolSize, chatFor)
	fmt.Println("| pairs | committed/s | delivered/s | p50 | p99 | plain INSERTs/s | committed : INSERTs | growth |")
	fmt.Println("|---:|---:|---:|---:|---:|---:|---:|---:|")
	var before chatRun
	for _, size := range sizes {
		run, err := chat(ctx, s, pool, pairs[:size])
		if err != nil {
			return err
		}
		growth := ""
		if before.pairs > 0 {
			growth = fmt.Sprintf("%.1fx for %.0fx pairs", run.committed/before.committed, float64(size)/float64(before.pairs))
		}
		fmt.Printf("| %d | %.0f | %.0f | %.1f ms | %.1f ms | %.0f | %.2f | %s |\n", size, run.committed, run.delivered,
			millis(run.p50), millis(run.p99), run.ceiling, run.committed/run.ceiling, growth)
		before = run
	}
	return nil
}

func chat(ctx context.Context, s *server, pool *pgxpool.Pool, pairs [][2]uuid.UUID) (run chatRun, err error) {
	run.pairs = len(pairs)
	if err = s.get(fmt.Sprintf("/ceiling?workers=%d&ms=%d", len(pairs), (chatFor/2).Milliseconds()), &run.ceiling); err != nil {
		return run, err
	}
	sockets, err := dialAll(ctx, s, slices.Concat(flatten(pairs)...))
	if err != nil {
		return run, err
	}
	defer closeAll(sockets)
	stored := func() (n int, err error) {
		err = pool.QueryRow(ctx, `SELECT coalesce(sum(last_seq), 0) FROM conversations`).Scan(&n)
		return n, err
	}
	before, err := stored()
	if err != nil {
		return run, err
	}
	var mu sync.Mutex
	var took []time.Duration
	sent := 0
	begun := time.Now()
	group := errgroup.Group{}
	for i, pair := range pairs {
		group.Go(func() error {
			times, n, err := talk(pair, sockets[2*i], sockets[2*i+1], begun.Add(warmUp), begun.Add(warmUp+chatFor))
			mu.Lock()
			defer mu.Unlock()
			took = append(took, times...)
			sent += n
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return run, err
	}
	seconds := time.Since(begun).Seconds()
	after, err := stored()
	if err != nil {
		return run, err
	}
	if after-before != sent {
		return run, fmt.Errorf("%d messages were received and %d stored", sent, after-before)
	}
	if len(took) == 0 {
		return run, errors.New("nothing was delivered")
	}
	slices.Sort(took)
	run.committed = float64(after-before) / seconds
	run.delivered = float64(len(took)) / chatFor.Seconds()
	run.p50, run.p99 = took[len(took)/2], took[len(took)*99/100]
	return run, nil
}

// talk goes back and forth until the end, and answers with how long the
// messages after the start took.
func talk(pair [2]uuid.UUID, a, b *websocket.Conn, start, end time.Time) (took []time.Duration, sent int, err error) {
	conns := [2]*websocket.Conn{a, b}
	for turn := 0; ; turn = 1 - turn {
		now := time.Now()
		if now.After(end) {
			return took, sent, nil
		}
		frame := fmt.Appendf(nil, `{"type":"send_message","recipientId":%q,"content":%q,"messageType":"text","clientId":%q}`,
			pair[1-turn], sampleText, uuid.Must(uuid.NewV7()))
		if err := conns[turn].WriteMessage(websocket.TextMessage, frame); err != nil {
			return took, sent, err
		}
		if err := await(conns[1-turn], `{"type":"new_message"`); err != nil {
			return took, sent, err
		}
		if now.After(start) {
			took = append(took, time.Since(now))
		}
		sent++
	}
}

// await reads until a frame begins so; what else comes is acknowledgements.
func await(c *websocket.Conn, prefix string) error {
	_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
	for {
		_, data, err := c.ReadMessage()
		if err != nil {
			return err
		}
		if bytes.HasPrefix(data, []byte(prefix)) {
			return nil
		}
		if bytes.HasPrefix(data, []byte(`{"type":"error"`)) {
			return fmt.Errorf("the server says %s", data)
		}
	}
}

func flatten(pairs [][2]uuid.UUID) (lists [][]uuid.UUID) {
	for _, pair := range pairs {
		lists = append(lists, pair[:])
	}
	return lists
}

func dialAll(ctx context.Context, s *server, members []uuid.UUID) ([]*websocket.Conn, error) {
	sockets := make([]*websocket.Conn, len(members))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(64)
	dialer := &websocket.Dialer{HandshakeTimeout: 20 * time.Second, ReadBufferSize: 512, WriteBufferSize: 512}
	for i, id := range members {
		group.Go(func() error {
			c, _, err := dialer.DialContext(ctx, "ws://"+s.address+"/ws", http.Header{"Cookie": {"sid=" + id.String()}})
			if err != nil {
				return err
			}
			sockets[i] = c
			return await(c, `{"type":"identified"`)
		})
	}
	if err := group.Wait(); err != nil {
		closeAll(sockets)
		return nil, err
	}
	return sockets, nil
}

func closeAll(sockets []*websocket.Conn) {
	for _, c := range sockets {
		if c != nil {
			c.Close()
		}
	}
}

// makePairs fills an empty database with members who may talk.
func makePairs(ctx context.Context, pool *pgxpool.Pool, n int) ([][2]uuid.UUID, error) {
	pairs := make([][2]uuid.UUID, n)
	var ids, firsts, seconds []uuid.UUID
	for i := range pairs {
		pairs[i] = [2]uuid.UUID{uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())} // in ascending order
		ids = append(ids, pairs[i][:]...)
		firsts, seconds = append(firsts, pairs[i][0]), append(seconds, pairs[i][1])
	}
	if _, err := pool.Exec(ctx, `INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		SELECT id, id || '@bench.test', 'Bench', 'Bench', '1990-01-01', left(md5(id::text), 20) FROM unnest($1::uuid[]) id`, ids); err != nil {
		return nil, err
	}
	_, err := pool.Exec(ctx, `INSERT INTO conversations (id, user_a, user_b)
		SELECT gen_random_uuid(), a, b FROM unnest($1::uuid[], $2::uuid[]) AS p (a, b)`, firsts, seconds)
	if err != nil {
		return nil, err
	}
	_, err = pool.Exec(ctx, `ANALYZE`)
	return pairs, err
}
