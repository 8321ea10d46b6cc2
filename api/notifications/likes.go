package notifications

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/matching"
	"heartward/api/platform/jobqueue"
)

// NotifyLikes decides in tx whether to notify a member of the likes since the last
// notification, and enqueues one push for all of them. Likes before the member's last use
// of the app count as seen.
//
// In quiet hours it returns how long to wait before the next call. Otherwise it returns
// zero, and the job must be completed in tx. A repeated call has no effect.
func (s *Service) NotifyLikes(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args matching.NotifyLikesArgs) (time.Duration, error) {
	if err := matching.LockLikes(ctx, tx, args.MemberID); err != nil {
		return 0, err
	}
	settings, err := readSettings(ctx, tx, args.MemberID)
	if err != nil || !settings.Likes {
		return 0, err
	}
	if wait := settings.quietFor(time.Now()); wait > 0 {
		return wait, nil
	}
	likes, err := claimLikes(ctx, tx, args.MemberID)
	if err != nil || len(likes) == 0 {
		return 0, err
	}
	return 0, s.Push(ctx, tx, jobs, args.MemberID, likesNotification(likes))
}

// likesNotification returns one notification for all likes, which start with the
// newest. Its path contains the newest super like, which the app celebrates.
func likesNotification(likes []matching.UnansweredLike) Notification {
	n := Notification{
		Category: Likes, Title: likes[0].FirstName + " likes you", Body: "Take a look, and see if you like them too.",
		Path: "/matches/likes", Tag: "likes",
	}
	if likes[0].Kind == matching.SuperLike {
		n.Title = likes[0].FirstName + " super liked you"
	}
	if len(likes) > 1 {
		n.Title, n.Body = fmt.Sprintf("%d people like you", len(likes)), "Take a look, and see who you like too."
	}
	for _, like := range likes {
		if like.Kind == matching.SuperLike {
			n.Path += "?celebrate=" + like.ID.String()
			break
		}
	}
	return n
}

// maxLikeAge is the age from which likes are not notified.
const maxLikeAge = 3 * 24 * time.Hour

// claimLikes records that the member is notified of all likes until now. It returns the
// new, unanswered ones, the newest first.
func claimLikes(ctx context.Context, tx pgx.Tx, member uuid.UUID) ([]matching.UnansweredLike, error) {
	var from time.Time
	// The update changes nothing: it locks the row, and makes the statement return it.
	err := tx.QueryRow(ctx, `
		INSERT INTO notification_settings AS n (user_id) VALUES ($1)
		ON CONFLICT (user_id) DO UPDATE SET user_id = n.user_id
		RETURNING greatest(
			n.likes_notified_at,
			(SELECT a.last_active_at FROM member_activities a WHERE a.user_id = $1),
			now() - $2::interval)`, member, maxLikeAge).Scan(&from)
	if err != nil {
		return nil, err
	}
	likes, err := matching.UnansweredSince(ctx, tx, member, from)
	if err != nil || len(likes) == 0 {
		return nil, err
	}
	_, err = tx.Exec(ctx, `UPDATE notification_settings SET likes_notified_at = clock_timestamp() WHERE user_id = $1`, member)
	return likes, err
}
