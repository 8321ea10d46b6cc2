package notifications

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/platform/pg"
)

// NotifyLikes decides in tx whether a member is to be told of those who like
// them since they were told last, and tells of all of them at once. Whoever was
// in the app since then has seen them there.
//
// It answers with how long to wait and ask again, in quiet hours; zero means
// done, and then the job must be completed in tx. Running twice has one effect.
func (s *Service) NotifyLikes(ctx context.Context, tx pgx.Tx, jobs matching.Inserter, args matching.NotifyLikesArgs) (time.Duration, error) {
	if err := matching.HoldLikes(ctx, tx, args.MemberID); err != nil {
		return 0, err
	}
	settings, err := readSettings(ctx, tx, args.MemberID)
	if err != nil || !settings.Likes {
		return 0, err
	}
	if wait := settings.quietFor(time.Now()); wait > 0 {
		return wait, nil
	}
	newest, count, err := claimLikes(ctx, tx, args.MemberID)
	if err != nil || count == 0 {
		return 0, err
	}
	told := News{
		Member: args.MemberID, Category: Likes, Title: newest + " likes you", Body: "See who it is, and whether you like them too.",
		Path: "/matches/likes", Tag: "likes",
	}
	if count > 1 {
		told.Title, told.Body = fmt.Sprintf("%d people like you", count), "See who they are, and whom you like too."
	}
	return 0, s.Tell(ctx, tx, jobs, told)
}

// claimLikes notes that the member is told of all likes until now, and answers
// with how many of them there were that the member can see and has not answered,
// and the first name of the newest one's sender.
func claimLikes(ctx context.Context, tx pgx.Tx, member uuid.UUID) (newest string, count int, err error) {
	var from time.Time
	err = tx.QueryRow(ctx, `
		INSERT INTO notification_settings AS n (user_id) VALUES ($1)
		ON CONFLICT (user_id) DO UPDATE SET user_id = n.user_id
		RETURNING greatest(
			n.likes_told_at,
			(SELECT `+members.LastActive+` FROM `+members.WithActivity+` WHERE u.id = $1),
			now() - interval '3 days')`, member).Scan(&from)
	if err != nil {
		return "", 0, err
	}
	names, err := namesOfLikers(ctx, tx, member, from)
	if err != nil || len(names) == 0 {
		return "", 0, err
	}
	_, err = tx.Exec(ctx, `UPDATE notification_settings SET likes_told_at = clock_timestamp() WHERE user_id = $1`, member)
	return names[0], len(names), err
}

// namesOfLikers are first names, the newest like's first; nobody while the
// member is connected, for then the socket has told.
func namesOfLikers(ctx context.Context, db pg.DB, member uuid.UUID, from time.Time) ([]string, error) {
	rows, err := db.Query(ctx, `
		SELECT u.first_name FROM user_likes r JOIN users u ON u.id = r.from_user_id
		WHERE r.to_user_id = @viewer AND r.created_at > @from AND `+members.Visible+`
			AND NOT EXISTS (SELECT FROM user_likes l WHERE l.from_user_id = @viewer AND l.to_user_id = u.id)
			AND NOT EXISTS (SELECT FROM user_passes p WHERE p.from_user_id = @viewer AND p.to_user_id = u.id)
			AND NOT EXISTS (SELECT FROM online_members o WHERE o.user_id = @viewer)
		ORDER BY r.created_at DESC LIMIT 100`, pgx.NamedArgs{"viewer": member, "from": from})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
