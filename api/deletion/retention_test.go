package deletion_test

import (
	"context"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/platform/feature"
	"heartward/api/platform/testkit"
)

// retentionRows are statements that make a row of a member one that an entry is about, by table.
var retentionRows = map[string]string{
	"daily_counts":         `INSERT INTO daily_counts (day, member_id, rule, items) SELECT '2026-01-01', id, 'r', 1 FROM users LIMIT 1`,
	"daily_items":          `INSERT INTO daily_items (day, member_id, rule, item_id) SELECT '2026-01-01', id, rule, id FROM users, unnest(ARRAY['files', 'people']) rule`,
	"daily_network_counts": `INSERT INTO daily_network_counts (day, network, rule, items) VALUES ('2026-01-01', 'n', 'r', 1)`,
	"hidden_statements":    `UPDATE reports SET status = 'resolved'`,
	"job_page_links":       `INSERT INTO job_page_links (token_hash, session_id, is_cookie, expires_at) SELECT sha256('l'), id, false, now() FROM sessions`,
	"mail_rates":           `INSERT INTO mail_rates (domain, tat) VALUES ('friend.example', now())`,
	"near_snapshots":       `INSERT INTO near_snapshots (taken_on, lats, lons, members) VALUES ('2026-01-01', '{}', '{}', '{}')`,
	"message_flags":        `UPDATE message_flags SET content = '' WHERE reviewed_at IS NOT NULL`,
	"rate_limits":          `INSERT INTO rate_limits (key, tat) VALUES ('k', now())`,
	"referrals":            `UPDATE referrals SET network_mac = sha256('n'), email = coalesce(email, 'x@friend.example')`,
	"reports":              `UPDATE reports SET status = 'resolved', description = 'words'`,
	"revoked_sessions":     `INSERT INTO revoked_sessions (token_hash, expires_at) VALUES (sha256('r'), now())`,
	"search_removals":      `INSERT INTO search_removals (user_id) SELECT id FROM users LIMIT 1`,
	"town_changes":         `INSERT INTO town_changes (user_id, is_visit) SELECT user_id, NOT is_visit FROM town_changes`,
	"user_likes":           `UPDATE user_likes SET is_matched = false`,
}

// retentionTimes are statements that set the time of an entry to $1 before now, for those whose time is not in a column of
// the table; others are set by the test.
var retentionTimes = map[string]string{
	"message_flags: content":           `UPDATE message_flags SET reviewed_at = now() - $1::interval, decision = 'dismiss'`,
	"evidence_files: files of file_id": `UPDATE reports SET created_at = now() - $1::interval`,
	"report_additions":                 `UPDATE reports SET reviewed_at = now() - $1::interval, status = 'resolved'`,
	"sessions":                         `WITH staff AS (UPDATE users SET is_admin = true) UPDATE sessions SET created_at = now() - $1::interval`,
}

// retentionPeriods are the periods of entries that end when their rows fulfil a condition.
var retentionPeriods = map[string]time.Duration{
	"evidence_files: files of file_id": 180 * feature.Day,
	"sessions":                         15 * time.Minute,
}

var isColumn = regexp.MustCompile(`^[a-z_]+$`).MatchString

// For each entry of the registry, a row just inside the period stays, and a row just outside goes.
func TestRetention_RowsGoAtTheEndOfTheirPeriod(t *testing.T) { //nolint:tparallel // the subtests share the member
	t.Parallel()
	w := newEnv(t)
	w.fillMember()
	// The test makes rows that no feature would store: old ones of new ones.
	w.Exec(`DO $$ DECLARE c record; BEGIN
		FOR c IN SELECT conrelid::regclass AS of, conname FROM pg_constraint WHERE contype IN ('c', 'f') AND connamespace = 'public'::regnamespace AND conrelid <> 0 LOOP
			EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', c.of, c.conname);
		END LOOP; END $$`)
	tested := 0
	for _, part := range api.Data() {
		for _, entry := range part.Retention {
			if !entry.IsCleaned() {
				continue
			}
			tested++
			t.Run(entry.Name()+", "+entry.What, func(t *testing.T) { w.testRetention(t, entry) })
		}
	}
	require.Greater(t, tested, 35)
}

// agedRow is a row whose time a test changes, in a transaction that is rolled back.
type agedRow struct {
	tx    pgx.Tx
	entry feature.Retention
	ctid  string
}

func (w *env) testRetention(t *testing.T, entry feature.Retention) {
	t.Helper()
	tx, err := w.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(context.WithoutCancel(t.Context()))) }()
	row := newAgedRow(t, tx, entry)
	rows := testkit.Count(t, tx, `SELECT count(*) FROM `+entry.Table)
	_, period, isDate := entry.End.Period()
	if row.isSpecial() && period == 0 {
		period = retentionPeriods[entry.Name()]
	}
	margin := time.Minute
	if isDate {
		margin = feature.Day
	}

	row.setAge(t, period-margin)
	require.Zero(t, row.due(t), "just inside the period")
	require.Zero(t, row.clean(t), "just inside the period")

	age := period + margin
	if isDate {
		age = period
	}
	row.setAge(t, age)
	require.Equal(t, 1, row.due(t), "just outside the period")
	require.Equal(t, 1, row.clean(t), "just outside the period")
	require.Zero(t, row.due(t), "after the clean-up")
	gone := 1
	if len(entry.Columns) > 0 {
		gone = 0
	}
	require.Equal(t, rows-gone, testkit.Count(t, tx, `SELECT count(*) FROM `+entry.Table))
}

// newAgedRow finds a row that the entry is about, and deletes the others if the entry is about whole rows.
func newAgedRow(t *testing.T, tx pgx.Tx, entry feature.Retention) *agedRow {
	t.Helper()
	if sql := retentionRows[entry.Table]; sql != "" {
		testkit.Exec(t, tx, sql)
	}
	row := &agedRow{tx: tx, entry: entry}
	where := entry.Rows
	if where == "" || row.isSpecial() { // then the time decides whether the entry is about the row
		where = "true"
	}
	err := tx.QueryRow(t.Context(), fmt.Sprintf(`SELECT ctid::text FROM %s WHERE %s LIMIT 1`, entry.Table, where)).Scan(&row.ctid)
	require.NoError(t, err, "%s has no row WHERE %s: add one to retentionRows", entry.Table, where)
	if len(entry.Columns) == 0 {
		testkit.Exec(t, tx, fmt.Sprintf(`DELETE FROM %s WHERE ctid <> $1::text::tid`, entry.Table), row.ctid)
	}
	return row
}

// setAge moves the time from which the period of the row counts.
func (r *agedRow) setAge(t *testing.T, age time.Duration) {
	t.Helper()
	if r.isSpecial() {
		require.Contains(t, retentionTimes, r.entry.Name(), "add the statement that sets the time")
		testkit.Exec(t, r.tx, retentionTimes[r.entry.Name()], age)
		return
	}
	column, _, isDate := r.entry.End.Period()
	at := `now() - $1::interval`
	if isDate {
		at = `((now() - $1::interval) AT TIME ZONE 'UTC')::date`
	}
	err := r.tx.QueryRow(t.Context(), fmt.Sprintf(`UPDATE %s SET %s = %s WHERE ctid = $2::text::tid RETURNING ctid::text`, r.entry.Table, column, at), age, r.ctid).Scan(&r.ctid)
	require.NoError(t, err)
}

// isSpecial reports whether the time is not in a column of the table.
func (r *agedRow) isSpecial() bool {
	column, _, _ := r.entry.End.Period()
	return !isColumn(column)
}

func (r *agedRow) due(t *testing.T) int {
	t.Helper()
	n, err := r.entry.CountDue(t.Context(), r.tx)
	require.NoError(t, err)
	return n
}

func (r *agedRow) clean(t *testing.T) int {
	t.Helper()
	n, err := r.entry.Clean(t.Context(), r.tx, 10)
	require.NoError(t, err)
	return n
}
