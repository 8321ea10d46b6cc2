// Package moments stores what members can share outside the app: a match, a badge, or a friend who
// joined. The other member of a match is named only with their consent.
package moments

import (
	"context"
	"errors"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/badges"
	"heartward/api/media"
	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

const maxCaption = 280

// Service stores moments. It is safe for concurrent use.
type Service struct {
	pool  *pgxpool.Pool
	media *media.Service
	jobs  jobqueue.Inserter

	onChange func(member uuid.UUID) // nil if not set
}

// New returns a Service that enqueues its jobs in jobs. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, files *media.Service, jobs jobqueue.Inserter) *Service {
	nilcheck.Must("moments.New", nilcheck.Deps{"pool": pool, "files": files, "jobs": jobs})
	return &Service{pool: pool, media: files, jobs: jobs}
}

// Watch sets a function that is called after the commit of each change that another member has made
// to a member's moments or requests. It must be called before the service is used.
func (s *Service) Watch(fn func(member uuid.UUID)) { s.onChange = fn }

// Announce calls the function of Watch.
func (s *Service) Announce(member uuid.UUID) {
	if s.onChange != nil {
		s.onChange(member)
	}
}

// Kind is the type of a moment.
type Kind string

// The types.
const (
	Match    Kind = "match"
	Badge    Kind = "badge"
	Referral Kind = "referral"
)

// Peer is the other member of a match. It has no photo: no moment shows one of another member.
type Peer struct {
	ID        uuid.UUID `json:"id"`
	FirstName string    `json:"firstName"`
}

// Moment is one of the member's moments.
type Moment struct {
	ID         uuid.UUID          `json:"id"`
	MomentType Kind               `json:"momentType" enum:"match,badge,referral"`
	Title      string             `json:"title"`
	Caption    string             `json:"caption"`
	ImageURL   *string            `json:"imageUrl" nullable:"true" doc:"The stored picture, readable by its member only; null before the app has drawn it"`
	ShareCount int                `json:"shareCount"`
	CreatedAt  time.Time          `json:"createdAt"`
	Badge      *badges.Definition `json:"badge" doc:"The badge; null for other types"`
	Peer       *Peer              `json:"peer" doc:"The other member while the match is open; null for other types"`
	Consent    string             `json:"consent" enum:"none,asked,given" doc:"given: the picture may show the first name of peer, never a photo"`

	imageID *uuid.UUID
	peerID  *uuid.UUID
}

// TransformSchema makes the badge and the peer nullable.
func (Moment) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "badge", "peer")
}

// List returns a page of the member's moments, the newest first, and the cursor of the next page,
// empty after the last. It returns Invalid for a malformed cursor.
func (s *Service) List(ctx context.Context, member uuid.UUID, page web.Page) ([]Moment, string, error) {
	list := web.List{Name: "moments", Member: member}
	after := web.StartCursor
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectMoments(ctx, s.pool, member, after, page.Limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	rows, next := web.Paginate(list, rows, page.Limit, func(m Moment) web.Cursor { return web.Cursor{At: m.CreatedAt, ID: m.ID} })
	return rows, next, pg.Fault(fillResponse(ctx, s.pool, member, rows))
}

func (s *Service) get(ctx context.Context, member, id uuid.UUID) (Moment, error) {
	row, err := selectMoment(ctx, s.pool, member, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return row, notFound()
	}
	if err != nil {
		return row, pg.Fault(err)
	}
	rows := []Moment{row}
	err = fillResponse(ctx, s.pool, member, rows)
	return rows[0], pg.Fault(err)
}

// Subject is something that happened and has no moment.
type Subject struct {
	ID     uuid.UUID `json:"id"`
	Title  string    `json:"title" doc:"The badge's name, or the other member's first name; empty for a friend"`
	At     time.Time `json:"at"`
	peerID *uuid.UUID
}

// maxSubjects is the number of subjects that are listed.
const maxSubjects = 50

// Subjects returns what happened to the member and has no moment, the newest first, at most 50.
func (s *Service) Subjects(ctx context.Context, member uuid.UUID, kind Kind) ([]Subject, error) {
	list, err := selectSubjects(ctx, s.pool, member, kind)
	return list, pg.Fault(err)
}

var madePerMember = limits.Rule{Name: "moments", Count: 50, Per: 24 * time.Hour,
	Message: "You have made many moments today. Please try again tomorrow."}

// Create makes a moment of something that happened to the member. created is false if there was one
// already, which is returned. It returns NotFound for something that did not happen to the member,
// and RateLimited after 50 a day.
func (s *Service) Create(ctx context.Context, member uuid.UUID, kind Kind, subject uuid.UUID) (m Moment, created bool, err error) {
	type made struct {
		id      uuid.UUID
		created bool
	}
	result, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (made, error) {
		id, err := insertMoment(ctx, tx, member, kind, subject)
		if err != nil || id == uuid.Nil {
			return made{}, err
		}
		return made{id, true}, limits.Allow(ctx, tx, madePerMember, member.String())
	})
	if err != nil {
		return m, false, err
	}
	if result.id == uuid.Nil {
		if result.id, err = selectMomentID(ctx, s.pool, member, kind, subject); err != nil {
			return m, false, err
		}
	}
	m, err = s.get(ctx, member, result.id)
	return m, result.created, err
}

// SetCaption changes the words of a moment. It returns NotFound for another member's moment, and
// Invalid for more than 280 characters.
func (s *Service) SetCaption(ctx context.Context, member, id uuid.UUID, caption string) (Moment, error) {
	caption, err := text.Lines("caption", caption, maxCaption)
	if err != nil {
		return Moment{}, err
	}
	if err := updateCaption(ctx, s.pool, member, id, caption); err != nil {
		return Moment{}, err
	}
	return s.get(ctx, member, id)
}

// Delete deletes a moment with its picture. It returns NotFound unless the moment is one of the
// member's.
func (s *Service) Delete(ctx context.Context, member, id uuid.UUID) error {
	tag, err := s.pool.Exec(ctx, `DELETE FROM shareable_moments WHERE id = $1 AND user_id = $2`, id, member)
	if err == nil && tag.RowsAffected() == 0 {
		return notFound()
	}
	return pg.Fault(err)
}

var sharesPerMember = limits.Rule{Name: "moment shares", Count: 60, Per: time.Minute, Burst: 30,
	Message: "You have shared a lot. Please wait a moment."}

// Share counts that the member has shared a moment, once for each client id, and returns the count.
// It returns NotFound for another member's moment, and RateLimited after 60 a minute.
func (s *Service) Share(ctx context.Context, member, id, clientID uuid.UUID, channel string) (int, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (int, error) {
		count, repeated, err := insertShare(ctx, tx, member, id, clientID, channel)
		if err != nil || repeated {
			return count, err
		}
		return count, limits.Allow(ctx, tx, sharesPerMember, member.String())
	})
}

// SetPicture stores the picture of a moment from a complete upload for the profile. It returns
// NotFound for another member's moment or upload, and the errors of media.UsePicture.
func (s *Service) SetPicture(ctx context.Context, member, id, upload uuid.UUID) (Moment, error) {
	err := s.media.UsePicture(ctx, member, upload, func(tx pgx.Tx) ([]uuid.UUID, error) {
		return updatePicture(ctx, tx, member, id, upload)
	})
	if fault.Is(err, fault.NotFound) { // a repeated call finds its upload used
		if m, getErr := s.get(ctx, member, id); getErr == nil && m.imageID != nil && *m.imageID == upload {
			return m, nil
		}
	}
	if err != nil {
		return Moment{}, err
	}
	return s.get(ctx, member, id)
}

func notFound() error { return fault.New(fault.NotFound, "We could not find that.") }
