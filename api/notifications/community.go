package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/community"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
)

// communityLifetime is how long a push about a post is kept for a device that is offline.
const communityLifetime = 3 * 24 * time.Hour

// CommunityNews is the event of a decision on a member's post, or of a comment on it or a reply to the
// member's comment.
type CommunityNews community.NotifyArgs

func (CommunityNews) eventType() string { return "community" }

// NotifyCommunity announces the news to the member's devices, and enqueues, in the transaction that completes the job, a
// push for each of them. It enqueues none if the news no longer applies.
func (s *Service) NotifyCommunity(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args community.NotifyArgs) error {
	s.announce(args.MemberID)
	return s.pushIfCurrent(ctx, tx, jobs, args.MemberID, CommunityNews(args))
}

func (e CommunityNews) load(ctx context.Context, db pg.DB, _ uuid.UUID, _ Preferences) (Notification, error) {
	news, isCurrent, err := community.NewsFor(ctx, db, community.NotifyArgs(e))
	if err != nil {
		return Notification{}, err
	}
	if !isCurrent {
		return Notification{}, pgx.ErrNoRows
	}
	post := "/community/" + e.PostID.String()
	n := Notification{Category: Community, Path: post, Tag: "community-" + e.PostID.String(), Expires: news.At.Add(communityLifetime)}
	switch e.NewsKind {
	case community.NewsPublished:
		n.Title, n.Body = "Your story is published", "\u201c"+news.Title+"\u201d is on the community board."
	case community.NewsRejected:
		n.Title, n.Body, n.Path = "About your story", "We could not publish it. Open Heartward to read why.", "/community/mine"
	case community.NewsReply:
		n.Title, n.Body = news.From+" replied to you", "On \u201c"+news.Title+"\u201d."
	default:
		n.Title, n.Body = news.From+" commented on your story", "On \u201c"+news.Title+"\u201d."
	}
	return n, nil
}
