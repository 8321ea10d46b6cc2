package community

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/pg"
)

// The kinds of news.
const (
	NewsPublished = "published" // a moderator published the member's post
	NewsRejected  = "rejected"  // a moderator rejected the member's post
	NewsComment   = "comment"   // on the member's post
	NewsReply     = "reply"     // to the member's comment
)

// NotifyArgs are the arguments of the job that notifies a member of a decision on a post, or of a
// comment or reply.
type NotifyArgs struct {
	NewsKind string    `json:"newsKind" river:"unique"`
	MemberID uuid.UUID `json:"memberId" river:"unique"`
	PostID   uuid.UUID `json:"postId" river:"unique"`
	// CommentID is Nil for a decision.
	CommentID uuid.UUID `json:"commentId" river:"unique"`
	// DecidedAt is the time of the decision; zero for comments.
	DecidedAt time.Time `json:"decidedAt" river:"unique"`
}

// Kind returns the name of the job.
func (NotifyArgs) Kind() string { return "notify_community" }

// InsertOpts allow one job for each decision, comment and reply.
func (NotifyArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

func (s *Service) notify(ctx context.Context, tx pgx.Tx, args NotifyArgs) error {
	_, err := s.jobs.InsertTx(ctx, tx, args, nil)
	return err
}

// News is what a notification says.
type News struct {
	Title string    // of the post
	From  string    // the name of who wrote the comment, as the member sees it; empty for a decision
	At    time.Time // of the decision or the comment
}

// NewsFor returns the news of a job. isCurrent is false if the news do not apply any more: the post has another
// status or was decided on again, the comment is not shown to the member, or the member is not active.
func NewsFor(ctx context.Context, db pg.DB, args NotifyArgs) (n News, isCurrent bool, err error) {
	if args.CommentID == uuid.Nil {
		return decisionNews(ctx, db, args)
	}
	return commentNews(ctx, db, args)
}

func decisionNews(ctx context.Context, db pg.DB, args NotifyArgs) (n News, isCurrent bool, err error) {
	err = db.QueryRow(ctx, `
		SELECT title, decided_at
		FROM community_posts
		WHERE id = $1
			AND author_id = $2
			AND status = $3
			AND decided_at = $4
			AND NOT author_hidden`, args.PostID, args.MemberID, args.NewsKind, args.DecidedAt).Scan(&n.Title, &n.At)
	if errors.Is(err, pgx.ErrNoRows) {
		return n, false, nil
	}
	return n, err == nil, err
}

func commentNews(ctx context.Context, db pg.DB, args NotifyArgs) (n News, isCurrent bool, err error) {
	var author uuid.UUID
	err = db.QueryRow(ctx, `
		SELECT p.title, c.author_id, c.created_at
		FROM post_comments c
		JOIN community_posts p ON p.id = c.post_id AND p.status = 'published' AND NOT p.author_hidden
		LEFT JOIN post_comments parent ON parent.id = c.parent_id
		JOIN profiles me ON me.id = @viewer AND me.profile_status = 'active'
		WHERE c.id = @comment
			AND c.is_counted
			AND @viewer IN (p.author_id, parent.author_id)
			AND `+commentNotBlocked, pgx.NamedArgs{"viewer": args.MemberID, "comment": args.CommentID}).Scan(&n.Title, &author, &n.At)
	if errors.Is(err, pgx.ErrNoRows) {
		return n, false, nil
	}
	if err != nil {
		return n, false, err
	}
	cards, err := members.Cards(ctx, db, args.MemberID, []uuid.UUID{author})
	n.From = cards[author].FirstName
	return n, err == nil, err
}
