package pulse

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

var savesPerMember = limits.Rule{Name: "pulses", Count: 60, Per: time.Hour,
	Message: "You have changed your pulse many times. Please try again a little later."}

// DailyEntry is a member's Love Pulse of a day.
type DailyEntry struct {
	ID         uuid.UUID `json:"id"`
	UserID     uuid.UUID `json:"userId"`
	Date       string    `json:"date" format:"date" doc:"The day in the member's time zone"`
	Question   Question  `json:"question"`
	Response   string    `json:"response" db:"-" doc:"{emoji} {mood label}: {reflection}"`
	Mood       Mood      `json:"mood"`
	Reflection string    `json:"reflection" maxLength:"1000"`
	ClientID   uuid.UUID `json:"clientId" doc:"Of the last edit"`
	EditedAt   time.Time `json:"editedAt"`
}

// Edit is what a member saves for a day.
type Edit struct {
	Date     string
	Question string
	Response string
	ClientID uuid.UUID     // Nil for a new one
	TimeZone string        // where the member wrote; empty for that of the settings
	Age      time.Duration // since the member wrote, for an edit that waited on the device
}

// day is a date with its bounds in a time zone.
type day struct {
	date         time.Time // midnight UTC
	starts, ends time.Time
}

// dayOf returns the date in zone.
func dayOf(date time.Time, zone *time.Location) day {
	y, m, d := date.Date()
	return day{date: time.Date(y, m, d, 0, 0, 0, 0, time.UTC), starts: time.Date(y, m, d, 0, 0, 0, 0, zone), ends: time.Date(y, m, d+1, 0, 0, 0, 0, zone)}
}

// Save stores the member's entry of a day and returns what is stored afterwards. The date is the one on which the member
// wrote, in the time zone of the edit, or the day before, because the form may have been open at midnight. Of several edits of
// a day, the one that was written last is kept: if a newer one is stored, Save returns that one. Repeating it changes nothing.
//
// It returns NotFound if member is not actor; Invalid for another date, another question than that of
// the date, a response without a mood or reflection, or an unknown time zone; and RateLimited after 60
// edits an hour.
func (s *Service) Save(ctx context.Context, actor, member uuid.UUID, in Edit) (DailyEntry, error) {
	return s.saveAt(ctx, time.Now(), actor, member, in)
}

func (s *Service) saveAt(ctx context.Context, now time.Time, actor, member uuid.UUID, in Edit) (DailyEntry, error) {
	if actor != member {
		return DailyEntry{}, notFound()
	}
	zone, err := s.zone(ctx, actor, in.TimeZone)
	if err != nil {
		return DailyEntry{}, err
	}
	row, err := in.parse(now, zone)
	if err != nil {
		return DailyEntry{}, err
	}
	row.user = member
	entry, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (DailyEntry, error) {
		if err := limits.Allow(ctx, tx, savesPerMember, member.String()); err != nil {
			return DailyEntry{}, err
		}
		if err := upsert(ctx, tx, row); err != nil {
			return DailyEntry{}, err
		}
		return selectDay(ctx, tx, member, row.day.date)
	})
	if err != nil {
		return DailyEntry{}, pg.Fault(err)
	}
	readers, err := selectReaders(ctx, s.pool, member)
	if err != nil {
		return DailyEntry{}, pg.Fault(err)
	}
	s.notifyChanged(ctx, readers...)
	return entry, nil
}

// newEntry is an Edit whose fields are valid.
type newEntry struct {
	id, user, clientID uuid.UUID
	day                day
	question           Question
	mood               Mood
	reflection         string
	editedAt           time.Time
}

// parse returns the entry of an edit that was received at now. It returns Invalid with the field that is wrong.
func (in *Edit) parse(now time.Time, zone *time.Location) (row newEntry, err error) {
	date, err := time.Parse(dateLayout, in.Date)
	if err != nil {
		return row, fault.InvalidField("date", "This is not a date.")
	}
	row.day = dayOf(date, zone)
	row.editedAt = now.Add(-max(in.Age, 0))
	today, written := dayOf(now.In(zone), zone).date, dayOf(row.editedAt.In(zone), zone).date
	if date.After(today) || date.Before(written.AddDate(0, 0, -1)) {
		return row, fault.InvalidField("date", "You can write for today and until midnight for the day before.")
	}
	if row.question = QuestionOf(date); in.Question != string(row.question) {
		return row, fault.InvalidField("question", "That day has another question.")
	}
	var ok bool
	if row.mood, row.reflection, ok = parseResponse(in.Response); !ok {
		return row, fault.InvalidField("response", "Choose how you feel.")
	}
	if row.reflection, err = text.Lines("response", row.reflection, maxReflection); err != nil {
		return row, err
	}
	if row.reflection == "" {
		return row, fault.InvalidField("response", "Write a few words.")
	}
	if row.id, err = uuid.NewV7(); err != nil {
		return row, err
	}
	if row.clientID = in.ClientID; row.clientID == uuid.Nil {
		row.clientID = row.id
	}
	return row, nil
}

// zone returns the time zone with a name, or that of the member's settings for "". It returns Invalid
// for an unknown name.
func (s *Service) zone(ctx context.Context, member uuid.UUID, name string) (*time.Location, error) {
	if name == "" {
		err := s.pool.QueryRow(ctx, `SELECT coalesce((SELECT time_zone FROM member_zones WHERE user_id = $1), 'UTC')`, member).Scan(&name)
		if err != nil {
			return nil, pg.Fault(err)
		}
	}
	zone, err := web.Zone(name)
	if err != nil {
		return nil, fault.InvalidField("timeZone", "We don't know this time zone.")
	}
	return zone, nil
}

func notFound() error { return fault.New(fault.NotFound, "There is no entry for this day.") }

// Day returns the member's entry of a date. It returns NotFound if there is none, or if member is not
// actor.
func (s *Service) Day(ctx context.Context, actor, member uuid.UUID, date string) (DailyEntry, error) {
	at, err := time.Parse(dateLayout, date)
	if err != nil {
		return DailyEntry{}, fault.InvalidField("date", "This is not a date.")
	}
	if actor != member {
		return DailyEntry{}, notFound()
	}
	entry, err := selectDay(ctx, s.pool, member, at)
	if errors.Is(err, pgx.ErrNoRows) {
		return DailyEntry{}, notFound()
	}
	return entry, pg.Fault(err)
}

// DayStreak is the number of days with an entry in a row. A rest day does not end the streak, and is not counted: one missed
// day after six in a row.
type DayStreak struct {
	Streak  int    `json:"streak" doc:"Up to today, which may have no entry yet; one missed day after six in a row does not end it and is not counted"`
	Entries int    `json:"entries" doc:"Of all days"`
	Today   string `json:"today" format:"date" doc:"In the time zone of the call"`

	WrittenToday bool `json:"writtenToday"`
}

// StreakOf returns the length of a member's streak, in days. The location of now decides which day is today.
func StreakOf(ctx context.Context, db pg.DB, member uuid.UUID, now time.Time) (int, error) {
	streak, err := selectStreak(ctx, db, member, dayOf(now, now.Location()))
	return streak.Streak, err
}

// Streak returns the member's streak. Today is that of the time zone, or of the settings for
// "". It returns NotFound if member is not actor, and Invalid for an unknown time zone.
func (s *Service) Streak(ctx context.Context, actor, member uuid.UUID, timeZone string) (DayStreak, error) {
	if actor != member {
		return DayStreak{}, notFound()
	}
	zone, err := s.zone(ctx, actor, timeZone)
	if err != nil {
		return DayStreak{}, err
	}
	today := dayOf(time.Now().In(zone), zone)
	streak, err := selectStreak(ctx, s.pool, member, today)
	return streak, pg.Fault(err)
}

// History returns a page of the member's entries, the newest first. It returns NotFound if member is
// not actor, and Invalid for an invalid cursor.
func (s *Service) History(ctx context.Context, actor, member uuid.UUID, page web.Page) ([]DailyEntry, string, error) {
	if actor != member {
		return nil, "", notFound()
	}
	list := web.List{Name: "love-pulse", Member: actor}
	before := dateCursor{lastDate}
	if err := web.DecodeCursor(list, page.Cursor, &before); err != nil {
		return nil, "", err
	}
	entries, err := selectHistory(ctx, s.pool, member, before.Date, page.Limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	entries, next := web.Paginate(list, entries, page.Limit, func(e DailyEntry) dateCursor { return dateCursor{e.Date} })
	return entries, next, nil
}

// dateCursor is the sort key of lists by date.
type dateCursor struct {
	Date string `json:"d"`
}

// lastDate is later than every entry.
const lastDate = "9999-12-31"

// MoodDay is the mood of a day.
type MoodDay struct {
	Date string `json:"date" format:"date"`
	Mood Mood   `json:"mood"`
}

// Year returns the moods of a year's days with an entry, at most 366, in order. It returns NotFound if
// member is not actor.
func (s *Service) Year(ctx context.Context, actor, member uuid.UUID, year int) ([]MoodDay, error) {
	if actor != member {
		return nil, notFound()
	}
	days, err := selectYear(ctx, s.pool, member, year)
	return days, pg.Fault(err)
}
