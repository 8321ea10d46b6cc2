package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/api/pulse"
)

const (
	// pulseBatch is the number of members in one transaction.
	pulseBatch = 500
	// maxPulseDelay is the age from which a reminder is skipped: after an outage it would come at a time that
	// the member has not chosen.
	maxPulseDelay = 2 * time.Hour
)

// nextPulse returns the time of the next reminder after now, or nil if there is none. zone is that of
// the settings.
func (s Preferences) nextPulse(now time.Time, zone *time.Location) *time.Time {
	if !s.Pulse {
		return nil
	}
	next := nextClock(now, zone, s.PulseTime)
	return &next
}

// nextClock returns the first time after now at which clocks in zone show a time such as "20:00". On a
// day without that time it is an hour off.
func nextClock(now time.Time, zone *time.Location, clock string) time.Time {
	minute := minuteOfDay(clock)
	y, m, d := now.In(zone).Date()
	for {
		if at := time.Date(y, m, d, minute/60, minute%60, 0, 0, zone); at.After(now) {
			return at
		}
		d++
	}
}

// PulseReminder is the event of a day without a Love Pulse at the member's time for it.
type PulseReminder struct {
	Date string `json:"date"` // in the member's time zone
}

func (PulseReminder) eventType() string { return "love_pulse" }

// load returns pgx.ErrNoRows when the day is over or has an entry.
func (e PulseReminder) load(ctx context.Context, db pg.DB, member uuid.UUID, settings Preferences) (Notification, error) {
	zone, err := web.Zone(settings.TimeZone)
	if err != nil {
		return Notification{}, pgx.ErrNoRows // the zone is no longer in the list
	}
	now := time.Now().In(zone)
	if now.Format(time.DateOnly) != e.Date {
		return Notification{}, pgx.ErrNoRows
	}
	var isWritten bool
	if err := db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pulse_days WHERE user_id = $1 AND date = $2)`, member, e.Date).Scan(&isWritten); err != nil {
		return Notification{}, err
	}
	if isWritten {
		return Notification{}, pgx.ErrNoRows
	}
	y, m, d := now.Date()
	return Notification{
		Category: Pulse, Title: "Your Love Pulse", Body: string(pulse.QuestionOf(now)),
		Path: "/love-pulse", Tag: "love-pulse", Expires: time.Date(y, m, d+1, 0, 0, 0, 0, zone),
	}, nil
}

// RemindPulses enqueues a push for each device of the members whose reminder is due and whose day has
// no entry, and sets the times of their next reminders in the same transaction. So each member gets one
// reminder a day, however many workers run it and wherever one stops.
func (s *Service) RemindPulses(ctx context.Context, jobs jobqueue.Inserter) error {
	for {
		count, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (int, error) { return remindBatch(ctx, tx, jobs, time.Now()) })
		if err != nil || count < pulseBatch {
			return err
		}
	}
}

// duePulse is a member whose reminder is due.
type duePulse struct {
	member    uuid.UUID
	at, next  time.Time
	date      time.Time // today in the member's time zone
	isSkipped bool
}

// remindBatch returns the number of members whose reminders were due.
func remindBatch(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, now time.Time) (int, error) {
	due, err := selectDuePulses(ctx, tx, now)
	if err != nil || len(due) == 0 {
		return 0, err
	}
	devices, err := pulseDevices(ctx, tx, due)
	if err != nil {
		return 0, err
	}
	var pushes []river.InsertManyParams
	for _, d := range devices {
		args, err := NewPush(d.id, d.member, PulseReminder{Date: d.date.Format(time.DateOnly)})
		if err != nil {
			return 0, err
		}
		pushes = append(pushes, river.InsertManyParams{Args: args})
	}
	if len(pushes) > 0 {
		if _, err := jobs.InsertManyTx(ctx, tx, pushes); err != nil {
			return 0, err
		}
	}
	return len(due), advancePulses(ctx, tx, due)
}

// duePulsesSQL takes the time and the limit. Members whom another worker has locked are left to it.
const duePulsesSQL = `
	SELECT
		user_id,
		preferences,
		pulse_next_at,
		pulse_reminded_on
	FROM notification_settings
	WHERE pulse_next_at <= $1
	ORDER BY pulse_next_at
	LIMIT $2
	FOR UPDATE SKIP LOCKED`

func selectDuePulses(ctx context.Context, tx pgx.Tx, now time.Time) ([]duePulse, error) {
	rows, _ := tx.Query(ctx, duePulsesSQL, now, pulseBatch)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (duePulse, error) {
		var d duePulse
		var document []byte
		var remindedOn *time.Time
		if err := row.Scan(&d.member, &document, &d.at, &remindedOn); err != nil {
			return d, err
		}
		settings, err := decodePreferences(document)
		if err != nil {
			return d, err
		}
		return d.schedule(now, settings, remindedOn), nil
	})
}

// schedule returns d with its date and the next time, and with whether this reminder is skipped: because it is late, or
// because the member was reminded on the date before.
func (d duePulse) schedule(now time.Time, settings Preferences, remindedOn *time.Time) duePulse {
	zone, err := web.Zone(settings.TimeZone)
	if err != nil {
		zone = time.UTC // the zone is no longer in the list
	}
	y, m, day := now.In(zone).Date()
	d.date = time.Date(y, m, day, 0, 0, 0, 0, time.UTC)
	d.next = nextClock(now, zone, settings.PulseTime)
	d.isSkipped = now.Sub(d.at) > maxPulseDelay || remindedOn != nil && !remindedOn.Before(d.date)
	return d
}

type pulseDevice struct {
	id, member uuid.UUID
	date       time.Time
}

// pulseDevices returns the devices of those members who are to be reminded: active ones without an
// entry on their date.
func pulseDevices(ctx context.Context, tx pgx.Tx, due []duePulse) ([]pulseDevice, error) {
	var ids []uuid.UUID
	var dates []time.Time
	for _, d := range due {
		if !d.isSkipped {
			ids, dates = append(ids, d.member), append(dates, d.date)
		}
	}
	rows, _ := tx.Query(ctx, `
		SELECT
			s.id,
			s.user_id,
			d.date
		FROM unnest($2::uuid[], $3::date[]) AS d (user_id, date)
		JOIN profiles u ON u.id = d.user_id AND u.profile_status = 'active'
		JOIN push_subscriptions s ON s.user_id = d.user_id
		WHERE `+hasCategory+`
			AND NOT `+ofEndedAdmin+`
			AND NOT EXISTS (SELECT FROM pulse_days p WHERE p.user_id = d.user_id AND p.date = d.date)`, string(Pulse), ids, dates)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (d pulseDevice, err error) {
		err = row.Scan(&d.id, &d.member, &d.date)
		return d, err
	})
}

// advancePulses sets the times of the next reminders, and the date of each that was not skipped.
func advancePulses(ctx context.Context, tx pgx.Tx, due []duePulse) error {
	ids, nexts, reminded := make([]uuid.UUID, len(due)), make([]time.Time, len(due)), make([]*time.Time, len(due))
	for i, d := range due {
		ids[i], nexts[i] = d.member, d.next
		if !d.isSkipped {
			reminded[i] = &d.date
		}
	}
	_, err := tx.Exec(ctx, `
		UPDATE notification_settings n
		SET
			pulse_next_at = d.next,
			pulse_reminded_on = coalesce(d.reminded, n.pulse_reminded_on)
		FROM unnest($1::uuid[], $2::timestamptz[], $3::date[]) AS d (user_id, next, reminded)
		WHERE n.user_id = d.user_id`, ids, nexts, reminded)
	return err
}
