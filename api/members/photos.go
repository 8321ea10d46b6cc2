package members

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// OrderPhotos sorts the member's photos in the order of ids. A first photo that was not
// compared with the selfie ends the verification, and one that was not accepted may need a review. OrderPhotos returns Invalid unless ids
// contains each of them once.
func (s *Service) OrderPhotos(ctx context.Context, member uuid.UUID, ids []uuid.UUID) (Me, error) {
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := Lock(ctx, tx, member); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `
			UPDATE member_media m SET position = wanted.position
			FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (id, position)
			WHERE m.file_id = wanted.id AND m.user_id = $1 AND m.slot = 'photo'
			AND cardinality($2::uuid[]) = (SELECT count(*) FROM member_media WHERE user_id = $1 AND slot = 'photo')`, member, ids)
		if err == nil && (len(ids) == 0 || int(tag.RowsAffected()) != len(ids)) {
			return fault.InvalidField("ids", "Please name each of your photos once.")
		}
		if err != nil {
			return err
		}
		return applyPhotoRules(ctx, tx, member)
	})
	if err != nil {
		return Me{}, err
	}
	return s.Me(ctx, member)
}
