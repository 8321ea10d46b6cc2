// Package verification owns the verification of members: a selfie in a requested
// pose, which a moderator compares with the photos. The verification ends when the name or the
// birth date changes, or the first photo becomes one that was not compared; package members
// owns these fields and ends it. Another selfie renews it.
package verification

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/api/queue"
)

// Service stores requested poses, selfies and decisions. It is safe for concurrent
// use.
type Service struct {
	pool  *pgxpool.Pool
	media *media.Service
	blobs *blobs.Service
	jobs  jobqueue.Inserter

	onDecision func(member uuid.UUID) // nil if not set
}

// New returns a service that enqueues its jobs in jobs. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, m *media.Service, b *blobs.Service, jobs jobqueue.Inserter) *Service {
	nilcheck.Must("verification.New", nilcheck.Deps{"pool": pool, "media": m, "blobs": b, "jobs": jobs})
	return &Service{pool: pool, media: m, blobs: b, jobs: jobs}
}

// WatchDecisions sets a function that is called after the commit of each decision on a member's
// selfie. It must be called before the service is used.
func (s *Service) WatchDecisions(fn func(member uuid.UUID)) { s.onDecision = fn }

// Status is the state of a member's verification.
type Status struct {
	Status      string     `json:"status" enum:"none,requested,pending,approved,rejected,ended" doc:"ended if the profile has changed since a selfie was approved"`
	Pose        *string    `json:"pose" nullable:"true" doc:"The requested pose; null unless the status is requested or pending"`
	Instruction *string    `json:"instruction" nullable:"true" doc:"The description of the pose"`
	Reason      string     `json:"reason" doc:"The reason if the last selfie was rejected; otherwise empty"`
	RequestedAt *time.Time `json:"requestedAt" nullable:"true"`
}

// QueuedVerification is a selfie to be decided, without pictures, for moderators.
type QueuedVerification struct {
	ID          uuid.UUID        `json:"id"`
	User        members.UserCard `json:"user" doc:"Name, age and town"`
	SubmittedAt time.Time        `json:"submittedAt"`
}

// PendingSelfie is a selfie to be decided, for the moderator who opened it.
type PendingSelfie struct {
	QueuedVerification
	Photos      []members.Photo `json:"photos"`
	SelfieURL   string          `json:"selfieUrl"`
	Pose        string          `json:"pose"`
	Instruction string          `json:"instruction"`
}

// poseRequests is the daily limit of poses, whose number is a setting.
func poseRequests(perDay int) limits.Rule {
	return limits.Rule{
		Name: "verification-poses", Count: perDay, Per: 24 * time.Hour,
		Message: "You have asked for enough poses today. Please try again tomorrow.",
	}
}

// Status returns the state of the member's verification.
func (s *Service) Status(ctx context.Context, member uuid.UUID) (Status, error) {
	return selectStatus(ctx, s.pool, member)
}

// RequestPose stores a new requested pose, which differs from the previous one. It returns
// Conflict if the member is verified or a selfie is pending, and RateLimited after the calls a day
// that the settings allow.
func (s *Service) RequestPose(ctx context.Context, member uuid.UUID) (Status, error) {
	current, err := s.Status(ctx, member)
	if err != nil {
		return current, err
	}
	if err := checkMayRequest(current.Status); err != nil {
		return current, err
	}
	site, err := members.Site(ctx, s.pool)
	if err != nil {
		return current, err
	}
	if err := limits.Allow(ctx, s.pool, poseRequests(site.PosesPerDay), member.String()); err != nil {
		return current, err
	}
	pose := choosePose(current.Pose)
	err = pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error { return upsertPose(ctx, tx, member, pose) })
	if err != nil {
		return current, err
	}
	return s.Status(ctx, member)
}

var errSelfiePending = fault.New(fault.Conflict, "Your selfie is waiting to be looked at.")

func checkMayRequest(status string) error {
	switch status {
	case "approved":
		return fault.New(fault.Conflict, "You are verified already.")
	case "pending":
		return errSelfiePending
	}
	return nil
}

// Submit makes the selfie from a complete upload for the profile, replacing a pending
// one. Repeating it for the pending selfie changes nothing. It returns Conflict when no
// pose was requested, and the errors of media.Service.AddPicture.
func (s *Service) Submit(ctx context.Context, member, upload uuid.UUID) (Status, error) {
	current, err := s.Status(ctx, member)
	if err != nil {
		return current, err
	}
	if current.Pose == nil {
		return current, errNoPose
	}
	err = s.media.UsePicture(ctx, member, upload, func(tx pgx.Tx) ([]uuid.UUID, error) {
		return updateSelfie(ctx, tx, member, upload)
	})
	if fault.Is(err, fault.NotFound) {
		// A call whose response was lost has used up the upload.
		if submitted, failure := isPendingSelfie(ctx, s.pool, member, upload); failure != nil || !submitted {
			return current, errors.Join(failure, err)
		}
	} else if err != nil {
		return current, err
	}
	return s.Status(ctx, member)
}

var errNoPose = fault.New(fault.Conflict, "Please ask for a pose first.")

// Queue returns a page of pending verifications to a moderator, the oldest first, and the cursor
// of the next page. It omits the moderator's own. It returns Invalid for an invalid cursor.
func (s *Service) Queue(ctx context.Context, moderator uuid.UUID, page web.Page) ([]QueuedVerification, string, error) {
	return selectQueue(ctx, s.pool, moderator, page)
}

// Open returns a pending selfie with the member's photos, and records the access with its
// reason in the audit log. For an hour the moderator can then read the files. It returns NotFound
// for an unknown or decided one and for the moderator's own, Conflict while another moderator has
// it open, and Invalid without a reason.
func (s *Service) Open(ctx context.Context, moderator, id uuid.UUID, reason string) (PendingSelfie, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (PendingSelfie, error) {
		selfie, err := markOpened(ctx, tx, moderator, id)
		if err != nil {
			return selfie, err
		}
		if err := queue.Open(ctx, tx, moderator, queue.Verification, id); err != nil {
			return selfie, err
		}
		return selfie, moderation.Audit(ctx, tx, moderator, "verification.open", selfie.User.ID, reason, map[string]any{"verification": id})
	})
}

// Decide approves or rejects a pending selfie that the moderator has opened within the last day, records
// the decision with its reason in the audit log, and deletes the selfie. The same transaction enqueues a
// mail to the member. Repeating a decision changes nothing.
//
// Errors: Invalid without a reason; NotFound for an unknown selfie; Conflict when it was decided
// differently, and with the code open_first when the moderator has not opened it; Forbidden for the
// moderator's own.
func (s *Service) Decide(ctx context.Context, moderator, id uuid.UUID, approve bool, reason string) error {
	reason, err := moderation.CleanReason(reason)
	if err != nil {
		return err
	}
	status := "rejected"
	if approve {
		status = "approved"
	}
	decided, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (lockedVerification, error) {
		v, err := lockVerification(ctx, tx, id)
		switch {
		case err != nil:
			return v, err
		case v.status == status:
			return lockedVerification{}, nil
		}
		entry := queue.Decidable{Member: v.member, Status: v.status, DecidedBy: v.decidedBy}
		if err := queue.CheckDecidable(ctx, tx, moderator, entry, "Another moderator has to decide on your own selfie."); err != nil {
			return v, err
		}
		if err := moderation.RequireOpened(ctx, tx, true, moderator, "verification.open", "verification", id); err != nil {
			return v, err
		}
		if err := storeDecision(ctx, tx, v, moderator, status, reason); err != nil {
			return v, err
		}
		if err := queue.Close(ctx, tx, queue.Verification, id); err != nil {
			return v, err
		}
		if _, err := s.jobs.InsertTx(ctx, tx, DecisionMailArgs{VerificationID: id}, nil); err != nil {
			return v, err
		}
		detail := map[string]any{"verification": id, "pose": v.pose}
		return v, moderation.Audit(ctx, tx, moderator, "verification."+status, v.member, reason, detail)
	})
	if err != nil {
		return err
	}
	if decided.selfie != nil {
		s.blobs.RemoveNow(ctx, *decided.selfie)
	}
	if decided.id != uuid.Nil && s.onDecision != nil {
		s.onDecision(decided.member)
	}
	return nil
}

// isNoRows reports whether err is pgx.ErrNoRows.
func isNoRows(err error) bool { return errors.Is(err, pgx.ErrNoRows) }
