package profilereview

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// review is a locked submission.
type review struct {
	ID        uuid.UUID
	Member    uuid.UUID
	Subject   string
	Status    string
	Reason    string
	OpenedBy  *uuid.UUID // the moderator who opened it last, within the last hour
	OpenedAt  *time.Time // nil before a moderator opened it
	DecidedBy *uuid.UUID // nil while it waits, and when no moderator decided
}

func notFound() error { return fault.New(fault.NotFound, "We could not find that.") }

// lock locks the member of a submission, as a change of the photos does, and then returns the
// submission. It returns NotFound for an unknown one.
func lock(ctx context.Context, tx pgx.Tx, id uuid.UUID) (review, error) {
	var member uuid.UUID
	err := tx.QueryRow(ctx, `SELECT user_id FROM profile_reviews WHERE id = $1`, id).Scan(&member)
	if errors.Is(err, pgx.ErrNoRows) {
		return review{}, notFound()
	}
	if err != nil {
		return review{}, err
	}
	if err := members.Lock(ctx, tx, member); err != nil {
		return review{}, err
	}
	r, err := lockOf(ctx, tx, member)
	if err == nil && r.ID != id { // submitted again since
		return r, notFound()
	}
	return r, err
}

// lockOf locks the submission of a member, whose row is locked. It returns a zero review if
// there is none.
func lockOf(ctx context.Context, tx pgx.Tx, member uuid.UUID) (review, error) {
	rows, _ := tx.Query(ctx, `
		SELECT
			id,
			user_id AS member,
			subject,
			status,
			reason,
			CASE WHEN opened_at > now() - interval '1 hour' THEN opened_by END AS opened_by,
			opened_at,
			decided_by
		FROM profile_reviews
		WHERE user_id = $1
		FOR UPDATE`, member)
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[review])
	if errors.Is(err, pgx.ErrNoRows) {
		return review{}, nil
	}
	return r, err
}

func storeDecision(ctx context.Context, tx pgx.Tx, r review, moderator uuid.UUID, status, reason string) error {
	_, err := tx.Exec(ctx, `
		UPDATE profile_reviews
		SET
			status = $2,
			decided_at = now(),
			decided_by = nullif($3, $5::uuid),
			reason = $4
		WHERE user_id = $1`, r.Member, status, moderator, reason, uuid.Nil)
	return err
}

func resubmit(ctx context.Context, tx pgx.Tx, member uuid.UUID) error {
	_, err := tx.Exec(ctx, `SELECT request_profile_review($1)`, member)
	return err
}

func selectStatus(ctx context.Context, db pg.DB, member uuid.UUID) (ReviewStatus, error) {
	s := ReviewStatus{Status: "none"}
	err := db.QueryRow(ctx, `
		SELECT status, subject, reason, submitted_at
		FROM profile_reviews
		WHERE user_id = $1
			AND status <> 'accepted'`, member).Scan(&s.Status, &s.Subject, &s.Reason, &s.SubmittedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, nil
	}
	if s.SubmittedAt != nil {
		s.SubmittedAt = new(web.Time(*s.SubmittedAt))
	}
	return s, pg.Fault(err)
}

func selectQueue(ctx context.Context, db pg.DB, moderator uuid.UUID, after web.Cursor, limit int) ([]QueuedProfile, error) {
	rows, _ := db.Query(ctx, `
		SELECT id, subject, user_id, submitted_at, coalesce(opened_by = $3 AND opened_at > now() - interval '1 hour', false)
		FROM profile_reviews
		WHERE status = 'pending'
			AND (submitted_at, id) > ($1, $2)
			AND user_id <> $3
		ORDER BY submitted_at, id
		LIMIT $4`, after.At, after.ID, moderator, limit)
	return pgx.CollectRows(rows, scanQueued)
}

func scanQueued(row pgx.CollectableRow) (q QueuedProfile, err error) {
	err = row.Scan(&q.ID, &q.Subject, &q.User.ID, &q.SubmittedAt, &q.Opened)
	return q, err
}

// markOpened stores that the moderator opened a submission that waits. It returns NotFound like
// Open.
func markOpened(ctx context.Context, tx pgx.Tx, moderator, id uuid.UUID) (QueuedProfile, error) {
	rows, _ := tx.Query(ctx, `
		UPDATE profile_reviews
		SET
			opened_by = $2,
			opened_at = clock_timestamp()
		WHERE id = $1
			AND status = 'pending'
			AND user_id <> $2
		RETURNING id, subject, user_id, submitted_at, true`, id, moderator)
	q, err := pgx.CollectExactlyOneRow(rows, scanQueued)
	if errors.Is(err, pgx.ErrNoRows) {
		return q, notFound()
	}
	return q, err
}

// complete adds the members' names, ages and towns, and the times as they are written in
// responses.
func complete(ctx context.Context, db pg.DB, rows []QueuedProfile) error {
	ids := make([]uuid.UUID, len(rows))
	for i, q := range rows {
		ids[i] = q.User.ID
	}
	cards, err := members.QueueCards(ctx, db, ids)
	for i, id := range ids {
		if card, ok := cards[id]; ok {
			rows[i].User = card
		}
		rows[i].SubmittedAt = web.Time(rows[i].SubmittedAt)
	}
	return err
}

func selectPending(ctx context.Context, db pg.DB, limit int) ([]uuid.UUID, error) {
	rows, _ := db.Query(ctx, `
		SELECT id
		FROM profile_reviews
		WHERE status = 'pending'
		ORDER BY submitted_at, id
		LIMIT $1`, limit)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}
