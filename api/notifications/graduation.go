package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/graduation"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
)

// graduationLifetime is how long a push about a couple is kept for a device that is offline.
const graduationLifetime = 7 * 24 * time.Hour

// GraduationNews is the event of a partner's request or answer, or of a moderator's decision on a couple.
type GraduationNews graduation.NotifyArgs

func (GraduationNews) eventType() string { return "graduation" }

// NotifyGraduation enqueues, in the transaction that completes the job, a push for each device of
// the member. It enqueues none if the couple's status has changed since.
func (s *Service) NotifyGraduation(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args graduation.NotifyArgs) error {
	return s.pushIfCurrent(ctx, tx, jobs, args.MemberID, GraduationNews(args))
}

func (e GraduationNews) load(ctx context.Context, db pg.DB, _ uuid.UUID, _ Preferences) (Notification, error) {
	news, isCurrent, err := graduation.NewsFor(ctx, db, graduation.NotifyArgs(e))
	if err != nil {
		return Notification{}, err
	}
	if !isCurrent {
		return Notification{}, pgx.ErrNoRows
	}
	n := Notification{
		Category: Graduation, Path: "/graduation", Tag: "graduation-" + e.CoupleID.String(), Expires: news.At.Add(graduationLifetime),
	}
	switch e.Status {
	case "graduated":
		n.Title, n.Body = "You have graduated!", "You and "+news.With+" are graduates. Congratulations!"
	case "rejected":
		n.Title, n.Body = "About your graduation", "We could not approve it. Open Heartward to read why."
	case "pending":
		n.Title, n.Body = news.With+" would love to graduate with you", "A moderator looks at it now."
	case "declined":
		n.Title, n.Body = "About your graduation", news.With+" would rather wait."
	default:
		n.Title, n.Body = news.With+" wants to graduate with you", "Open Heartward to answer."
	}
	return n, nil
}
