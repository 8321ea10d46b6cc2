package pulse

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// upsert stores an entry, unless the day has a newer edit or this one. A later edit keeps the bounds that the day had in the
// time zone of the first one.
func upsert(ctx context.Context, db pg.DB, e newEntry) error {
	_, err := db.Exec(ctx, `
		INSERT INTO love_pulse AS p (id, user_id, date, day_starts, day_ends, question, mood, reflection, client_id, edited_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (user_id, date) DO UPDATE SET
			mood = excluded.mood,
			reflection = excluded.reflection,
			client_id = excluded.client_id,
			edited_at = excluded.edited_at
		WHERE p.client_id <> excluded.client_id
			AND p.edited_at <= excluded.edited_at`,
		e.id, e.user, e.day.date, e.day.starts, e.day.ends, string(e.question), string(e.mood), e.reflection, e.clientID, e.editedAt)
	return err
}

// entryColumns are the columns of an entry p. scanEntry scans them by name.
const entryColumns = `
	p.id,
	p.user_id,
	p.date::text,
	p.question,
	p.mood,
	p.reflection,
	p.client_id,
	p.edited_at`

func scanEntry(row pgx.CollectableRow) (e DailyEntry, err error) {
	e, err = pgx.RowToStructByName[DailyEntry](row)
	e.EditedAt, e.Response = web.Time(e.EditedAt), formatResponse(e.Mood, e.Reflection)
	return e, err
}

// selectDay returns pgx.ErrNoRows without an entry.
func selectDay(ctx context.Context, db pg.DB, member uuid.UUID, date time.Time) (DailyEntry, error) {
	rows, _ := db.Query(ctx, `SELECT `+entryColumns+`
		FROM love_pulse p
		WHERE p.user_id = $1
			AND p.date = $2`, member, date)
	return pgx.CollectExactlyOneRow(rows, scanEntry)
}

// historySQL takes the member, the date of the last entry and the limit.
const historySQL = `SELECT ` + entryColumns + `
	FROM love_pulse p
	WHERE p.user_id = $1
		AND p.date < $2
	ORDER BY p.date DESC
	LIMIT $3`

func selectHistory(ctx context.Context, db pg.DB, member uuid.UUID, before string, limit int) ([]DailyEntry, error) {
	rows, _ := db.Query(ctx, historySQL, member, before, limit)
	return pgx.CollectRows(rows, scanEntry)
}

// yearSQL takes the member and the first days of the year and of the next one.
const yearSQL = `
	SELECT
		p.date::text,
		p.mood
	FROM love_pulse p
	WHERE p.user_id = $1
		AND p.date >= $2
		AND p.date < $3
	ORDER BY p.date`

func selectYear(ctx context.Context, db pg.DB, member uuid.UUID, year int) ([]MoodDay, error) {
	first := time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC)
	rows, _ := db.Query(ctx, yearSQL, member, first, first.AddDate(1, 0, 0))
	return pgx.CollectRows(rows, pgx.RowToStructByName[MoodDay])
}

// streakSQL takes the member and today.
const streakSQL = `
	SELECT
		newest,
		newest_ends,
		days,
		run,
		(SELECT count(*) FROM love_pulse WHERE user_id = $1),
		EXISTS (SELECT FROM love_pulse WHERE user_id = $1 AND date = $2)
	FROM pulse_chain($1)`

// selectStreak returns the streak that includes today, or that an entry of today would continue.
func selectStreak(ctx context.Context, db pg.DB, member uuid.UUID, today day) (DayStreak, error) {
	streak := DayStreak{Today: today.date.Format(dateLayout)}
	var newest, ends time.Time
	var days, run int
	err := db.QueryRow(ctx, streakSQL, member, today.date).
		Scan(&newest, &ends, &days, &run, &streak.Entries, &streak.WrittenToday)
	if errors.Is(err, pgx.ErrNoRows) {
		return streak, nil
	}
	if continues(newest, ends, run, today) {
		streak.Streak = days
	}
	return streak, err
}

// The constants of pulse_chain.
const (
	maxSkipped  = 12 * time.Hour // a date of which a travelling member had less than this does not count as missed
	daysPerRest = 6              // after this many days in a row, one may be missed
)

// continues reports whether next continues the streak up to newest, a date that ends at ends. run is the number of adjacent
// days up to newest.
func continues(newest, ends time.Time, run int, next day) bool {
	days := int(next.date.Sub(newest) / (24 * time.Hour))
	return days <= 1 || days == 2 && (run >= daysPerRest || next.starts.Sub(ends) < maxSkipped)
}
