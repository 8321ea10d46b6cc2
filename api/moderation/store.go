package moderation

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// met says whom @viewer can have met: whoever was ever offered to everybody,
// also when suspended, paused or hidden by a block since; the incognito only
// where they like @viewer; and those with whom there was anything at all.
const met = `(u.is_approved AND u.profile_status <> 'under_review' AND NOT u.incognito OR ` + members.LikesViewer + `
	OR EXISTS (SELECT FROM user_likes mine WHERE mine.from_user_id = @viewer AND mine.to_user_id = u.id)
	OR EXISTS (SELECT FROM blocks mine WHERE mine.blocker_id = @viewer AND mine.blocked_id = u.id)
	OR EXISTS (SELECT FROM matches m WHERE m.user_a = least(u.id, @viewer::uuid) AND m.user_b = greatest(u.id, @viewer::uuid))
	OR EXISTS (SELECT FROM conversations c WHERE c.user_a = least(u.id, @viewer::uuid) AND c.user_b = greatest(u.id, @viewer::uuid)))`

func checkMet(ctx context.Context, tx pgx.Tx, viewer, id uuid.UUID) error {
	var ok bool
	err := tx.QueryRow(ctx, `SELECT `+met+` FROM users u WHERE u.id = @id`, pgx.NamedArgs{"viewer": viewer, "id": id}).Scan(&ok)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && !ok {
		return notFound()
	}
	return err
}

func notFound() error { return fault.New(fault.NotFound, "We could not find that member.") }

func insertBlock(ctx context.Context, tx pgx.Tx, blocker, blocked uuid.UUID) error {
	_, err := tx.Exec(ctx, `INSERT INTO blocks (blocker_id, blocked_id, created_at) VALUES ($1, $2, clock_timestamp())
		ON CONFLICT DO NOTHING`, blocker, blocked)
	return err
}

func deleteBlock(ctx context.Context, tx pgx.Tx, blocker, blocked uuid.UUID) error {
	if _, err := tx.Exec(ctx, `DELETE FROM blocks WHERE blocker_id = $1 AND blocked_id = $2`, blocker, blocked); err != nil {
		return err
	}
	tag, err := tx.Exec(ctx, `SELECT FROM users WHERE id = $1`, blocked)
	if err == nil && tag.RowsAffected() == 0 {
		return notFound()
	}
	return err
}

func selectBlocks(ctx context.Context, db pg.DB, blocker uuid.UUID, after web.Cursor, limit int) ([]Blocked, error) {
	rows, _ := db.Query(ctx, `SELECT blocked_id, created_at FROM blocks
		WHERE blocker_id = $1 AND (created_at, blocked_id) < ($2, $3)
		ORDER BY created_at DESC, blocked_id DESC LIMIT $4`, blocker, after.At, after.ID, limit)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (b Blocked, err error) {
		err = row.Scan(&b.User.ID, &b.BlockedAt)
		return b, err
	})
}

// selectReport finds the report of the same member for the same reason within a
// day; Nil when there is none. The reporter's lock is held.
func selectReport(ctx context.Context, tx pgx.Tx, reporter uuid.UUID, in ReportInput) (id uuid.UUID, err error) {
	err = tx.QueryRow(ctx, `SELECT id FROM reports WHERE reporter_id = $1 AND reported_user_id = $2 AND reason = $3
		AND created_at > now() - interval '1 day' ORDER BY created_at LIMIT 1`, reporter, in.UserID, in.Reason).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, nil
	}
	return id, err
}

func insertReport(ctx context.Context, tx pgx.Tx, receipt ReportReceipt, reporter uuid.UUID, in ReportInput, evidence Evidence) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO reports (id, reporter_id, reported_user_id, reason, description, place, priority, evidence, created_at, queued)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp(), count(*) >= $9
		FROM reports WHERE reporter_id = $2 AND created_at > now() - interval '1 day'`,
		receipt.ID, reporter, in.UserID, in.Reason, in.Description, in.Place, receipt.Priority, evidence, reportsADay)
	return err
}

func selectLike(ctx context.Context, tx pgx.Tx, from, to uuid.UUID) (*Liked, error) {
	rows, _ := tx.Query(ctx, `SELECT like_type, comment, photo_id, prompt, created_at FROM user_likes
		WHERE from_user_id = $1 AND to_user_id = $2`, from, to)
	likes, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Liked])
	if err != nil || len(likes) == 0 {
		return nil, err
	}
	likes[0].LikedAt = web.Time(likes[0].LikedAt)
	return &likes[0], nil
}

// selectLastMessages reads the newest messages of the pair, in their order,
// whether their conversation is open or not.
func selectLastMessages(ctx context.Context, tx pgx.Tx, x, y uuid.UUID) ([]KeptMessage, error) {
	rows, _ := tx.Query(ctx, `SELECT * FROM (
			SELECT m.id, m.seq, m.sender_id, m.message_type, m.content, m.sent_at
			FROM conversations c JOIN messages m ON m.conversation_id = c.id
			WHERE c.user_a = least($1::uuid, $2::uuid) AND c.user_b = greatest($1::uuid, $2::uuid)
			ORDER BY m.seq DESC LIMIT $3
		) last ORDER BY seq`, x, y, evidenceMessages)
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[KeptMessage])
	for i := range list {
		list[i].SentAt = web.Time(list[i].SentAt)
	}
	return list, err
}
