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

// announceDecision enqueues the notification and the mail of a decision, and calls the function that waits for published posts.
func (s *Service) announceDecision(ctx context.Context, tx pgx.Tx, author, post uuid.UUID, status string, at time.Time) error {
	if err := s.notify(ctx, tx, NotifyArgs{NewsKind: status, MemberID: author, PostID: post, DecidedAt: at}); err != nil {
		return err
	}
	if _, err := s.jobs.InsertTx(ctx, tx, DecisionMailArgs{PostID: post, DecidedAt: at}, nil); err != nil {
		return err
	}
	if status == Published && s.onPublish != nil {
		return s.onPublish(ctx, tx, author)
	}
	return nil
}

// decisionLetter returns the letter about a decision on a post.
func decisionLetter(id, status, title, reason string) mail.Letter {
	l := mail.Letter{Template: "community.decision", Kind: mail.Account, ID: id, Subject: "Your story is on the board"}
	if status == Published {
		l.Blocks = []mail.Block{
			mail.Personal("We have read \""+title+"\", and it is on the community board now. Thank you for sharing it.",
				"We have read your story, and it is on the community board now. Thank you for sharing it."),
		}
		return l
	}
	l.Subject = "About your story"
	l.Blocks = []mail.Block{
		mail.Personal("We have read \""+title+"\", and cannot publish it:", "We have read your story, and cannot publish it."),
		mail.Quote(reason, "You'll find the reason beside it."),
		mail.Text("You'll find it under \"My stories\" on the community board. There you can change it and send it again."),
	}
	return l
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
	return members.SendMail(ctx, db, sender, author, func(mail.Reader) mail.Letter {
		id := fmt.Sprintf("community-post-%s-%d", args.PostID, args.DecidedAt.UnixMicro())
		return decisionLetter(id, status, title, reason)
	})
}
