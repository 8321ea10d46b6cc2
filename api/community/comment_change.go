package community

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
)

// editWindow is how long after a comment its author may change it.
const editWindow = 10 * time.Minute

// EditComment replaces the content of a comment of actor. The message filter checks it again: if it flags the new content,
// the comment waits for a moderator, and otherwise it is shown, even if the old content was flagged. An edit that changes
// nothing leaves the comment as it is.
//
// It returns NotFound for a comment that is not actor's or was hidden; Conflict ten minutes after it was
// written; Invalid for an empty or too long content; Forbidden for a member who is not active; and RateLimited
// after 30 edits a day of posts and comments.
func (s *Service) EditComment(ctx context.Context, actor, id uuid.UUID, content string) (PostComment, error) {
	content, err := cleanComment(content)
	if err != nil {
		return PostComment{}, err
	}
	err = pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error { return s.editComment(ctx, tx, actor, id, content) })
	if err != nil {
		return PostComment{}, err
	}
	return s.findComment(ctx, actor, id)
}

func (s *Service) editComment(ctx context.Context, tx pgx.Tx, actor, id uuid.UUID, content string) error {
	if err := lockActive(ctx, tx, actor); err != nil {
		return err
	}
	c, err := lockComment(ctx, tx, id)
	switch {
	case err != nil:
		return err
	case c.Author != actor || c.Status == "hidden":
		return errNoComment()
	case c.Content == content:
		return nil
	case time.Since(c.CreatedAt) > editWindow:
		return fault.New(fault.Conflict, "A comment can be changed for ten minutes.")
	}
	if err := limits.Allow(ctx, tx, editsPerMember, actor.String()); err != nil {
		return err
	}
	flag := s.classify(content)
	_, err = tx.Exec(ctx, `
		UPDATE post_comments
		SET
			content = $2,
			flag = nullif($3, ''),
			status = $4,
			version = version + 1,
			edited_at = clock_timestamp(),
			decided_at = NULL,
			decided_by = NULL
		WHERE id = $1`, id, content, flag, statusOf(flag))
	if err != nil || flag != "" || c.Status != Pending {
		return err
	}
	return s.notifyOfComment(ctx, tx, actor, c.PostAuthor, c.ParentAuthor, NotifyArgs{PostID: c.Post, CommentID: id})
}

// lockedComment is a comment that is not deleted, locked with its post.
type lockedComment struct {
	Author       uuid.UUID
	Post         uuid.UUID
	PostAuthor   uuid.UUID
	ParentAuthor uuid.UUID // Nil for a comment on the post, and when that account was deleted
	Content      string
	Status       string
	Version      int
	CreatedAt    time.Time
	IsDecided    bool
	DecidedBy    *uuid.UUID // nil before a decision
}

// lockComment returns NotFound for an unknown or deleted comment.
func lockComment(ctx context.Context, tx pgx.Tx, id uuid.UUID) (lockedComment, error) {
	if err := lockPostOf(ctx, tx, id); err != nil {
		return lockedComment{}, err
	}
	rows, _ := tx.Query(ctx, `
		SELECT
			c.author_id AS author,
			c.post_id AS post,
			p.author_id AS post_author,
			coalesce((SELECT author_id FROM post_comments WHERE id = c.parent_id), '00000000-0000-0000-0000-000000000000') AS parent_author,
			c.content,
			c.status,
			c.version,
			c.created_at,
			c.decided_at IS NOT NULL AS is_decided,
			c.decided_by
		FROM post_comments c
		JOIN community_posts p ON p.id = c.post_id
		WHERE c.id = $1
			AND c.deleted_at IS NULL
		FOR NO KEY UPDATE OF c`, id)
	c, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[lockedComment])
	if errors.Is(err, pgx.ErrNoRows) {
		return c, errNoComment()
	}
	return c, err
}

// DeleteComment deletes a comment of actor. With replies, only its content is deleted. Repeating it
// returns NotFound, like a comment that is not actor's.
func (s *Service) DeleteComment(ctx context.Context, actor, id uuid.UUID) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := lockPostOf(ctx, tx, id); err != nil {
			return err
		}
		var parent *uuid.UUID
		err := tx.QueryRow(ctx, `
			SELECT parent_id
			FROM post_comments
			WHERE id = $1
				AND author_id = $2
				AND deleted_at IS NULL
			FOR UPDATE`, id, actor).Scan(&parent) // conflicts with the lock of lockParent, so that no reply is stored meanwhile
		if errors.Is(err, pgx.ErrNoRows) {
			return errNoComment()
		}
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `
			UPDATE post_comments c
			SET
				content = '',
				flag = NULL,
				deleted_at = clock_timestamp()
			WHERE c.id = $1
				AND EXISTS (SELECT FROM post_comments r WHERE r.parent_id = c.id)`, id)
		if err != nil || tag.RowsAffected() > 0 {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM post_comments WHERE id = $1`, id); err != nil || parent == nil {
			return err
		}
		return deleteEmptyParent(ctx, tx, *parent)
	})
}

// deleteEmptyParent deletes a comment that was deleted while it had replies, when the last one is gone.
func deleteEmptyParent(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	var isDeleted bool
	err := tx.QueryRow(ctx, `SELECT deleted_at IS NOT NULL FROM post_comments WHERE id = $1 FOR UPDATE`, id).Scan(&isDeleted)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && !isDeleted {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		DELETE FROM post_comments c
		WHERE c.id = $1
			AND NOT EXISTS (SELECT FROM post_comments r WHERE r.parent_id = c.id)`, id)
	return err
}
