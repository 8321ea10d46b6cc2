package community

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/blobs"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// OpenPicture returns the picture of a post: of a published one to everyone who sees the post, of any other
// to its author and to a moderator who has opened the post within the last day. It returns NotFound for any
// other file.
func (s *Service) OpenPicture(ctx context.Context, viewer web.Actor, id uuid.UUID, variant string, c blobs.Conditions) (blobs.File, error) {
	var isReadable bool
	err := s.pool.QueryRow(ctx, `
		SELECT EXISTS (
			SELECT
			FROM community_posts p
			WHERE p.featured_image = @id
				AND (p.author_id = @viewer OR `+shownPost+` AND `+postNotBlocked+`)
		)`, pgx.NamedArgs{"id": id, "viewer": viewer.ID}).Scan(&isReadable)
	if err != nil {
		return blobs.File{}, pg.Fault(err)
	}
	if !isReadable && viewer.Moderator {
		if isReadable, err = s.hasOpenedPicture(ctx, viewer.ID, id); err != nil {
			return blobs.File{}, err
		}
	}
	if !isReadable {
		return blobs.File{}, blobs.NotFound()
	}
	return s.blobs.OpenPicture(ctx, id, variant, c)
}
