package moderation

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// reverse stores the sanction by, which takes back those with the ids in reversed, and links them to it. One that another
// sanction has taken back before keeps its link.
func reverse(ctx context.Context, tx pgx.Tx, admin, member uuid.UUID, by Sanction, reversed []uuid.UUID) error {
	if _, err := insertSanction(ctx, tx, admin, member, by); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `
		UPDATE sanctions
		SET reversed_by = $1
		WHERE id = ANY($2)
			AND user_id = $3
			AND reversed_by IS NULL`, by.ID, reversed, member)
	return err
}

// selectReinstated returns the sanctions that a reinstatement of the member takes back: those in force, and those against which
// an appeal waits.
func selectReinstated(ctx context.Context, tx pgx.Tx, member uuid.UUID) ([]uuid.UUID, error) {
	rows, _ := tx.Query(ctx, `
		SELECT id
		FROM sanctions_in_force
		WHERE user_id = $1
		UNION
		SELECT sanction_id
		FROM appeals
		WHERE user_id = $1
			AND outcome IS NULL`, member)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	return ids, pg.Fault(err)
}

// reverseReviews takes back the reviews that a check of pictures began with a report, on which a moderator decided without
// consequences.
func reverseReviews(ctx context.Context, tx pgx.Tx, admin, member, report uuid.UUID) error {
	rows, _ := tx.Query(ctx, `
		SELECT id
		FROM sanctions
		WHERE user_id = $1
			AND report_id = $2
			AND kind = 'review'
			AND reversed_by IS NULL`, member, report)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil || len(ids) == 0 {
		return pg.Fault(err)
	}
	return reverse(ctx, tx, admin, member, Sanction{ID: uuid.New(), Kind: Reversal, ReportID: &report}, ids)
}
