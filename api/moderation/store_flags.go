package moderation

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/messaging/guard"
	"heartward/api/messaging/messages"
	"heartward/api/platform/fault"
	"heartward/api/platform/feature"
	"heartward/api/platform/pg"
)

// flagColumns need the alias f.
const flagColumns = `
			f.message_id,
			f.category,
			f.score,
			f.source,
			f.answer,
			f.answered_at,
			f.content,
			f.created_at,
			f.sender_id,
			f.receiver_id,
			f.rank,
			(
				SELECT count(*)
				FROM message_flags e
				WHERE e.sender_id = f.sender_id
					AND e.message_id <> f.message_id
					AND e.created_at > now() - interval '90 days'
			)`

// targets returns the destinations of flagColumns.
func (f *QueuedFlag) targets() []any {
	return []any{
		&f.ID, &f.Category, &f.Score, &f.Source, &f.Answer, &f.AnsweredAt, &f.content, &f.CreatedAt,
		&f.senderID, &f.receiverID, &f.rank, &f.OtherFlags,
	}
}

// openToAdmin is an SQL condition: flag f is open, and neither @admin nor a match of @admin for whom another admin can
// decide (withheld_from) has written or received the message.
const openToAdmin = `f.open AND f.sender_id IS DISTINCT FROM @admin AND f.receiver_id IS DISTINCT FROM @admin
			AND NOT ARRAY[f.sender_id, f.receiver_id] && ARRAY(SELECT withheld_from(@admin))`

func selectFlags(ctx context.Context, db pg.DB, admin uuid.UUID, after flagCursor, limit int) ([]QueuedFlag, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+flagColumns+`
		FROM message_flags f
		WHERE `+openToAdmin+`
			AND (f.rank, f.created_at, f.message_id) > (@rank, @at, @id)
		ORDER BY f.rank, f.created_at, f.message_id
		LIMIT @limit`, pgx.NamedArgs{"admin": admin, "rank": after.Rank, "at": after.At, "id": after.ID, "limit": limit})
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (f QueuedFlag, err error) {
		err = row.Scan(f.targets()...)
		return f, err
	})
}

// selectOpenFlag returns a flag without cards, or NotFound like OpenFlag.
func selectOpenFlag(ctx context.Context, tx pgx.Tx, admin, id uuid.UUID) (f QueuedFlag, err error) {
	err = tx.QueryRow(ctx, `
		SELECT `+flagColumns+`
		FROM message_flags f
		WHERE f.message_id = @id
			AND `+openToAdmin, pgx.NamedArgs{"admin": admin, "id": id}).Scan(f.targets()...)
	if errors.Is(err, pgx.ErrNoRows) {
		return f, fault.New(fault.NotFound, "We could not find that.")
	}
	return f, err
}

// selectContext returns the flagged message and up to aroundFlag messages before and after
// it, ordered by seq. A deleted message has no content.
func selectContext(ctx context.Context, db pg.DB, flag uuid.UUID) ([]MessageCopy, error) {
	var at messages.Position
	err := db.QueryRow(ctx, `SELECT conversation_id, seq FROM message_flags WHERE message_id = $1`, flag).Scan(&at.ConversationID, &at.Seq)
	if err != nil {
		return nil, err
	}
	lists, err := messages.ExcerptsAround(ctx, db, []messages.Position{at}, aroundFlag)
	if err != nil {
		return nil, err
	}
	return copyMessages(lists[0]), nil
}

// flagState has the columns of a flag that DecideFlag needs.
type flagState struct {
	sender, receiver, reviewer *uuid.UUID
	category, answer, decision *string
	source, content            string
}

// ground returns the rule that the message breaks, by the category of the flag.
func (f flagState) ground() Ground {
	if f.category == nil {
		return groundsOfFlags[""]
	}
	return groundsOfFlags[*f.category]
}

func selectFlag(ctx context.Context, tx pgx.Tx, id uuid.UUID) (f flagState, err error) {
	err = tx.QueryRow(ctx, `
		SELECT sender_id, receiver_id, reviewed_by, category, answer, decision, source, content
		FROM message_flags
		WHERE message_id = $1
			AND (open OR decision IS NOT NULL)`, id).
		Scan(&f.sender, &f.receiver, &f.reviewer, &f.category, &f.answer, &f.decision, &f.source, &f.content)
	if errors.Is(err, pgx.ErrNoRows) {
		return f, fault.New(fault.NotFound, "We could not find that.")
	}
	return f, err
}

// closeFlag closes a flag, and stores the score of the filter. It returns Conflict if the
// flag is already closed.
func closeFlag(ctx context.Context, tx pgx.Tx, id, admin uuid.UUID, decision string, f flagState) error {
	var score *float64
	if f.source == "filter" {
		score = new(guard.Classify(f.content).Score)
	}
	tag, err := tx.Exec(ctx, `
		UPDATE message_flags
		SET
			reviewed_by = $2,
			reviewed_at = now(),
			decision = $3,
			score = coalesce(score, $4)
		WHERE message_id = $1
			AND open`, id, admin, decision, score)
	if err == nil && tag.RowsAffected() == 0 {
		return fault.New(fault.Conflict, "This has been decided already.")
	}
	return err
}

// suspend suspends the member until a time, or without an end if it is nil, revokes their
// sessions and returns the ids of these. It returns Forbidden for an admin.
func suspend(ctx context.Context, tx pgx.Tx, member uuid.UUID, until *time.Time) (ended []uuid.UUID, err error) {
	suspended, err := members.Suspend(ctx, tx, member, until)
	if err == nil && !suspended {
		return nil, fault.New(fault.Forbidden, "The account of an admin or a moderator cannot be suspended here.")
	}
	if err != nil {
		return nil, err
	}
	return auth.RevokeAllTx(ctx, tx, member)
}

var flagEnd = feature.After(90*feature.Day, "coalesce(reviewed_at, answered_at)", "the decision")

// DeleteOldFlaggedContent deletes the texts and files of at most limit flags, and returns
// the number of flags. It selects flags that admins decided, or recipients answered with
// "fine", more than 90 days ago. A flag may have files without a text.
func DeleteOldFlaggedContent(ctx context.Context, db pg.DB, limit int) (int, error) {
	expired := `NOT f.open
					AND ` + flagEnd.Due()
	tag, err := db.Exec(ctx, `
		WITH due AS (
			SELECT message_id
			FROM message_flags
			WHERE NOT open
				AND message_id = ANY (ARRAY(
					SELECT f.message_id
					FROM message_flags f
					WHERE `+expired+`
						AND f.content <> ''
					LIMIT $1
				) || ARRAY(
					SELECT f.message_id
					FROM evidence_files e
					JOIN message_flags f ON f.message_id = e.subject_id
					WHERE `+expired+`
					LIMIT $1
				))
			LIMIT $1
			FOR UPDATE SKIP LOCKED
		), files AS (
			DELETE FROM evidence_files e
			USING due
			WHERE e.subject_id = due.message_id
		)
		UPDATE message_flags f
		SET content = ''
		FROM due
		WHERE f.message_id = due.message_id`, limit)
	return int(tag.RowsAffected()), err
}
