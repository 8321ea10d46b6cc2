package seed

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/badges"
	"heartward/api/moments"
)

// awardBadges stores the milestones of the conversations, and the badges that the cast and the accounts have earned, a few
// days apart. Their celebrations are over. Then it calls makeMoments.
func (w *dataset) awardBadges(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `
		UPDATE conversations c
		SET
			both_wrote_at = both_wrote.at,
			lasted_day_at = (
				SELECT min(m.sent_at)
				FROM messages m
				WHERE m.conversation_id = c.id
					AND m.sent_at >= both_wrote.at + interval '24 hours')
		FROM (
			SELECT
				m.conversation_id,
				min(m.sent_at) AS at
			FROM messages m
			JOIN messages opening ON opening.conversation_id = m.conversation_id AND opening.seq = 1
			WHERE m.sender_id <> opening.sender_id
			GROUP BY m.conversation_id
		) both_wrote
		WHERE both_wrote.conversation_id = c.id`)
	if err != nil {
		return err
	}
	var ids []uuid.UUID
	for i, p := range w.people {
		if i < len(cast()) || p.passwordHash != nil {
			ids = append(ids, p.id)
		}
	}
	if err := badges.Backfill(ctx, tx, ids); err != nil {
		return err
	}
	// In the order of the list, a few days apart.
	_, err = tx.Exec(ctx, `
		UPDATE user_badges e
		SET earned_at = now() - interval '2 hours' - (n.n - 1) * interval '3 days'
		FROM (
			SELECT
				id,
				row_number() OVER (PARTITION BY user_id ORDER BY badge_id DESC) AS n
			FROM user_badges
		) n
		WHERE n.id = e.id`)
	if err != nil {
		return err
	}
	return w.makeMoments(ctx, tx)
}

// makeMoments stores two moments for each account, and for the newest match of the demo member one in which that match asks
// to name the demo member.
func (w *dataset) makeMoments(ctx context.Context, tx pgx.Tx) error {
	for _, p := range w.people {
		if p.passwordHash == nil {
			continue
		}
		if err := moments.Backfill(ctx, tx, p.id, 2); err != nil {
			return err
		}
	}
	var asking uuid.UUID
	err := tx.QueryRow(ctx, `
		SELECT m.peer_id
		FROM match_sides m
		JOIN users u ON u.id = m.member_id AND u.email = $1
		WHERE m.unmatched_at IS NULL
		ORDER BY m.created_at DESC
		LIMIT 1`, DemoEmail).Scan(&asking)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := moments.Backfill(ctx, tx, asking, 1); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		INSERT INTO moment_consents (moment_id, peer_id)
		SELECT
			s.id,
			m.peer_id
		FROM shareable_moments s
		JOIN match_sides m ON m.match_id = s.subject_id AND m.member_id = s.user_id
		JOIN users u ON u.id = m.peer_id AND u.email = $2
		WHERE s.user_id = $1
			AND s.moment_type = 'match'`, asking, DemoEmail)
	return err
}
