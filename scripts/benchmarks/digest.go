package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/delivery"
	"heartward/api/digest"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
	"heartward/jobs"
)

const (
	digestClients = 8
	digestDomains = 1000
)

// countingMails is a sender that accepts every mail, and counts the mails and their bytes.
type countingMails struct{ mails, bytes atomic.Int64 }

func (m *countingMails) Send(_ context.Context, message mail.Message) error {
	m.mails.Add(1)
	m.bytes.Add(int64(len(message.Text) + len(message.HTML)))
	return nil
}

// benchDigest enqueues the digests of 100,000 members at 1,000 domains, renders and "sends" all of them to a mail server that
// accepts at once. It compares the enqueuing with the bare insertion of the same rows, and the sending with the bare template
// and with two plain updates for each digest.
func benchDigest(ctx context.Context, base string) error {
	database, drop, err := freshURL(ctx, base)
	if err != nil {
		return err
	}
	defer drop()
	pool, err := pg.Open(ctx, database, poolSize)
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := seedDigest(ctx, pool); err != nil {
		return err
	}
	inserter, err := jobs.NewInserter(pool)
	if err != nil {
		return err
	}
	mails := &countingMails{}
	outgoing := delivery.New(pool, mails, inserter, delivery.Config{Secret: []byte("bench"), PerMinute: 100_000})
	service := digest.New(pool, outgoing, inserter, "https://bench.test")
	inserted, err := timePlainInserts(ctx, pool)
	if err != nil {
		return err
	}
	enqueued, err := timeEnqueue(ctx, service)
	if err != nil {
		return err
	}
	plain, err := timePlainUpdates(ctx, pool)
	if err != nil {
		return err
	}
	sent, times, err := timeDigests(ctx, pool, service)
	if err != nil {
		return err
	}
	if n := mails.mails.Load(); n != int64(digestMembers) {
		return fmt.Errorf("%d mails were sent, not %d", n, digestMembers)
	}
	rendered, err := timeTemplate()
	if err != nil {
		return err
	}
	fmt.Printf("\nDigest: %d members, %d workers, mails of %d bytes on average\n\n", digestMembers, digestClients, mails.bytes.Load()/int64(digestMembers))
	fmt.Println("| step | seconds | per second | p50 | p99 |")
	fmt.Println("|---|---:|---:|---:|---:|")
	fmt.Printf("| enqueued | %.1f | %.0f | | |\n", enqueued.Seconds(), float64(digestMembers)/enqueued.Seconds())
	fmt.Printf("| upper bound: the rows and the jobs inserted by two statements for each 1,000 | %.1f | %.0f | | |\n", inserted.Seconds(), float64(digestMembers)/inserted.Seconds())
	fmt.Printf("| read, rendered, claimed, handed over, recorded | %.1f | %.0f | %.1f ms | %.1f ms |\n", sent.Seconds(), float64(digestMembers)/sent.Seconds(),
		millis(times[len(times)/2]), millis(times[len(times)*99/100]))
	fmt.Printf("| upper bound: the bare template | %.1f | %.0f | | |\n", rendered.Seconds(), float64(digestMembers)/rendered.Seconds())
	fmt.Printf("| upper bound: two plain updates for each | %.1f | %.0f | | |\n", plain.Seconds()*float64(digestMembers)/float64(plainUpdates), float64(plainUpdates)/plain.Seconds())
	return nil
}

// seedDigest inserts members of whom each has three likes, every second one a match, and every
// fourth one an unread message.
func seedDigest(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := pool.Acquire(ctx) // temporary functions belong to a connection
	if err != nil {
		return err
	}
	defer conn.Release()
	_, err = conn.Exec(ctx, fmt.Sprintf(`
		CREATE FUNCTION pg_temp.bench_count() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT %d::bigint';
		CREATE FUNCTION pg_temp.bench_id(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
			$$SELECT ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid$$`, digestMembers))
	if err != nil {
		return err
	}
	for i, sql := range []string{
		`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, created_at)
		SELECT pg_temp.bench_id(n), n || '@bench' || n % $1 || '.test', 'Bench Member', 'Bench', '1990-01-01', 'BENCH' || lpad(n::text, 6, '0'), now() - interval '3 days'
		FROM generate_series(1, pg_temp.bench_count()) n`,
		`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type)
		SELECT gen_random_uuid(), pg_temp.bench_id((n + d) % pg_temp.bench_count() + 1), pg_temp.bench_id(n), 'like'
		FROM generate_series(1, pg_temp.bench_count()) n, (VALUES (1000), (2000), (3000)) offsets (d)`,
		`INSERT INTO matches (id, user_a, user_b)
		SELECT gen_random_uuid(), pg_temp.bench_id(n), pg_temp.bench_id(n + 1)
		FROM generate_series(1, pg_temp.bench_count() - 1, 4) n`,
		`INSERT INTO conversations (id, user_a, user_b, match_id, last_seq)
		SELECT gen_random_uuid(), user_a, user_b, id, 1
		FROM matches`,
		`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content)
		SELECT gen_random_uuid(), id, 1, user_a, gen_random_uuid(), 'hello'
		FROM conversations`,
		`ANALYZE`,
	} {
		var args []any
		if i == 0 {
			args = []any{digestDomains}
		}
		if _, err := conn.Exec(ctx, sql, args...); err != nil {
			return err
		}
	}
	return nil
}

// timePlainInserts inserts the rows and the jobs of all digests in batches of the size of Enqueue's, and rolls them back.
func timePlainInserts(ctx context.Context, pool *pgxpool.Pool) (took time.Duration, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO digest_runs (week) VALUES ('2001-01-01')`); err != nil {
			return err
		}
		begun := time.Now()
		for from := 0; from < digestMembers; from += 1000 {
			for _, sql := range []string{
				`INSERT INTO digest_mails (user_id, week, state)
				SELECT id, '2001-01-01', 'queued'
				FROM users
				WHERE id > $1
					AND id <= $2`,
				`INSERT INTO river_job (kind, args, max_attempts, queue)
				SELECT 'send_digest', jsonb_build_object('memberId', id, 'week', '2001-01-01'), 6, 'digest'
				FROM users
				WHERE id > $1
					AND id <= $2`,
			} {
				if _, err := tx.Exec(ctx, sql, benchID(from), benchID(from+1000)); err != nil {
					return err
				}
			}
		}
		took = time.Since(begun)
		return errRollBack
	})
	if errors.Is(err, errRollBack) {
		return took, nil
	}
	return took, err
}

// benchID returns the id of the nth member of seedDigest.
func benchID(n int) uuid.UUID { return uuid.MustParse(fmt.Sprintf("00000000-0000-4000-8000-%012x", n)) }

// errRollBack makes timePlainInserts roll back.
var errRollBack = errors.New("the transaction is rolled back on purpose")

// timeTemplate builds the mails of all digests, of the size of those that are sent.
func timeTemplate() (time.Duration, error) {
	letter := mail.Letter{
		Template: "digest", Kind: mail.Digests, Subject: "Your week on Heartward: 1 new match, 3 new likes", Title: "Your week",
		To:     mail.Reader{Address: "1@bench.test", Name: "Bench", Zone: time.UTC},
		Blocks: []mail.Block{mail.Text("November 16 – November 23: 1 new match, 3 new likes.")},
		Footer: []mail.Block{mail.Text("You get this email once a week."), mail.Action("Turn it off", "https://bench.test/unsubscribe/"+strings.Repeat("x", 80))},
	}
	for range 2 {
		letter.Blocks = append(letter.Blocks, mail.Item("3 new likes", "3 people would like to meet you.", "See who likes you", "https://bench.test/matches/likes"))
	}
	begun := time.Now()
	errs := make(chan error, digestClients)
	var clients sync.WaitGroup
	for range digestClients {
		clients.Go(func() {
			for range digestMembers / digestClients {
				if _, err := mail.Build(letter); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	clients.Wait()
	close(errs)
	return time.Since(begun), <-errs
}

// runMonday is the time at which the run of this week starts.
func runMonday() time.Time {
	monday, _ := time.Parse(time.DateOnly, string(digest.WeekOf(time.Now())))
	return monday.Add(15 * time.Hour)
}

// timeEnqueue starts the run of this week, and returns the time in which its mails were enqueued.
func timeEnqueue(ctx context.Context, service *digest.Service) (time.Duration, error) {
	monday := runMonday()
	if err := service.Tick(ctx, monday); err != nil {
		return 0, err
	}
	begun := time.Now()
	err := service.Enqueue(ctx, digest.WeekOf(monday))
	return time.Since(begun), err
}

// timeDigests sends all digests and returns the sorted times of each.
func timeDigests(ctx context.Context, pool *pgxpool.Pool, service *digest.Service) (time.Duration, []time.Duration, error) {
	week := digest.WeekOf(time.Now())
	begun := time.Now()
	times, err := eachMember(ctx, pool, digestMembers, func(id uuid.UUID) error {
		return service.Send(ctx, digest.SendArgs{MemberID: id, Week: week}, true)
	})
	return time.Since(begun), times, err
}

// timePlainUpdates returns the time of two updates of each of plainUpdates rows.
func timePlainUpdates(ctx context.Context, pool *pgxpool.Pool) (time.Duration, error) {
	begun := time.Now()
	_, err := eachMember(ctx, pool, plainUpdates, func(id uuid.UUID) error {
		for range 2 {
			if _, err := pool.Exec(ctx, `UPDATE digest_mails SET changed_at = now() WHERE user_id = $1`, id); err != nil {
				return err
			}
		}
		return nil
	})
	return time.Since(begun), err
}

// eachMember calls fn for count members in digestClients goroutines, and returns the sorted
// times of the calls.
func eachMember(ctx context.Context, pool *pgxpool.Pool, count int, fn func(uuid.UUID) error) ([]time.Duration, error) {
	rows, _ := pool.Query(ctx, `SELECT user_id FROM digest_mails ORDER BY user_id LIMIT $1`, count)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, err
	}
	times := make([]time.Duration, len(ids))
	errs := make(chan error, digestClients)
	var next atomic.Int64
	var clients sync.WaitGroup
	for range digestClients {
		clients.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(ids)); i = next.Add(1) - 1 {
				begun := time.Now()
				if err := fn(ids[i]); err != nil {
					errs <- err
					return
				}
				times[i] = time.Since(begun)
			}
		})
	}
	clients.Wait()
	close(errs)
	slices.Sort(times)
	return times, <-errs
}
