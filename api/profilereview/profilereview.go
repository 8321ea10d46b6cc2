// Package profilereview owns the review of new profiles and new first photos, which others
// cannot see until a moderator accepts them. It is off until an admin turns it on. Package
// members submits profiles and photos by SQL functions of this feature, and owns what hides them.
package profilereview

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/api/queue"
)

// Service stores submissions and decisions. It is safe for concurrent use.
type Service struct {
	pool *pgxpool.Pool
	jobs jobqueue.Inserter

	onDecision func(ctx context.Context, member uuid.UUID) // nil if not set
}

// New returns a Service that enqueues mails in jobs. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, jobs jobqueue.Inserter) *Service {
	nilcheck.Must("profilereview.New", nilcheck.Deps{"pool": pool, "jobs": jobs})
	return &Service{pool: pool, jobs: jobs}
}

// WatchDecisions sets a function that is called after the commit of each decision on a member's
// submission. It must be called before the service is used.
func (s *Service) WatchDecisions(fn func(ctx context.Context, member uuid.UUID)) { s.onDecision = fn }

// ReviewStatus is the state of a member's own submission.
type ReviewStatus struct {
	Status      string     `json:"status" enum:"none,pending,declined" doc:"none: nothing of the member waits"`
	Subject     *string    `json:"subject" nullable:"true" enum:"profile,photo" doc:"What others do not see until it is accepted; photo: the first photo"`
	Reason      string     `json:"reason" doc:"Why it was declined; empty otherwise"`
	SubmittedAt *time.Time `json:"submittedAt" nullable:"true"`
}

// QueuedProfile is a submission in the queue, without its contents.
type QueuedProfile struct {
	ID          uuid.UUID        `json:"id" doc:"Another one when the member changes the first photo"`
	Subject     string           `json:"subject" enum:"profile,photo"`
	User        members.UserCard `json:"user" doc:"Name, age and town"`
	SubmittedAt time.Time        `json:"submittedAt"`
	Opened      bool             `json:"opened" doc:"Whether the caller opened it last, within the last hour, and so may decide on it"`
}

// OpenedProfile is a submission with the profile.
type OpenedProfile struct {
	QueuedProfile
	Profile members.PublicMember `json:"profile" doc:"Its files can be read for an hour"`
}

// Status returns the state of the member's own submission.
func (s *Service) Status(ctx context.Context, member uuid.UUID) (ReviewStatus, error) {
	return selectStatus(ctx, s.pool, member)
}

// Resubmit puts a declined profile into the queue again. A repetition changes nothing. While
// reviews are off the profile is shown at once. It returns Conflict if the member's profile was
// not declined; a declined photo needs another photo.
func (s *Service) Resubmit(ctx context.Context, member uuid.UUID) (ReviewStatus, error) {
	shown, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (bool, error) {
		if err := members.Lock(ctx, tx, member); err != nil {
			return false, err
		}
		r, err := lockOf(ctx, tx, member)
		switch {
		case err != nil:
			return false, err
		case r.Status == "pending":
			return false, nil
		case r.Status != "declined" || r.Subject != "profile":
			return false, fault.New(fault.Conflict, "There is nothing to look at again.")
		}
		site, err := members.LockSite(ctx, tx)
		if err != nil {
			return false, err
		}
		if site.ProfileReview {
			return false, resubmit(ctx, tx, member)
		}
		return true, accept(ctx, tx, r, uuid.Nil)
	})
	if err != nil {
		return ReviewStatus{}, err
	}
	if shown {
		s.notifyDecided(ctx, member)
	}
	return s.Status(ctx, member)
}

func (s *Service) notifyDecided(ctx context.Context, member uuid.UUID) {
	if s.onDecision != nil {
		s.onDecision(ctx, member)
	}
}

// Queue returns a page of the submissions that wait, the oldest first, and the cursor of the next
// page. It omits the moderator's own. It returns Invalid for an invalid cursor.
func (s *Service) Queue(ctx context.Context, moderator uuid.UUID, page web.Page) ([]QueuedProfile, string, error) {
	list := web.List{Name: "profile-reviews", Member: moderator}
	var after web.Cursor
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectQueue(ctx, s.pool, moderator, after, page.Limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	rows, next := web.Paginate(list, rows, page.Limit, func(q QueuedProfile) web.Cursor { return web.Cursor{At: q.SubmittedAt, ID: q.ID} })
	return rows, next, complete(ctx, s.pool, rows)
}

// Open returns a submission that waits with the profile, whose files the moderator can then read
// for an hour, and records the access with its reason in the audit log. It returns NotFound for an
// unknown or decided submission and for the moderator's own, Conflict while another moderator has it
// open, and Invalid without a reason.
func (s *Service) Open(ctx context.Context, moderator, id uuid.UUID, reason string) (OpenedProfile, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (OpenedProfile, error) {
		queued, err := markOpened(ctx, tx, moderator, id)
		if err != nil {
			return OpenedProfile{}, err
		}
		if err := queue.Open(ctx, tx, moderator, queue.Profile, id); err != nil {
			return OpenedProfile{}, err
		}
		rows := []QueuedProfile{queued}
		if err := complete(ctx, tx, rows); err != nil {
			return OpenedProfile{}, err
		}
		profiles, err := members.PublicForModerators(ctx, tx, []uuid.UUID{queued.User.ID})
		if err != nil {
			return OpenedProfile{}, err
		}
		opened := OpenedProfile{QueuedProfile: rows[0], Profile: profiles[queued.User.ID]}
		return opened, moderation.Audit(ctx, tx, moderator, "profile_review.open", queued.User.ID, reason, map[string]any{"review": id})
	})
}
