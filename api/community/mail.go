package community

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// DecisionMailArgs are the arguments of the job that mails a decision on a post to its author.
type DecisionMailArgs struct {
	PostID    uuid.UUID `json:"postId" river:"unique"`
	DecidedAt time.Time `json:"decidedAt" river:"unique"`
}

// Kind returns the name of the job in River.
func (DecisionMailArgs) Kind() string { return "community_decision" }

// InsertOpts allow one job for each decision.
func (DecisionMailArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// tellDecision enqueues the notification and the mail of a decision.
func (s *Service) tellDecision(ctx context.Context, tx pgx.Tx, author, post uuid.UUID, status string, at time.Time) error {
	if err := s.notify(ctx, tx, NotifyArgs{NewsKind: status, MemberID: author, PostID: post, DecidedAt: at}); err != nil {
		return err
	}
	_, err := s.jobs.InsertTx(ctx, tx, DecisionMailArgs{PostID: post, DecidedAt: at}, nil)
	return err
}

// describeDecision returns the subject of the mail and what it says.
func describeDecision(status, title, reason string) (subject, text string) {
	if status == Published {
		return "Your story is on the board", "We have read \"" + title + "\", and it is on the community board now. Thank you\nfor sharing it."
	}
	return "About your story", "We have read \"" + title + "\", and cannot publish it:\n\n" + reason +
		"\n\nYou find it under \"My stories\" on the community board. There you can change it\nand send it again."
}

// SendDecision sends the mail of a decision. It does nothing for a deleted post or member, and when the post was
// changed or decided on again since. It may send the same mail twice.
func SendDecision(ctx context.Context, db pg.DB, sender mail.Sender, args DecisionMailArgs) error {
	var author uuid.UUID
	var status, title, reason string
	err := db.QueryRow(ctx, `
		SELECT author_id, status, title, rejection_reason
		FROM community_posts
		WHERE id = $1
			AND status <> 'pending'
			AND decided_at = $2`, args.PostID, args.DecidedAt).Scan(&author, &status, &title, &reason)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	subject, text := describeDecision(status, title, reason)
	return members.SendMail(ctx, db, sender, author, func(name string) mail.Message {
		id := fmt.Sprintf("community-post-%s-%d", args.PostID, args.DecidedAt.UnixMicro())
		return mail.Message{Subject: subject, Text: mail.Letter(name, text), ID: id}
	})
}
