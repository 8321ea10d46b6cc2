package queue

import (
	"context"
	"fmt"
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
	return errClaimed(name, time.Duration(seconds*float64(time.Second)))
}

// minutes returns a duration in words: in whole minutes, rounded up, and at least one.
func minutes(d time.Duration) string {
	if n := int((d + time.Minute - 1) / time.Minute); n > 1 {
		return fmt.Sprintf("%d minutes", n)
	}
	return "a minute"
}

// Close removes the claim on an entry that was decided. The features call it in the transaction of the decision.
func Close(ctx context.Context, tx pgx.Tx, kind Kind, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `DELETE FROM queue_claims WHERE kind = $1 AND entry_id = $2`, kind, id)
	return pg.Fault(err)
}

// ErrDecided returns the error for an entry that was decided differently: Conflict with the code decided, which names the
// moderator, if the account exists, and the decision.
func ErrDecided(ctx context.Context, db pg.DB, by *uuid.UUID, decision string) error {
	name := "Somebody"
	if by != nil {
		var err error
		if name, err = nameOf(ctx, db, *by); err != nil {
			return err
		}
	}
	return fault.New(fault.Conflict, fmt.Sprintf("%s has decided this already: %s.", name, decision)).WithCode("decided")
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

// errClaimed is the error for an entry that the moderator called name has open for the remaining time.
func errClaimed(name string, remaining time.Duration) error {
	return fault.New(fault.Conflict, name+" has this open. You can open it when they leave it, or in "+minutes(remaining)+" at the latest.").WithCode("claimed")
}
