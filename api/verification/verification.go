// Package verification is how a member becomes verified: by a selfie in a pose
// that was asked for, which an admin compares with the photos. Being verified
// stays, also when photos are changed later: it says that a person stood behind
// the profile, and reports are there for the rest.
package verification

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Service asks for poses, takes selfies and decisions. Safe for concurrent use.
type Service struct {
	pool    *pgxpool.Pool
	members *members.Service
	blobs   *blobs.Service
}

// New returns a service. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, m *members.Service, b *blobs.Service) *Service {
	nilcheck.Must("verification.New", nilcheck.Deps{"pool": pool, "members": m, "blobs": b})
	return &Service{pool: pool, members: m, blobs: b}
}

// Status is how far the member is.
type Status struct {
	Status      string     `json:"status" enum:"none,asked,pending,approved,rejected"`
	Pose        *string    `json:"pose" nullable:"true" doc:"While one is asked for or waits to be looked at"`
	Instruction *string    `json:"instruction" nullable:"true" doc:"The pose in plain words"`
	Reason      string     `json:"reason" doc:"Why the last selfie was not accepted; else empty"`
	AskedAt     *time.Time `json:"askedAt" nullable:"true"`
}

// Waiting is a selfie to be compared, as admins see it.
type Waiting struct {
	ID          uuid.UUID        `json:"id"`
	User        members.UserCard `json:"user"`
	Photos      []members.Photo  `json:"photos"`
	SelfieURL   string           `json:"selfieUrl"`
	Pose        string           `json:"pose"`
	Instruction string           `json:"instruction"`
	SubmittedAt time.Time        `json:"submittedAt"`
}

var asks = limits.Rule{Name: "verification-asks", Count: 3, Per: 24 * time.Hour}

// Status tells the member's own.
func (s *Service) Status(ctx context.Context, member uuid.UUID) (Status, error) {
	return selectStatus(ctx, s.pool, member)
}

// Ask asks the member for a pose, another one than before. Conflict when the
// member is verified or a selfie waits to be looked at, RateLimited after three
// a day.
func (s *Service) Ask(ctx context.Context, member uuid.UUID) (Status, error) {
	now, err := s.Status(ctx, member)
	if err != nil {
		return now, err
	}
	if err := mayAsk(now.Status); err != nil {
		return now, err
	}
	if err := limits.Allow(ctx, s.pool, asks, member.String()); err != nil {
		if fault.Is(err, fault.RateLimited) {
			err = fault.Limited("You have asked for three poses today. Please try again tomorrow.", fault.From(err).RetryAfter)
		}
		return now, err
	}
	pose := anotherPose(now.Pose)
	err = pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error { return upsertAsked(ctx, tx, member, pose) })
	if err != nil {
		return now, err
	}
	return s.Status(ctx, member)
}

func mayAsk(status string) error {
	switch status {
	case "approved":
		return fault.New(fault.Conflict, "You are verified already.")
	case "pending":
		return fault.New(fault.Conflict, "Your selfie is waiting to be looked at.")
	}
	return nil
}

// Submit takes a picture of size bytes as the selfie in the pose that was asked for, or
// instead of the one that waits. Conflict when no pose was asked for; else it
// fails as adding a photo does.
func (s *Service) Submit(ctx context.Context, member uuid.UUID, file io.ReadSeeker, size int64) (Status, error) {
	now, err := s.Status(ctx, member)
	if err != nil {
		return now, err
	}
	if now.Pose == nil {
		return now, errNotAsked
	}
	if err := s.members.AllowUpload(ctx, member); err != nil {
		return now, err
	}
	upload, err := members.PictureUpload(ctx, file, size)
	if err != nil {
		return now, err
	}
	_, err = s.members.Keep(ctx, member, upload, func(tx pgx.Tx, file uuid.UUID) ([]uuid.UUID, error) {
		return updateSelfie(ctx, tx, member, file)
	})
	if err != nil {
		return now, err
	}
	return s.Status(ctx, member)
}

var errNotAsked = fault.New(fault.Conflict, "Please ask for a pose first.")

// Queue lists the selfies that wait, the longest waiting first, for admins.
func (s *Service) Queue(ctx context.Context, page web.Page) ([]Waiting, string, error) {
	return selectQueue(ctx, s.pool, page)
}

// Decide is an admin's word on a selfie, for which there must be a reason. The
// selfie is deleted; an approved member is verified from now on. NotFound when
// there is no such selfie, Conflict when it was decided otherwise before,
// Forbidden on one's own. The same decision again changes nothing.
func (s *Service) Decide(ctx context.Context, admin, id uuid.UUID, approve bool, reason string) error {
	status := "rejected"
	if approve {
		status = "approved"
	}
	selfie, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (*uuid.UUID, error) {
		v, err := lockVerification(ctx, tx, id)
		switch {
		case err != nil:
			return nil, err
		case v.status == status:
			return nil, nil
		case v.status != "pending":
			return nil, fault.New(fault.Conflict, "This has been decided already.")
		case v.member == admin:
			return nil, fault.New(fault.Forbidden, "Another admin has to decide on your own selfie.")
		}
		err = moderation.Audit(ctx, tx, admin, "verification."+status, v.member, reason, map[string]any{"verification": id, "pose": v.pose})
		if err != nil {
			return nil, err
		}
		return v.selfie, updateDecided(ctx, tx, v, admin, status, reason)
	})
	if err == nil && selfie != nil {
		s.blobs.RemoveNow(ctx, *selfie)
	}
	return err
}

// isNone reports that a query found nothing.
func isNone(err error) bool { return errors.Is(err, pgx.ErrNoRows) }
