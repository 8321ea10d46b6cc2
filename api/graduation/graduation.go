// Package graduation owns couples who leave dating together, and the Legacy Wall. A member asks a
// match, who accepts, and a moderator approves. Both are then out of discovery until they choose to
// return. The wall shows a couple while both members want it.
package graduation

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Limits of a couple.
const (
	maxMessage  = 1000
	maxPictures = 3  // of each member
	maxRequests = 20 // that are listed
)

// Service stores couples. It is safe for concurrent use.
type Service struct {
	pool  *pgxpool.Pool
	blobs *blobs.Service
	jobs  jobqueue.Inserter

	onChange     func(ctx context.Context, ids ...uuid.UUID) // nil if not set
	onWallChange func()                                      // nil if not set
}

// New returns a Service that enqueues notifications in jobs. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, b *blobs.Service, jobs jobqueue.Inserter) *Service {
	nilcheck.Must("graduation.New", nilcheck.Deps{"pool": pool, "blobs": b, "jobs": jobs})
	return &Service{pool: pool, blobs: b, jobs: jobs}
}

// Watch sets a function that is called after the commit of each change of a couple, with its
// members. It must be called before the service is used.
func (s *Service) Watch(fn func(ctx context.Context, ids ...uuid.UUID)) { s.onChange = fn }

// WatchWall sets a function that is called after the commit of each change after which the wall may
// show something else. It must be called before the service is used.
func (s *Service) WatchWall(fn func()) { s.onWallChange = fn }

func (s *Service) notifyChanged(ctx context.Context, ids ...uuid.UUID) {
	if s.onChange != nil {
		s.onChange(ctx, ids...)
	}
}

func (s *Service) notifyWallChanged() {
	if s.onWallChange != nil {
		s.onWallChange()
	}
}

// CouplesEnded announces couples and requests that have ended because of a block, an unmatch or a ban, to their members and
// the readers of the wall.
func (s *Service) CouplesEnded(ctx context.Context, couples ...matching.EndedCouple) {
	var ids []uuid.UUID
	wall := false
	for _, couple := range couples {
		ids, wall = append(ids, couple.Members...), wall || couple.WasApproved
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	s.notifyTouched(ctx, touched{members: slices.Compact(ids), wall: wall})
}

// MemberChanged announces that others may see a member or the member's pictures no more or again, to the member, the
// partners and the readers of the wall. Errors are only logged, because each screen asks when it is opened.
func (s *Service) MemberChanged(ctx context.Context, member uuid.UUID) {
	touched, err := selectTouched(ctx, s.pool, member)
	if err != nil {
		slog.WarnContext(ctx, "the change of a couple was not announced", "error", err)
		return
	}
	s.notifyTouched(ctx, touched)
}

func (s *Service) notifyTouched(ctx context.Context, t touched) {
	if len(t.members) > 0 {
		s.notifyChanged(ctx, t.members...)
	}
	if t.wall {
		s.notifyWallChanged()
	}
}

// Couple is the member's own couple.
type Couple struct {
	ID              uuid.UUID         `json:"id"`
	Status          string            `json:"status" enum:"asked,pending,graduated" doc:"asked: waits for the partner; pending: for a moderator"`
	Partner         *members.UserCard `json:"partner" doc:"null before the acceptance if the request named an address: it must not tell whose it is"`
	PartnerAddress  *string           `json:"partnerAddress" nullable:"true" doc:"As the caller typed it, until the partner accepts"`
	LegacyMessage   string            `json:"legacyMessage"`
	OnWall          bool              `json:"onWall" doc:"Whether the caller wants the couple on the wall"`
	PartnerOnWall   bool              `json:"partnerOnWall" doc:"The couple is on the wall when both want it"`
	Pictures        []CouplePicture   `json:"pictures" doc:"The caller's, at most 3"`
	PartnerPictures []CouplePicture   `json:"partnerPictures" doc:"The partner's, at most 3; empty before the acceptance"`
	RequestedAt     time.Time         `json:"requestedAt"`
	GraduatedAt     *time.Time        `json:"graduatedAt" nullable:"true"`

	one uuid.UUID
	two *uuid.UUID
}

// CoupleRequest is a partner's request that waits for the member's answer.
type CoupleRequest struct {
	ID            uuid.UUID        `json:"id"`
	From          members.UserCard `json:"from"`
	LegacyMessage string           `json:"legacyMessage"`
	OnWall        bool             `json:"onWall" doc:"Whether the partner wants the couple on the wall"`
	Pictures      []CouplePicture  `json:"pictures" doc:"The partner's for the wall; the acceptance names them, and agrees to them"`
	RequestedAt   time.Time        `json:"requestedAt"`
}

// EndedCouple is the member's couple that ended last.
type EndedCouple struct {
	Status  string    `json:"status" enum:"declined,rejected,withdrawn"`
	Reason  string    `json:"reason" doc:"Why a moderator rejected it; empty otherwise"`
	EndedAt time.Time `json:"endedAt"`
}

// CoupleState is what a member sees of the own graduation.
type CoupleState struct {
	IsGraduated bool            `json:"isGraduated" doc:"Whether the caller is out of discovery; also after the end of the couple, until the caller returns"`
	Couple      *Couple         `json:"couple"`
	Requests    []CoupleRequest `json:"requests" doc:"Of partners who ask, the newest first, at most 20"`
	Ended       *EndedCouple    `json:"ended" doc:"In the last 90 days; null with a couple"`
}

// TransformSchema makes the partner nullable.
func (Couple) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "partner")
}

// TransformSchema makes the couples nullable.
func (CoupleState) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "couple", "ended")
}

// State returns the member's couple and the requests that wait for the member.
func (s *Service) State(ctx context.Context, member uuid.UUID) (CoupleState, error) {
	state, err := selectState(ctx, s.pool, member)
	return state, pg.Fault(err)
}
