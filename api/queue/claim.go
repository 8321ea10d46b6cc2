package queue

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// claimTime is the lifetime of a claim. Opening the entry again renews it.
const claimTime = 10 * time.Minute

// Open claims an entry for a moderator for ten minutes from now. The features call it in the transaction that records
// that the entry was opened. It returns Conflict with the code claimed, naming the moderator, while another one has the
// entry open.
func Open(ctx context.Context, tx pgx.Tx, moderator uuid.UUID, kind Kind, id uuid.UUID) error {
	tag, err := tx.Exec(ctx, `
		INSERT INTO queue_claims AS c (kind, entry_id, moderator_id, expires_at)
		VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 second')
		ON CONFLICT (kind, entry_id) DO UPDATE
		SET
			moderator_id = excluded.moderator_id,
			expires_at = excluded.expires_at
		WHERE c.moderator_id = excluded.moderator_id
			OR c.expires_at <= clock_timestamp()`, kind, id, moderator, claimTime.Seconds())
	if err != nil || tag.RowsAffected() > 0 {
		return pg.Fault(err)
	}
	var holder uuid.UUID
	var seconds float64
	err = tx.QueryRow(ctx, `
		SELECT moderator_id, extract(epoch FROM expires_at - clock_timestamp())
		FROM queue_claims
		WHERE kind = $1
			AND entry_id = $2`, kind, id).Scan(&holder, &seconds)
	if err != nil {
		return pg.Fault(err)
	}
	name, err := nameOf(ctx, tx, holder)
	if err != nil {
		return err
	}
	return claimRefusal(name, time.Duration(seconds*float64(time.Second)))
}

// Close removes the claim on an entry that was decided. The features call it in the transaction of the decision.
func Close(ctx context.Context, tx pgx.Tx, kind Kind, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `DELETE FROM queue_claims WHERE kind = $1 AND entry_id = $2`, kind, id)
	return pg.Fault(err)
}

type decided struct {
	Name     string   `json:"name"`
	Decision Decision `json:"decision"`
}

var errDecided = fault.DeclareWith[decided]("decided", fault.Conflict, "{name} has decided this already: {decision}.")

// ErrDecided returns the error for an entry that was decided differently: Conflict with the code decided, which names the
// moderator, if the account exists, and the decision.
func ErrDecided(ctx context.Context, db pg.DB, by *uuid.UUID, decision Decision) error {
	name := "Somebody"
	if by != nil {
		var err error
		if name, err = nameOf(ctx, db, *by); err != nil {
			return err
		}
	}
	return errDecided.With(decided{name, decision})
}

// Decidable is what every kind of entry has for CheckDecidable.
type Decidable struct {
	Member    uuid.UUID // whom it is about
	Status    string
	DecidedBy *uuid.UUID // nil while it waits, and when no moderator decided
}

// CheckDecidable returns that of ErrDecided for an entry that does not wait any more, and Forbidden with the sentence own
// for one that is about the moderator.
func CheckDecidable(ctx context.Context, db pg.DB, moderator uuid.UUID, e Decidable, own string) error {
	switch {
	case e.Status != "pending":
		return ErrDecided(ctx, db, e.DecidedBy, Decision(e.Status))
	case e.Member == moderator:
		return fault.New(fault.Forbidden, own)
	}
	return nil
}

// nameOf returns the first name of a moderator, or "Somebody" if the account was deleted.
func nameOf(ctx context.Context, db pg.DB, moderator uuid.UUID) (string, error) {
	cards, err := members.QueueCards(ctx, db, []uuid.UUID{moderator})
	if err != nil {
		return "", pg.Fault(err)
	}
	card, ok := cards[moderator]
	if !ok {
		return "Somebody", nil
	}
	return card.FirstName, nil
}

type claimed struct {
	Name    string `json:"name"`
	Minutes int    `json:"minutes"` // until the claim ends, rounded up
}

var errClaimed = fault.DeclareWith[claimed]("claimed", fault.Conflict,
	"{name} has this open. You can open it when they leave it, or in {minutes} minutes at the latest.")

// claimRefusal returns the error for an entry that the moderator called name has open for the remaining time.
func claimRefusal(name string, remaining time.Duration) error {
	minutes := max(1, int((remaining+time.Minute-1)/time.Minute))
	e := errClaimed.With(claimed{name, minutes})
	if minutes == 1 {
		return e.Saying("{name} has this open. You can open it when they leave it, or in a minute at the latest.")
	}
	return e
}
