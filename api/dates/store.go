package dates

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/messaging/conversations"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// row is a date from one member's side, without the other member's card.
type row struct {
	Date
	Peer         uuid.UUID
	Met          *Met // nil without feedback, as the next ones
	FeltSafe     *bool
	FeedbackNote *string
	AnsweredAt   *time.Time
	sortAt       time.Time // unrounded, for the cursor
}

// shareEnd is the end of a link s to a date d.
const shareEnd = `least(s.expires_at, d.at + interval '24 hours')`

// feedbackDelay is the time after a date at which its members are asked for feedback. A
// member who answered "not yet" is asked again after three days.
const feedbackDelay = `interval '3 hours'`

// selectDateSQL selects dates for member $1, up to the conditions: those of open conversations, without requests, whose
// other member o is active.
const selectDateSQL = `
SELECT
	d.id,
	d.conversation_id,
	o.id AS peer,
	d.place,
	d.note,
	d.at,
	d.time_zone,
	d.status,
	d.revision,
	d.proposed_by,
	d.changed_by,
	d.message_seq,
	d.created_at,
	d.updated_at,
	(
		SELECT max(` + shareEnd + `)
		FROM date_shares s
		WHERE s.date_id = d.id
			AND s.user_id = $1
			AND ` + shareEnd + ` > now()
	) AS shared_until,
	f.met,
	f.felt_safe,
	f.note AS feedback_note,
	f.answered_at,
	d.status = 'accepted'
		AND d.at + ` + feedbackDelay + ` <= now()
		AND d.at > now() - interval '30 days'
		AND (f.met IS NULL OR f.met = 'not_yet' AND f.answered_at < now() - interval '3 days') AS feedback_due
FROM conversations c
JOIN profiles o
	ON o.id = CASE c.user_a WHEN $1 THEN c.user_b ELSE c.user_a END
	AND o.profile_status = 'active'
	AND $1 IN (c.user_a, c.user_b)
	AND c.closed_at IS NULL
	AND c.requested_by IS NULL
JOIN dates d ON d.conversation_id = c.id
LEFT JOIN date_feedback f
	ON f.date_id = d.id
	AND f.user_id = $1
WHERE `

func scanRow(from pgx.CollectableRow) (row, error) {
	r, err := pgx.RowToStructByName[row](from)
	if err != nil {
		return r, err
	}
	r.sortAt = r.At
	r.At, r.CreatedAt, r.UpdatedAt = web.Time(r.At), web.Time(r.CreatedAt), web.Time(r.UpdatedAt)
	if r.SharedUntil != nil {
		until := web.Time(*r.SharedUntil)
		r.SharedUntil = &until
	}
	if r.Met != nil {
		r.Feedback = &Feedback{Met: *r.Met, FeltSafe: r.FeltSafe, Note: *r.FeedbackNote, AnsweredAt: web.Time(*r.AnsweredAt)}
	}
	return r, nil
}

func selectDate(ctx context.Context, db pg.DB, member, id uuid.UUID) (row, error) {
	rows, err := db.Query(ctx, selectDateSQL+`d.id = $2`, member, id)
	if err != nil {
		return row{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scanRow)
}

// selectByClientID returns the date that a member proposed with a client id, or
// pgx.ErrNoRows.
func selectByClientID(ctx context.Context, db pg.DB, member, clientID uuid.UUID) (row, error) {
	rows, err := db.Query(ctx, selectDateSQL+`d.created_by = $1 AND d.client_id = $2`, member, clientID)
	if err != nil {
		return row{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scanRow)
}

const upcoming = `(d.status IN ('proposed', 'accepted') AND d.at > now() - ` + feedbackDelay + `)`

// pageSQL selects a page of $4 dates of member $1 after the time $2 and id $3.
func pageSQL(period Period) string {
	condition := `NOT ` + upcoming + ` AND (d.at, d.id) < ($2, $3) ORDER BY d.at DESC, d.id DESC`
	if period == Upcoming {
		condition = upcoming + ` AND (d.at, d.id) > ($2, $3) ORDER BY d.at, d.id`
	}
	return selectDateSQL + condition + ` LIMIT $4`
}

func selectDates(ctx context.Context, db pg.DB, member uuid.UUID, period Period, after web.Cursor, limit int) ([]row, error) {
	rows, err := db.Query(ctx, pageSQL(period), member, after.At, after.ID, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanRow)
}

// lockDate locks the conversation of one of the member's dates, and returns the date. Every
// change of a date takes this lock first, and closing a conversation updates the same row, so
// that they are serialized.
func lockDate(ctx context.Context, tx pgx.Tx, member, id uuid.UUID) (row, error) {
	var conversation uuid.UUID
	if err := tx.QueryRow(ctx, `SELECT conversation_id FROM dates WHERE id = $1`, id).Scan(&conversation); err != nil {
		return row{}, err
	}
	if _, err := conversations.LockOpen(ctx, tx, member, conversation); err != nil {
		return row{}, err
	}
	return selectDate(ctx, tx, member, id)
}

func countOpen(ctx context.Context, tx pgx.Tx, conversation uuid.UUID) (n int, err error) {
	err = tx.QueryRow(ctx, `
		SELECT count(*)
		FROM dates
		WHERE conversation_id = $1
			AND status IN ('proposed', 'accepted')
			AND at > now()`, conversation).Scan(&n)
	return n, err
}

// insert stores the date of a proposal.
func (p proposal) insert(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO dates (
			id,
			conversation_id,
			client_id,
			place,
			note,
			at,
			time_zone,
			created_by,
			proposed_by,
			changed_by,
			message_seq
		) VALUES (
			@id,
			@conversation,
			@client_id,
			@place,
			@note,
			@at,
			@time_zone,
			@member,
			@member,
			@member,
			@message_seq
		)`, pgx.NamedArgs{
		"id": p.id, "conversation": p.conversation, "client_id": p.clientID, "place": p.plan.Place, "note": p.plan.Note, "at": p.plan.At,
		"time_zone": p.plan.TimeZone, "member": p.actor.ID, "message_seq": p.message.Seq,
	})
	return err
}

// updatePlan stores a new plan, as a proposal by the member.
func updatePlan(ctx context.Context, tx pgx.Tx, member, id uuid.UUID, in Plan, seq int64) error {
	_, err := tx.Exec(ctx, `
		UPDATE dates
		SET
			place = $3,
			note = $4,
			at = $5,
			time_zone = $6,
			status = 'proposed',
			proposed_by = $1,
			proposed_at = now(),
			changed_by = $1,
			accepted_at = NULL,
			message_seq = $7,
			revision = revision + 1,
			updated_at = now()
		WHERE id = $2`, member, id, in.Place, in.Note, in.At, in.TimeZone, seq)
	return err
}

func updateStatus(ctx context.Context, tx pgx.Tx, member, id uuid.UUID, status Status, seq int64) error {
	_, err := tx.Exec(ctx, `
		UPDATE dates
		SET
			status = $3,
			changed_by = $1,
			accepted_at = CASE WHEN $3 = 'accepted' THEN now() END,
			message_seq = $4,
			revision = revision + 1,
			updated_at = now()
		WHERE id = $2`, member, id, status, seq)
	return err
}
