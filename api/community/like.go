package community

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
)

// PostLikes is the result of a like.
type PostLikes struct {
	LikeCount int  `json:"likeCount"`
	LikedByMe bool `json:"likedByMe"`
}

// Like stores or removes actor's like of a post, and returns the new count. Repeating it changes nothing.
// It returns NotFound for a post that actor does not see, and RateLimited after 500 likes a day.
func (s *Service) Like(ctx context.Context, actor, id uuid.UUID, liked bool) (PostLikes, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (PostLikes, error) {
		if err := checkShown(ctx, tx, actor, id); err != nil {
			return PostLikes{}, err
		}
		sql := `DELETE FROM post_likes WHERE post_id = $1 AND user_id = $2`
		if liked {
			sql = `INSERT INTO post_likes (post_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`
		}
		tag, err := tx.Exec(ctx, sql, id, actor)
		if err != nil {
			return PostLikes{}, err
		}
		if liked && tag.RowsAffected() > 0 {
			if err := limits.Allow(ctx, tx, likesPerMember, actor.String()); err != nil {
				return PostLikes{}, err
			}
		}
		result := PostLikes{LikedByMe: liked}
		err = tx.QueryRow(ctx, `SELECT like_count FROM community_posts WHERE id = $1`, id).Scan(&result.LikeCount)
		if errors.Is(err, pgx.ErrNoRows) {
			err = notFound()
		}
		return result, err
	})
}

// checkShown returns NotFound unless the post is published and viewer sees it.
func checkShown(ctx context.Context, db pg.DB, viewer, id uuid.UUID) error {
	var isShown bool
	err := db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM community_posts p WHERE p.id = @id AND `+shownPost+` AND `+postNotBlocked+`)`,
		pgx.NamedArgs{"viewer": viewer, "id": id}).Scan(&isShown)
	if err == nil && !isShown {
		err = notFound()
	}
	return err
}
