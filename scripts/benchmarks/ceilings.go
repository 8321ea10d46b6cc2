package main

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/contrib/v3/websocket"
	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/bus"
)

// inserts is the throughput of plain INSERTs into the table of messages.
type inserts struct {
	Rate float64 // rows per second
	P50  time.Duration
}

// measureInserts measures plain INSERTs on the pool, by a number of workers and with a
// number of rows per transaction.
func measureInserts(ctx context.Context, pool *pgxpool.Pool, workers, rows, ms int) (inserts, error) {
	var conversation, sender uuid.UUID
	if err := pool.QueryRow(ctx, `SELECT id, user_a FROM conversations ORDER BY id LIMIT 1`).Scan(&conversation, &sender); err != nil {
		return inserts{}, err
	}
	var seq atomic.Int64
	seq.Store(time.Now().UnixNano()) // far above real values
	var mu sync.Mutex
	var took []time.Duration
	var failed error
	begun := time.Now()
	until := begun.Add(time.Duration(ms) * time.Millisecond)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for now := time.Now(); now.Before(until); now = time.Now() {
				err := insertRows(ctx, pool, conversation, sender, seq.Add(int64(rows))-int64(rows), rows)
				mu.Lock()
				took = append(took, time.Since(now))
				if err != nil {
					failed = err
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	all.Wait()
	if failed != nil {
		return inserts{}, failed
	}
	slices.Sort(took)
	return inserts{Rate: float64(rows*len(took)) / time.Since(begun).Seconds(), P50: took[len(took)/2]}, nil
}

func insertRows(ctx context.Context, pool *pgxpool.Pool, conversation, sender uuid.UUID, after int64, rows int) error {
	if rows == 1 {
		_, err := pool.Exec(ctx, `INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content)
			VALUES ($1, $2, $3, $4, $1, $5)`, uuid.Must(uuid.NewV7()), conversation, after, sender, sampleText)
		return err
	}
	ids := newIDs(rows)
	_, err := pool.Exec(ctx, `INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content)
		SELECT id, $2, $3 + n, $4, id, $5 FROM unnest($1::uuid[]) WITH ORDINALITY AS i (id, n)`, ids, conversation, after, sender, sampleText)
	return err
}

// echo returns a socket handler of the framework that sends each frame back.
func echo() fiber.Handler {
	return websocket.New(func(c *websocket.Conn) {
		if c.WriteMessage(websocket.TextMessage, []byte(`{"type":"identified"}`)) != nil {
			return
		}
		for {
			kind, data, err := c.ReadMessage()
			if err != nil || c.WriteMessage(kind, data) != nil {
				return
			}
		}
	})
}

// relay returns a socket handler that stores nothing: it publishes each frame on the bus
// to the member that the frame names.
func relay(events *bus.Bus) fiber.Handler {
	return websocket.New(func(c *websocket.Conn) {
		var mu sync.Mutex
		write := func(data []byte) {
			mu.Lock()
			defer mu.Unlock()
			_ = c.WriteMessage(websocket.TextMessage, data)
		}
		defer events.Subscribe("relay."+c.Cookies("sid"), write)()
		write([]byte(`{"type":"identified"}`))
		for {
			_, data, err := c.ReadMessage()
			if err != nil {
				return
			}
			_, rest, _ := bytes.Cut(data, []byte(`"recipientId":"`))
			to, _, _ := bytes.Cut(rest, []byte(`"`))
			events.Publish("relay."+string(to), append([]byte(`{"type":"new_message"`), data[len(`{"type":"send_message"`):]...))
		}
	})
}
