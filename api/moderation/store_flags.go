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
	"heartward/api/queue"
)

// flagColumns are the columns of a flagRow.
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
			) AS other_flags`

// flagRow is a row of message_flags f.
type flagRow struct {
	MessageID  uuid.UUID
	Category   *string
	Score      *float64
	Source     string
	Answer     *string
	AnsweredAt *time.Time
	Content    string
	CreatedAt  time.Time
	SenderID   *uuid.UUID
	ReceiverID *uuid.UUID
	Rank       int16
	OtherFlags int
}

// flag returns the flag without cards.
func (r flagRow) flag() QueuedFlag {
	return QueuedFlag{
		ID: r.MessageID, Category: r.Category, Score: r.Score, Source: r.Source, Answer: r.Answer, AnsweredAt: r.AnsweredAt,
		CreatedAt: r.CreatedAt, OtherFlags: r.OtherFlags,
		senderID: r.SenderID, receiverID: r.ReceiverID, rank: r.Rank, content: r.Content,
	}
}

// mayDecideFlag is an SQL condition: flag f is open, and @admin may decide on it.
const mayDecideFlag = `f.open
			AND ` + isNoPartyOfFlag

// isNoPartyOfFlag is an SQL condition: neither @admin nor, while another admin can decide, a match of @admin has written
// or received the message of flag f.
const isNoPartyOfFlag = `f.sender_id IS DISTINCT FROM @admin
			AND f.receiver_id IS DISTINCT FROM @admin
			AND NOT (
				ARRAY[f.sender_id, f.receiver_id] && ARRAY(SELECT withheld_from(@admin))
				AND another_can_judge(@admin, ARRAY[f.sender_id, f.receiver_id])
			)`

func selectFlags(ctx context.Context, db pg.DB, admin uuid.UUID, after flagCursor, limit int) ([]QueuedFlag, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+flagColumns+`
		FROM message_flags f
		WHERE `+mayDecideFlag+`
			AND (f.rank, f.created_at, f.message_id) > (@rank, @at, @id)
		ORDER BY f.rank, f.created_at, f.message_id
		LIMIT @limit`, pgx.NamedArgs{"admin": admin, "rank": after.Rank, "at": after.At, "id": after.ID, "limit": limit})
	return collect(rows, flagRow.flag)
}

// selectOpenFlag returns a flag without cards, or NotFound like OpenFlag.
func selectOpenFlag(ctx context.Context, tx pgx.Tx, admin, id uuid.UUID) (QueuedFlag, error) {
	rows, _ := tx.Query(ctx, `
		SELECT `+flagColumns+`
		FROM message_flags f
		WHERE f.message_id = @id
			AND `+mayDecideFlag, pgx.NamedArgs{"admin": admin, "id": id})
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[flagRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return QueuedFlag{}, errNoCase
	}
	return r.flag(), err
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

// flagState is the state of a flag that DecideFlag needs.
type flagState struct {
	SenderID   *uuid.UUID
	ReceiverID *uuid.UUID
	ReviewedBy *uuid.UUID
	Category   *string
	Answer     *string
	Decision   *string // nil while the flag is open
	Source     string
	Content    string
	// Of the sanction that followed; nil without one, and when the account was deleted.
	Explanation    *string
	SuspendedUntil *time.Time
}

// isDecidedAs reports whether the stored decision on the flag has the same consequences as in, whose end Decision.check has
// rounded to the microseconds of the database.
func (f flagState) isDecidedAs(in Decision) bool {
	if f.Decision == nil || *f.Decision != in.Action {
		return false
	}
	if in.Action == Dismiss {
		return true // a sanction is of an earlier decision: the recipient's answer opened the flag again
	}
	return f.Explanation == nil || *f.Explanation == in.Explanation && sameTime(f.SuspendedUntil, in.SuspendedUntil)
}

// ground returns the rule that the message breaks, by the category of the flag.
func (f flagState) ground() Ground {
	if f.Category == nil {
		return groundsOfFlags[""]
	}
	return groundsOfFlags[*f.Category]
}

// selectFlagState returns the state of a flag. It returns NotFound for an unknown flag, and for one that the recipient's answer
// has closed.
func selectFlagState(ctx context.Context, tx pgx.Tx, id uuid.UUID) (flagState, error) {
	rows, _ := tx.Query(ctx, `
		SELECT
			f.sender_id,
			f.receiver_id,
			f.reviewed_by,
			f.category,
			f.answer,
			f.decision,
			f.source,
			f.content,
			s.explanation,
			s.suspended_until
		FROM message_flags f
		LEFT JOIN LATERAL (
			SELECT
				explanation,
				suspended_until
			FROM sanctions
			WHERE message_id = f.message_id
				AND user_id = f.sender_id
			ORDER BY created_at DESC
			LIMIT 1
		) s ON true
		WHERE f.message_id = $1
			AND (f.open OR f.decision IS NOT NULL)`, id)
	f, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[flagState])
	if errors.Is(err, pgx.ErrNoRows) {
		return f, errNoCase
	}
	return f, err
}

// closeFlag closes a flag, and stores the score of the filter. It returns Conflict with the decision if somebody has decided
// meanwhile, ErrOpenFirst if the recipient's answer has opened the flag again after that, and NotFound if it has closed the flag.
func closeFlag(ctx context.Context, tx pgx.Tx, id, admin uuid.UUID, decision string, f flagState) error {
	var score *float64
	if f.Source == "filter" {
		score = new(guard.Classify(f.Content).Score)
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
	if err != nil || tag.RowsAffected() > 0 {
		return err
	}
	now, err := selectFlagState(ctx, tx, id)
	if err != nil {
		return err
	}
	if now.Decision == nil {
		return ErrOpenFirst
	}
	return queue.ErrDecided(ctx, tx, now.ReviewedBy, queue.Decision(*now.Decision))
}

// suspend suspends the member until a time, or without an end if it is nil, revokes their
// sessions, enqueues the job that closes their sockets, and returns their ids. It returns Forbidden for an admin.
func (s *Service) suspend(ctx context.Context, tx pgx.Tx, member uuid.UUID, until *time.Time) (ended []uuid.UUID, err error) {
	suspended, err := members.Suspend(ctx, tx, member, until)
	if err == nil && !suspended {
		return nil, fault.New(fault.Forbidden, "The account of an admin or a moderator cannot be suspended here.")
	}
	if err != nil {
		return nil, err
	}
	return s.revokeSessions(ctx, tx, member)
}

// revokeSessions revokes the sessions of a member, enqueues the job that closes their sockets, and returns their ids.
func (s *Service) revokeSessions(ctx context.Context, tx pgx.Tx, member uuid.UUID) ([]uuid.UUID, error) {
	ended, err := auth.RevokeAllTx(ctx, tx, member)
	if err != nil {
		return nil, err
	}
	return ended, auth.EnqueueEnded(ctx, tx, s.jobs, ended...)
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
