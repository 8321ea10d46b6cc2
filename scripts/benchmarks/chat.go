package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
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
	pacedPairs = 490 // one per second and pair
)

// chatRun is the result for a number of pairs.
type chatRun struct {
	rate     float64 // messages delivered per second
	sent     int
	commits  int           // of transactions that wrote
	p50, p99 time.Duration // from writing a frame until the recipient has read it and written its receipts
}

// benchChat measures pairs that alternate: each member sends after receiving.
func benchChat(ctx context.Context, base string) error {
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
	pairs, err := makePairs(ctx, pool, slices.Max(chatPairs))
	if err != nil {
		return err
	}
	s, err := startServer(ctx, database)
	if err != nil {
		return err
	}
	defer s.stop()
	oneInsert, single, err := printCeilings(s)
	if err != nil {
		return err
	}
	fmt.Printf("\nChat: pairs send in turn over sockets, %d connections to PostgreSQL, %v each\n\n", poolSize, chatDuration)
	fmt.Println("| pairs | delivered/s | p50 | : one INSERT | p99 | : INSERTs of 32 | nothing stored/s | raw echo/s |")
	fmt.Println("|---:|---:|---:|---:|---:|---:|---:|---:|")
	for _, size := range chatPairs {
		run, err := chat(ctx, s, pool, pairs[:size], 0, false)
		if err != nil {
			return err
		}
		unstored, err := converse(ctx, s, "/relay", pairs[:size], 0, false)
		if err != nil {
			return err
		}
		raw, err := converse(ctx, s, "/echo", pairs[:size], 0, false)
		if err != nil {
			return err
		}
		fmt.Printf("| %d | %.0f | %.2f ms | %.1f | %.1f ms | %.2f | %.0f | %.0f |\n", size, run.rate, millis(run.p50),
			run.p50.Seconds()/oneInsert.Seconds(), millis(run.p99), run.rate/single, unstored.rate, raw.rate)
	}
	paced, err := chat(ctx, s, pool, pairs[:min(pacedPairs, len(pairs))], pacedPairs*time.Second/time.Duration(pacedRate), false)
	if err != nil {
		return err
	}
	fmt.Printf("\nPaced: %.0f/s by %d pairs, p50 %.1f ms, p99 %.1f ms\n", paced.rate, pacedPairs, millis(paced.p50), millis(paced.p99))
	return benchReceipts(ctx, s, pool, pairs)
}

// benchReceipts measures the same with a delivered and a read receipt before each
// reply.
func benchReceipts(ctx context.Context, s *server, pool *pgxpool.Pool, pairs [][2]uuid.UUID) error {
	fmt.Printf("\nReceipts: each message is marked delivered and read before the reply\n\n")
	fmt.Println("| pairs | messages/s | p50 | p99 | commits a message |")
	fmt.Println("|---:|---:|---:|---:|---:|")
	for _, size := range chatPairs {
		run, err := chat(ctx, s, pool, pairs[:size], 0, true)
		if err != nil {
			return err
		}
		fmt.Printf("| %d | %.0f | %.2f ms | %.1f ms | %.2f |\n", size, run.rate, millis(run.p50), millis(run.p99), float64(run.commits)/float64(run.sent))
	}
	return nil
}

// printCeilings prints the throughput of PostgreSQL alone, and returns the time of a
// single INSERT and the rate of single-row INSERTs of 32 clients.
func printCeilings(s *server) (oneInsert time.Duration, single float64, err error) {
	fmt.Printf("\nPlain INSERTs into the table of messages\n\n| at once | rows a transaction | rows/s | p50 |\n|---:|---:|---:|---:|\n")
	for _, c := range []struct{ workers, rows int }{{1, 1}, {32, 1}, {4, 50}} {
		var found inserts
		if err = s.get(fmt.Sprintf("/ceiling?workers=%d&rows=%d&ms=%d", c.workers, c.rows, (chatDuration/2).Milliseconds()), &found); err != nil {
			return 0, 0, err
		}
		fmt.Printf("| %d | %d | %.0f | %.2f ms |\n", c.workers, c.rows, found.Rate, millis(found.P50))
		switch c.workers {
		case 1:
			oneInsert = found.P50
		case 32:
			single = found.Rate
		}
	}
	return oneInsert, single, nil
}

// chat runs pairs and checks that as many messages are stored as were received.
func chat(ctx context.Context, s *server, pool *pgxpool.Pool, pairs [][2]uuid.UUID, every time.Duration, receipts bool) (run chatRun, err error) {
	stored := func() (n, transaction int, err error) {
		err = pool.QueryRow(ctx, `SELECT coalesce(sum(last_seq), 0), pg_current_xact_id()::text::bigint FROM conversations`).Scan(&n, &transaction)
		return n, transaction, err
	}
	before, first, err := stored()
	if err != nil {
		return run, err
	}
	if run, err = converse(ctx, s, "/ws", pairs, every, receipts); err != nil {
		return run, err
	}
	after, last, err := stored()
	run.commits = last - first
	if err == nil && after-before != run.sent {
		err = fmt.Errorf("%d messages were received and %d stored", run.sent, after-before)
	}
	return run, err
}

// converse runs pairs on an endpoint, with at most one message per pair and interval.
// On /echo each member receives its own messages.
func converse(ctx context.Context, s *server, path string, pairs [][2]uuid.UUID, every time.Duration, receipts bool) (run chatRun, err error) {
	sockets, err := dialAll(ctx, s, path, slices.Concat(flatten(pairs)...))
	if err != nil {
		return run, err
	}
	defer closeAll(sockets)
	var mu sync.Mutex
	var took []time.Duration
	begun := time.Now()
	group := errgroup.Group{}
	for i, pair := range pairs {
		e := exchange{pair: pair, conns: [2]*websocket.Conn{sockets[2*i], sockets[2*i+1]}, echo: path == "/echo",
			start: begun.Add(warmUp), end: begun.Add(warmUp + chatDuration), every: every, receipts: receipts}
		group.Go(func() error {
			times, n, err := e.run(every * time.Duration(i) / time.Duration(len(pairs)))
			mu.Lock()
			defer mu.Unlock()
			took = append(took, times...)
			run.sent += n
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return run, err
	}
	if len(took) == 0 {
		return run, errors.New("nothing was delivered")
	}
	slices.Sort(took)
	run.rate = float64(len(took)) / chatDuration.Seconds()
	run.p50, run.p99 = took[len(took)/2], took[len(took)*99/100]
	return run, nil
}

// exchange is a pair of members who send to each other in turn.
type exchange struct {
	pair       [2]uuid.UUID
	conns      [2]*websocket.Conn
	echo       bool
	start, end time.Time
	every      time.Duration // minimum interval between messages; zero for none
	receipts   bool          // sends receipts before each reply
}

// run exchanges messages until the end, and returns the latencies of those after the
// start.
func (e exchange) run(after time.Duration) (took []time.Duration, sent int, err error) {
	due := time.Now().Add(after)
	for turn := 0; ; turn = 1 - turn {
		if e.every > 0 {
			time.Sleep(time.Until(due))
			due = due.Add(e.every)
		}
		now := time.Now()
		if now.After(e.end) {
			return took, sent, nil
		}
		frame := fmt.Appendf(nil, `{"type":"send_message","recipientId":"%s","content":"%s","messageType":"text","clientId":"%s"}`,
			e.pair[1-turn], sampleText, uuid.Must(uuid.NewV7()))
		if err := e.conns[turn].WriteMessage(websocket.TextMessage, frame); err != nil {
			return took, sent, err
		}
		reader, prefix := e.conns[1-turn], `{"type":"new_message"`
		if e.echo {
			reader, prefix = e.conns[turn], `{"type":"send_message"`
		}
		if err := readUntil(reader, prefix); err != nil {
			return took, sent, err
		}
		if err := e.receive(turn); err != nil {
			return took, sent, err
		}
		if now.After(e.start) {
			took = append(took, time.Since(now))
		}
		sent++
	}
}

// receive sends the receipts of the side that has received the message of this turn.
func (e exchange) receive(turn int) error {
	if !e.receipts {
		return nil
	}
	for _, kind := range []string{"mark_delivered", "mark_read"} {
		frame := fmt.Appendf(nil, `{"type":"%s","senderId":"%s","seq":%d}`, kind, e.pair[turn], math.MaxInt32)
		if err := e.conns[1-turn].WriteMessage(websocket.TextMessage, frame); err != nil {
			return err
		}
	}
	return nil
}

// readUntil reads frames until one has the prefix. It skips acknowledgements.
func readUntil(c *websocket.Conn, prefix string) error {
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
			return fmt.Errorf("the server responds with %s", data)
		}
	}
}

func flatten(pairs [][2]uuid.UUID) (lists [][]uuid.UUID) {
	for _, pair := range pairs {
		lists = append(lists, pair[:])
	}
	return lists
}

func dialAll(ctx context.Context, s *server, path string, members []uuid.UUID) ([]*websocket.Conn, error) {
	sockets := make([]*websocket.Conn, len(members))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(64)
	dialer := &websocket.Dialer{HandshakeTimeout: 20 * time.Second, ReadBufferSize: 512, WriteBufferSize: 512}
	for i, id := range members {
		group.Go(func() error {
			c, _, err := dialer.DialContext(ctx, "ws://"+s.address+path, http.Header{"Cookie": {"sid=" + id.String()}})
			if err != nil {
				return err
			}
			sockets[i] = c
			return readUntil(c, `{"type":"identified"`)
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

// makePairs fills an empty database with pairs of members who have a conversation.
func makePairs(ctx context.Context, pool *pgxpool.Pool, n int) ([][2]uuid.UUID, error) {
	pairs := make([][2]uuid.UUID, n)
	var ids, firsts, seconds []uuid.UUID
	for i := range pairs {
		pairs[i] = [2]uuid.UUID{uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())} // ascending, as the table requires
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
