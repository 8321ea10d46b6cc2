package dates

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
)

// remindBefore is how long before an agreed date its members are reminded.
const remindBefore = 3 * time.Hour

// ReminderArgs asks to remind one member of a date, should it still be as it
// was agreed at Revision.
type ReminderArgs struct {
	DateID   uuid.UUID `json:"dateId" river:"unique"`
	Revision int       `json:"revision" river:"unique"`
}

// Kind names the job in the queue.
func (ReminderArgs) Kind() string { return "remind_date" }

// InsertOpts let a date be reminded of once as it was agreed.
func (ReminderArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// remindLater asks for a reminder of a date that is being agreed. One that is
// too near for it needs none.
func (s *Service) remindLater(ctx context.Context, tx pgx.Tx, d Date) error {
	at := d.At.Add(-remindBefore)
	if !at.After(time.Now()) {
		return nil
	}
	args := ReminderArgs{DateID: d.ID, Revision: d.Revision + 1}
	_, err := s.jobs.InsertTx(ctx, tx, args, &river.InsertOpts{ScheduledAt: at})
	return err
}
