package referrals

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

func selectCounts(ctx context.Context, db pg.DB, id uuid.UUID) (total, completed int, err error) {
	err = db.QueryRow(ctx, `
		SELECT
			(SELECT count(*) FROM profiles WHERE referred_by = $1),
			(SELECT count(*) FROM referral_rewards WHERE referrer_id = $1)`, id).Scan(&total, &completed)
	return total, completed, pg.Fault(err)
}

func selectReferrals(ctx context.Context, db pg.DB, id uuid.UUID, after web.Cursor, limit int) ([]Referral, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			u.id,
			u.created_at,
			CASE WHEN r.referred_id IS NULL THEN 'pending' ELSE 'completed' END
		FROM profiles u
		LEFT JOIN referral_rewards r ON r.referred_id = u.id
		WHERE u.referred_by = @id
			AND (u.created_at, u.id) < (@at, @after)
		ORDER BY u.created_at DESC, u.id DESC
		LIMIT @limit`,
		pgx.NamedArgs{"id": id, "at": after.At, "after": after.ID, "limit": limit})
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (r Referral, err error) {
		err = row.Scan(&r.ID, &r.CreatedAt, &r.Status)
		r.ReferredUserID = r.ID
		return r, err
	})
	return list, pg.Fault(err)
}

func selectPremium(ctx context.Context, db pg.DB, id uuid.UUID) (until *time.Time, err error) {
	err = db.QueryRow(ctx, `SELECT CASE WHEN premium_until > now() THEN premium_until END FROM profiles WHERE id = $1`, id).Scan(&until)
	if until != nil {
		*until = web.Time(*until)
	}
	return until, pg.Fault(err)
}

func selectCode(ctx context.Context, db pg.DB, id uuid.UUID) (code string, err error) {
	err = db.QueryRow(ctx, `SELECT referral_code FROM profiles WHERE id = $1`, id).Scan(&code)
	return code, pg.Fault(err)
}
