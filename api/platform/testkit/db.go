package testkit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// DB is a test with its database. The env of a package embeds it, and passes itself as the test.
type DB struct {
	testing.TB
	Pool *pgxpool.Pool
}

// Exec is Exec on the database of d.
func (d DB) Exec(sql string, args ...any) {
	d.Helper()
	Exec(d, d.Pool, sql, args...)
}

// Count is Count on the database of d.
func (d DB) Count(sql string, args ...any) int {
	d.Helper()
	return Count(d, d.Pool, sql, args...)
}

// Member is Member on the database of d.
func (d DB) Member(name string, columns ...Columns) web.Actor {
	d.Helper()
	return Member(d, d.Pool, name, columns...)
}

// SetPreference is SetPreference on the database of d.
func (d DB) SetPreference(member uuid.UUID, key string, value any) {
	d.Helper()
	SetPreference(d, d.Pool, member, key, value)
}

// Admin is Admin on the database of d.
func (d DB) Admin(name string, columns ...Columns) web.Actor {
	d.Helper()
	return Admin(d, d.Pool, name, columns...)
}

// Pair is Pair on the database of d.
func (d DB) Pair() (ada, ben web.Actor, conversation uuid.UUID) {
	d.Helper()
	return Pair(d, d.Pool)
}

// Match is Match on the database of d.
func (d DB) Match(a, b web.Actor) (conversation uuid.UUID) {
	d.Helper()
	return Match(d, d.Pool, a, b)
}

// Exec runs a statement on db. The test fails if it fails.
func Exec(t testing.TB, db pg.DB, sql string, args ...any) {
	t.Helper()
	if _, err := db.Exec(context.Background(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// Select returns the only value that a query selects. The test fails if the query fails or selects no row.
func Select[T any](t testing.TB, db pg.DB, sql string, args ...any) (value T) {
	t.Helper()
	if err := db.QueryRow(context.Background(), sql, args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return value
}

// SelectAll returns the values of the only column that a query selects. The test fails if the query fails.
func SelectAll[T any](t testing.TB, db pg.DB, sql string, args ...any) []T {
	t.Helper()
	rows, _ := db.Query(context.Background(), sql, args...)
	values, err := pgx.CollectRows(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return values
}

// Count returns the number that a query selects. The test fails if it fails.
func Count(t testing.TB, db pg.DB, sql string, args ...any) int {
	t.Helper()
	return Select[int](t, db, sql, args...)
}

// Columns has values by the name of their column.
type Columns map[string]any

// Member inserts an active member with a full name, and returns them with the id of a session that is not stored.
// Columns of users that are not in columns have a valid value; address and referral code are unique. Among members
// inserted one after the other, ids ascend.
func Member(t testing.TB, pool *pgxpool.Pool, name string, columns ...Columns) web.Actor {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	first, last, _ := strings.Cut(name, " ")
	row := Columns{
		"id": id, "email": id.String() + "@example.test", "full_name": name, "first_name": first, "last_name": last,
		"birth_date": time.Date(1990, time.January, 1, 0, 0, 0, 0, time.UTC), "referral_code": id.String()[24:],
	}
	for _, values := range columns {
		maps.Copy(row, values)
	}
	if email, ok := row["email"].(string); ok {
		keys := mailaddr.Of(email)
		row["identity_key"], row["abuse_key"] = keys.Identity, keys.Abuse
	}
	names := slices.Sorted(maps.Keys(row))
	var placeholders []string
	var values []any
	for _, column := range names {
		values = append(values, row[column])
		placeholders = append(placeholders, fmt.Sprintf("$%d", len(values)))
	}
	Exec(t, pool, `INSERT INTO users (`+strings.Join(names, ", ")+`) VALUES (`+strings.Join(placeholders, ", ")+`)`, values...)
	return web.Actor{ID: row["id"].(uuid.UUID), SessionID: uuid.Must(uuid.NewV7())}
}

// Admin inserts a member who is an admin, and returns them with the rights of a session that has proved the second factor.
func Admin(t testing.TB, pool *pgxpool.Pool, name string, columns ...Columns) web.Actor {
	t.Helper()
	admin := Member(t, pool, name, append(columns, Columns{"is_admin": true})...)
	admin.Admin, admin.Moderator, admin.Granted, admin.Proved = true, true, true, true
	return admin
}

// SetPreference stores one of a member's settings of notifications, by its key in the API.
func SetPreference(t testing.TB, db pg.DB, member uuid.UUID, key string, value any) {
	t.Helper()
	Exec(t, db, `
		INSERT INTO notification_settings AS n (user_id, preferences)
		VALUES ($1, $2)
		ON CONFLICT (user_id) DO UPDATE SET preferences = n.preferences || excluded.preferences`, member, map[string]any{key: value})
}

// Match inserts a match of two members and their conversation, whose id it returns.
func Match(t testing.TB, pool *pgxpool.Pool, a, b web.Actor) (conversation uuid.UUID) {
	t.Helper()
	match, conversation := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	Exec(t, pool, `INSERT INTO matches (id, user_a, user_b) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3))`, match, a.ID, b.ID)
	Exec(t, pool, `INSERT INTO conversations (id, user_a, user_b, match_id)
		VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3), $4)`, conversation, a.ID, b.ID, match)
	return conversation
}

// Pair inserts two members who match, of whom ada has the smaller id, and their conversation.
func Pair(t testing.TB, pool *pgxpool.Pool) (ada, ben web.Actor, conversation uuid.UUID) {
	t.Helper()
	ada, ben = Member(t, pool, "Ada Moss"), Member(t, pool, "Ben Moss")
	return ada, ben, Match(t, pool, ada, ben)
}
