package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"heartward/api/members"
	"heartward/api/platform/gazetteer"
)

// Forty metropolitan areas, the largest first; six members of ten live in one.
var metros = strings.Split("New York, NY|Los Angeles, CA|Chicago, IL|Dallas, TX|Houston, TX|Atlanta, GA|Washington, DC|Philadelphia, PA|"+
	"Miami, FL|Phoenix, AZ|Boston, MA|San Francisco, CA|Detroit, MI|Seattle, WA|Minneapolis, MN|Tampa, FL|San Diego, CA|Denver, CO|"+
	"Baltimore, MD|Orlando, FL|Charlotte, NC|Saint Louis, MO|San Antonio, TX|Portland, OR|Austin, TX|Pittsburgh, PA|Sacramento, CA|"+
	"Las Vegas, NV|Cincinnati, OH|Kansas City, MO|Columbus, OH|Cleveland, OH|Indianapolis, IN|San Jose, CA|Nashville, TN|"+
	"Jacksonville, FL|Milwaukee, WI|Raleigh, NC|Oklahoma City, OK|Memphis, TN", "|")

type town struct {
	city, state string
	lat, lon    float64
}

// population generates members and the towns in which they live.
type population struct {
	random *rand.Rand
	metros [][]town  // the centre and the towns within 25 miles
	shares []float64 // shares of the metros; their sum is 1
	towns  []town    // all of the United States
	now    time.Time
	ids    []uuid.UUID
}

func newPopulation() (*population, error) {
	w := &population{random: rand.New(rand.NewPCG(40, 60)), now: time.Now().UTC()}
	packed, err := os.ReadFile("api/platform/gazetteer/towns.txt.gz")
	if err != nil {
		return nil, fmt.Errorf("the towns (start it with scripts/bench): %w", err)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, err
	}
	w.readTowns(string(text))
	total := 0.0
	for i, name := range metros {
		city, state, _ := strings.Cut(name, ", ")
		centre, ok := lookUpTown(city, state)
		if !ok {
			return nil, errors.New("not in the gazetteer: " + name)
		}
		metro := []town{centre}
		for _, town := range w.towns {
			if gazetteer.Miles(centre.lat, centre.lon, town.lat, town.lon) <= 25 {
				metro = append(metro, town)
			}
		}
		w.metros = append(w.metros, metro)
		w.shares = append(w.shares, 1/math.Sqrt(float64(i+1)))
		total += w.shares[i]
	}
	for i := range w.shares {
		w.shares[i] /= total
	}
	return w, nil
}

func lookUpTown(city, state string) (town, bool) {
	lat, lon, ok := gazetteer.Lookup(city, state)
	return town{city, state, lat, lon}, ok
}

// readTowns reads the towns of the United States, each with one spelling, so that SQL
// can compare the text.
func (w *population) readTowns(text string) {
	seen, state := map[string]bool{}, ""
	for line := range strings.Lines(text) {
		if header, ok := strings.CutPrefix(line, "="); ok {
			region, _, _ := strings.Cut(header, "|")
			state, _ = strings.CutPrefix(region, "us/")
			if state == region {
				state = ""
			}
			continue
		}
		city, _, _ := strings.Cut(line, "\t")
		key := gazetteer.TownKey(city, state)
		if town, ok := lookUpTown(city, state); ok && state != "" && !seen[key] {
			seen[key] = true
			w.towns = append(w.towns, town)
		}
	}
}

// chooseTown returns a town of a metro for six members of ten, and any town otherwise.
func (w *population) chooseTown() town {
	if w.random.IntN(10) >= 6 {
		return w.towns[w.random.IntN(len(w.towns))]
	}
	remaining := w.random.Float64()
	metro := w.metros[0]
	for i, share := range w.shares {
		if remaining -= share; remaining < 0 {
			metro = w.metros[i]
			break
		}
	}
	if w.random.IntN(2) == 0 {
		return metro[0]
	}
	return metro[w.random.IntN(len(metro))]
}

var intentions = []string{"Long-term", "Long-term commitment", "Marriage", "Friendship", "Healing", "Still healing but open",
	"Spiritual Connection", "Personal growth", "Adventure together", "Travel companion"}

// someOf returns at most limit of the words. Seven is coprime to the length of every list
// here.
func (w *population) someOf(words []string, limit int) []string {
	chosen, start := []string{}, w.random.IntN(len(words))
	for i := range w.random.IntN(limit + 1) {
		chosen = append(chosen, words[(start+i*7)%len(words)])
	}
	return chosen
}

// oneOf returns one of the words, or nil for three members of ten.
func (w *population) oneOf(words []string) any {
	if w.random.IntN(10) < 3 {
		return nil
	}
	return words[w.random.IntN(len(words))]
}

// yesOrNo returns true, false or, for three members of ten, nil.
func (w *population) yesOrNo() any {
	if n := w.random.IntN(10); n >= 3 {
		return n >= 6
	}
	return nil
}

// randomLastActive returns a time of last activity, within a week for half of the members. No
// time is within two hours of a limit, because search rounds to hours.
func (w *population) randomLastActive() time.Time {
	var hours int
	switch n := w.random.IntN(100); {
	case n < 20:
		hours = 1 + w.random.IntN(20)
	case n < 35:
		hours = 26 + w.random.IntN(44)
	case n < 50:
		hours = 75 + w.random.IntN(90)
	case n < 75:
		hours = 172 + w.random.IntN(540)
	default:
		hours = 730 + w.random.IntN(6000)
	}
	return w.now.Add(-time.Duration(hours) * time.Hour)
}

func (w *population) birthDate() time.Time {
	years := 20 + min(58, int(math.Abs(w.random.NormFloat64())*16))
	return w.now.Truncate(24*time.Hour).AddDate(-years, 0, -1-w.random.IntN(363))
}

func (w *population) gender() (gender any, interestedIn []string) {
	switch n := w.random.IntN(100); {
	case n < 40:
		return "woman", []string{"man"}
	case n < 80:
		return "man", []string{"woman"}
	case n < 86:
		return "woman", []string{"woman", "nonbinary"}
	case n < 92:
		return "man", []string{"man"}
	case n < 96:
		return "nonbinary", []string{}
	}
	return nil, []string{}
}

// text returns the text for a percentage of the members, and "" for the others.
func (w *population) text(percent int, text string) string {
	if w.random.IntN(100) < percent {
		return text
	}
	return ""
}

// userColumns are the columns of users that are set, in the order of the rows.
var userColumns = func() []string {
	columns := []string{"id", "email", "identity_key", "abuse_key", "full_name", "first_name", "birth_date", "gender", "interested_in", "city", "state",
		"town_lat", "town_lon", "intention_tags", "bio", "love_reflection", "has_children", "wants_children", "education", "occupation",
		"religion", "is_featured", "verified_at", "referral_code", "created_at"}
	for _, list := range members.WordLists {
		columns = append(columns, list.Column)
	}
	return append(columns, "incognito", "paused_at", "height_cm", "hide_online", "religion_counts", "paused_until", "visit_city", "visit_state", "visit_lat", "visit_lon", "visit_until")
}()

// user returns a row of users and the time of the member's last activity.
func (w *population) user(number int) (row []any, lastActive time.Time) {
	created := w.now.Add(-time.Duration(1+w.random.IntN(400*24)) * time.Hour)
	home := w.chooseTown()
	gender, interestedIn := w.gender()
	at := func(percent int) any {
		if w.random.IntN(100) < percent {
			return created
		}
		return nil
	}
	email := fmt.Sprintf("m%d@bench.test", number)
	row = []any{
		w.ids[number], email, email, email, "Kim Doe", "Kim", w.birthDate(), gender, interestedIn, home.city, home.state,
		home.lat, home.lon, w.someOf(intentions, 3), w.text(70, sampleText), w.text(50, "At home."), w.yesOrNo(), w.yesOrNo(),
		w.oneOf(members.Educations), w.text(80, "Nurse"), w.oneOf(members.Religions), w.random.IntN(100) == 0, at(15),
		fmt.Sprintf("bench%d", number),
	}
	lastActive = w.randomLastActive()
	row = append(row, created)
	for _, list := range members.WordLists {
		row = append(row, w.someOf(list.Words, min(4, list.Max, len(list.Words)*2/5)))
	}
	var height any
	if w.random.IntN(100) < 60 {
		height = 150 + w.random.IntN(50)
	}
	return append(row, w.random.IntN(50) == 0, at(2), height, w.random.IntN(20) == 0, true, nil, nil, nil, nil, nil, nil), lastActive
}

// addMembers adds members with photos and prompts until there are size of them.
func (w *population) addMembers(ctx context.Context, address string, size int) error {
	first := len(w.ids)
	for range size - first {
		w.ids = append(w.ids, uuid.Must(uuid.NewV7()))
	}
	both, fillCtx := errgroup.WithContext(ctx)
	both.Go(func() error {
		active := make([]time.Time, size-first)
		if err := fill(fillCtx, address, "users", userColumns, size-first, func(i int) []any {
			row, lastActive := w.user(first + i)
			active[i] = lastActive
			return row
		}); err != nil {
			return err
		}
		return fill(fillCtx, address, "member_activity", []string{"user_id", "last_active_at"}, size-first, func(i int) []any {
			return []any{w.ids[first+i], active[i]}
		})
	})
	both.Go(func() error {
		// A photo has its member's id, which saves generating another.
		photographed := w.ids[first : first+(size-first)*6/10]
		if err := fill(fillCtx, address, "files", []string{"id", "owner_id", "content_type", "bytes"}, len(photographed), func(i int) []any {
			return []any{photographed[i], photographed[i], "image/webp", 1}
		}); err != nil {
			return err
		}
		if err := fill(fillCtx, address, "member_media", []string{"file_id", "user_id", "slot", "position"}, len(photographed), func(i int) []any {
			return []any{photographed[i], photographed[i], "photo", 1}
		}); err != nil {
			return err
		}
		answering := w.ids[first+(size-first)*3/10 : first+(size-first)*7/10]
		return fill(fillCtx, address, "member_prompts", []string{"user_id", "position", "question", "answer"}, len(answering), func(i int) []any {
			return []any{answering[i], 1, "Ask me about", "Tea."}
		})
	})
	if err := both.Wait(); err != nil {
		return err
	}
	return withConn(ctx, address, func(db *pgx.Conn) error {
		_, err := db.Exec(ctx, `VACUUM ANALYZE users, member_activity, files, member_media, member_prompts`)
		return err
	})
}

// fill copies rows into a table without triggers and foreign key checks.
func fill(ctx context.Context, address, table string, columns []string, n int, row func(i int) []any) error {
	return withConn(ctx, address, func(db *pgx.Conn) error {
		if _, err := db.Exec(ctx, `SET session_replication_role = replica; SET synchronous_commit = off`); err != nil {
			return fmt.Errorf("filling a database needs its superuser: %w", err)
		}
		_, err := db.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromSlice(n, func(i int) ([]any, error) {
			values := row(i)
			for i, value := range values {
				if id, ok := value.(uuid.UUID); ok {
					values[i] = [16]byte(id) // encoded fastest by pgx
				}
			}
			return values, nil
		}))
		return err
	})
}

// withConn calls do with a separate connection without a statement timeout.
func withConn(ctx context.Context, address string, do func(*pgx.Conn) error) error {
	db, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer db.Close(ctx)
	return do(db)
}

// addInteractions adds likes, passes, matches and blocks between each viewer and others.
// A search excludes these others, except those who have only liked the viewer.
func (w *population) addInteractions(ctx context.Context, pool *pgxpool.Pool, viewers []uuid.UUID) error {
	for _, viewer := range viewers {
		others := make([]uuid.UUID, 0, 350)
		for len(others) < cap(others) {
			if other := w.ids[w.random.IntN(len(w.ids))]; other != viewer {
				others = append(others, other)
			}
		}
		if _, err := pool.Exec(ctx, insertInteractionsSQL, viewer, others[:100], others[100:130], others[130:320], others[320:340], others[340:]); err != nil {
			return err
		}
	}
	_, err := pool.Exec(ctx, `ANALYZE user_likes, user_passes, matches, blocks`)
	return err
}

const insertInteractionsSQL = `WITH likes AS (
		INSERT INTO user_likes (id, from_user_id, to_user_id, like_type) SELECT gen_random_uuid(), $1, o, 'like'
		FROM unnest($2::uuid[]) o ON CONFLICT DO NOTHING
	), received_likes AS (
		INSERT INTO user_likes (id, from_user_id, to_user_id, like_type) SELECT gen_random_uuid(), o, $1, 'like'
		FROM unnest($3::uuid[]) o ON CONFLICT DO NOTHING
	), passes AS (
		INSERT INTO user_passes (from_user_id, to_user_id) SELECT $1, o FROM unnest($4::uuid[]) o ON CONFLICT DO NOTHING
	), matched AS (
		INSERT INTO matches (id, user_a, user_b) SELECT gen_random_uuid(), least(o, $1), greatest(o, $1)
		FROM unnest($5::uuid[]) o ON CONFLICT DO NOTHING
	) INSERT INTO blocks (blocker_id, blocked_id) SELECT o, $1 FROM unnest($6::uuid[]) o ON CONFLICT DO NOTHING`

const viewerCount = 40

// viewers returns the members who search. They have a history and are the same at every
// size.
func (w *population) viewers(ctx context.Context, pool *pgxpool.Pool) ([]viewerData, error) {
	rows, _ := pool.Query(ctx, `SELECT u.id FROM profiles u WHERE u.is_shown AND u.id = ANY($1) ORDER BY u.referral_code LIMIT $2`, w.ids[:1000], viewerCount)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, err
	}
	if err := w.addInteractions(ctx, pool, ids); err != nil {
		return nil, err
	}
	return readViewers(ctx, pool, ids)
}
