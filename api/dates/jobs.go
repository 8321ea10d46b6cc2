package dates

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/platform/pg"
)

// remindBefore is how long before an accepted date its reminder is sent. Package activity has the same time.
const remindBefore = 3 * time.Hour

// ReminderArgs are the arguments of the job that reminds both members of a date. The job
// does nothing if the date has changed since Revision.
type ReminderArgs struct {
	DateID   uuid.UUID `json:"dateId" river:"unique"`
	Revision int       `json:"revision" river:"unique"`
}

// Kind returns the name of the job in River.
func (ReminderArgs) Kind() string { return "remind_date" }

// InsertOpts allow one job per date and revision.
func (ReminderArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// enqueueReminder enqueues the reminder of a date that is being accepted, unless the time for the
// reminder has passed. d is the date before the acceptance.
func (s *Service) enqueueReminder(ctx context.Context, tx pgx.Tx, d Date) error {
	at := d.At.Add(-remindBefore)
	if !at.After(time.Now()) {
		return nil
	}
	args := ReminderArgs{DateID: d.ID, Revision: d.Revision + 1} // the revision after the acceptance
	_, err := s.jobs.InsertTx(ctx, tx, args, &river.InsertOpts{ScheduledAt: at})
	return err
}

// Reminder is the content of a member's reminder.
type Reminder struct {
	Member       uuid.UUID
	With         string // the other member's first name
	Conversation uuid.UUID
	Plan
}

// Reminders returns a reminder for each of the two members, or none when the date
// has changed since args.Revision or has passed, or its conversation is closed.
func Reminders(ctx context.Context, db pg.DB, args ReminderArgs) ([]Reminder, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			u.id AS member,
			o.first_name AS "with",
			c.conversation_id AS conversation,
			d.place,
			d.note,
			d.at,
			d.time_zone
		FROM dates d
		JOIN conversation_sides c
			ON c.conversation_id = d.conversation_id
			AND c.closed_at IS NULL
		JOIN profiles u
			ON u.id = c.member_id
			AND u.profile_status = 'active'
		JOIN profiles o
			ON o.id = c.peer_id
			AND o.profile_status = 'active'
		WHERE d.id = $1
			AND d.revision = $2
			AND d.status = 'accepted'
			AND d.at > now()`, args.DateID, args.Revision)
	return pgx.CollectRows(rows, pgx.RowToStructByName[Reminder])
}
