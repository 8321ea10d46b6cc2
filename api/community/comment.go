package community

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
)

// CommentInput is a new comment.
type CommentInput struct {
	ClientID uuid.UUID
	Content  string
	Parent   uuid.UUID // the comment that this one replies to; Nil for a comment on the post
}

// Comment stores a comment on a post, and returns it. A repetition with the same client id returns the
// first result. Comment notifies the author of the post, and for a reply the author of the other comment. A comment that
// the message filter flags waits for a moderator: until then only its author sees it, and nobody is notified.
//
// It returns Invalid for an empty or too long content, and for a reply to a reply; NotFound for a post or
// comment that actor does not see; Forbidden for a member who is not active; and RateLimited after 100
// comments a day.
func (s *Service) Comment(ctx context.Context, actor, post uuid.UUID, in CommentInput) (PostComment, error) {
	var err error
	if in.Content, err = cleanComment(in.Content); err != nil {
		return PostComment{}, err
	}
	id, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (uuid.UUID, error) { return s.comment(ctx, tx, actor, post, in) })
	if err != nil {
		return PostComment{}, err
	}
	return s.findComment(ctx, actor, id)
}

// findComment returns a comment as viewer sees it. It returns NotFound if it was deleted.
func (s *Service) findComment(ctx context.Context, viewer, id uuid.UUID) (PostComment, error) {
	comments, err := selectComments(ctx, s.pool, viewer, `c.id = @id`, pgx.NamedArgs{"id": id})
	switch {
	case err != nil:
		return PostComment{}, pg.Fault(err)
	case len(comments) == 0:
		return PostComment{}, errNoComment()
	}
	return comments[0], pg.Fault(addCommentAuthors(ctx, s.pool, viewer, []*PostComment{&comments[0]}))
}

func cleanComment(content string) (string, error) {
	content, err := text.Lines("content", content, maxComment)
	if err == nil && content == "" {
		err = fault.InvalidField("content", "Please write something first.")
	}
	return content, err
}

// comment runs in the transaction of Comment, and returns the id of the comment.
func (s *Service) comment(ctx context.Context, tx pgx.Tx, actor, post uuid.UUID, in CommentInput) (id uuid.UUID, err error) {
	if err := lockActive(ctx, tx, actor); err != nil {
		return id, err
	}
	err = tx.QueryRow(ctx, `SELECT id FROM post_comments WHERE author_id = $1 AND client_id = $2`, actor, in.ClientID).Scan(&id)
	if !errors.Is(err, pgx.ErrNoRows) {
		return id, err
	}
	if err := checkShown(ctx, tx, actor, post); err != nil {
		return id, err
	}
	parentAuthor, err := lockParent(ctx, tx, actor, post, in.Parent)
	if err != nil {
		return id, err
	}
	if err := limits.Allow(ctx, tx, commentsPerMember, actor.String()); err != nil {
		return id, err
	}
	var postAuthor uuid.UUID
	flag := s.classify(in.Content)
	err = tx.QueryRow(ctx, `
		INSERT INTO post_comments (post_id, parent_id, author_id, client_id, content, flag, status)
		SELECT p.id, nullif($2, '00000000-0000-0000-0000-000000000000'::uuid), $3, $4, $5, nullif($6, ''), $7
		FROM community_posts p
		WHERE p.id = $1
		RETURNING id, (SELECT author_id FROM community_posts WHERE id = post_id)`,
		post, in.Parent, actor, in.ClientID, in.Content, flag, statusOf(flag)).Scan(&id, &postAuthor)
	if errors.Is(err, pgx.ErrNoRows) {
		return id, notFound()
	}
	if err != nil || flag != "" {
		return id, err
	}
	return id, s.notifyOfComment(ctx, tx, actor, postAuthor, parentAuthor, NotifyArgs{PostID: post, CommentID: id})
}

// statusOf returns the status of a new or edited comment. flag is the category that the message filter returned, or empty.
func statusOf(flag string) string {
	if flag == "" {
		return "approved"
	}
	return Pending
}

// notifyOfComment enqueues the notifications of a comment: NewsReply for the author of the comment that it replies to, and
// NewsComment for the author of the post. One who is both gets NewsReply only. actor is not notified.
func (s *Service) notifyOfComment(ctx context.Context, tx pgx.Tx, actor, postAuthor, parentAuthor uuid.UUID, args NotifyArgs) error {
	if parentAuthor != uuid.Nil && parentAuthor != actor {
		args.NewsKind, args.MemberID = NewsReply, parentAuthor
		if err := s.notify(ctx, tx, args); err != nil {
			return err
		}
	}
	if postAuthor == actor || postAuthor == parentAuthor {
		return nil
	}
	args.NewsKind, args.MemberID = NewsComment, postAuthor
	return s.notify(ctx, tx, args)
}

// lockPostOf locks the post of a comment. Every change of comments locks their post first, so that two changes do not
// deadlock; the function lock_posts_of does so for changes of a member.
func lockPostOf(ctx context.Context, tx pgx.Tx, comment uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		SELECT
		FROM community_posts
		WHERE id = (SELECT post_id FROM post_comments WHERE id = $1)
		FOR NO KEY UPDATE`, comment)
	return err
}

// lockParent locks the comment of a reply, so that it is not deleted meanwhile, and returns its author, or
// Nil without a parent.
func lockParent(ctx context.Context, tx pgx.Tx, actor, post, parent uuid.UUID) (author uuid.UUID, err error) {
	if parent == uuid.Nil {
		return uuid.Nil, nil
	}
	if err := lockPostOf(ctx, tx, parent); err != nil {
		return uuid.Nil, err
	}
	var isReply bool
	err = tx.QueryRow(ctx, `
		SELECT c.author_id, c.parent_id IS NOT NULL
		FROM post_comments c
		WHERE c.id = @id
			AND c.post_id = @post
			AND c.is_counted
			AND `+commentNotBlocked+`
		FOR KEY SHARE OF c`, pgx.NamedArgs{"viewer": actor, "id": parent, "post": post}).Scan(&author, &isReply)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return author, fault.New(fault.NotFound, "The comment you are replying to is gone.")
	case err == nil && isReply:
		return author, fault.InvalidField("parentId", "Please reply to the comment, not to a reply.")
	}
	return author, err
}
