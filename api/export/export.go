// Package export gives members a file with their own data, which a job makes and which can be
// fetched once. The README.txt in the file lists what is left out.
package export

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/auth"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/feature"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Service requests, makes and returns exports. It is safe for concurrent use.
type Service struct {
	pool  *pgxpool.Pool
	blobs *blobs.Service
	jobs  jobqueue.Inserter
	data  []feature.Data
}

// New returns a Service whose archives have what each feature in data exports. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, b *blobs.Service, jobs jobqueue.Inserter, data []feature.Data) *Service {
	nilcheck.Must("export.New", nilcheck.Deps{"pool": pool, "blobs": b, "jobs": jobs, "data": data})
	return &Service{pool: pool, blobs: b, jobs: jobs, data: data}
}

// DataExport is the state of a member's newest export.
type DataExport struct {
	Status      string     `json:"status" enum:"none,making,ready,fetched,failed" doc:"none also after its end"`
	RequestedAt *time.Time `json:"requestedAt" nullable:"true"`
	FetchedAt   *time.Time `json:"fetchedAt" nullable:"true"`
	ReadyUntil  *time.Time `json:"readyUntil" nullable:"true" doc:"When the file is deleted; null unless it is ready"`
	Bytes       *int64     `json:"bytes" nullable:"true" doc:"The size of the file; null unless it is ready"`
}

// lifetime is how long after its completion an archive can be fetched.
const lifetime = 7 * 24 * time.Hour

var (
	requestsPerMember = limits.Rule{Name: "exports", Count: 3, Per: 7 * 24 * time.Hour, Message: "You can ask for your data three times a week. Please try again later."}
	errMaking         = fault.Declare("export_making", fault.Conflict, "We are already preparing your data.")
	errGone           = fault.Declare("export_gone", fault.NotFound, "This file was downloaded already, or its time is over. You can ask for a new one.")
)

// State returns the state of the member's newest export.
func (s *Service) State(ctx context.Context, member uuid.UUID) (DataExport, error) {
	return selectState(ctx, s.pool, member)
}

// Request starts an export, which replaces an earlier one, and returns its state.
//
// Errors: those of auth.RequireProof; Conflict while one is being made; RateLimited after
// three a week.
func (s *Service) Request(ctx context.Context, actor web.Actor) (DataExport, error) {
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := auth.RequireProof(ctx, tx, actor); err != nil {
			return err
		}
		id, err := uuid.NewV7()
		if err != nil {
			return err
		}
		inserted, err := upsertRequest(ctx, tx, id, actor.ID)
		if err != nil {
			return err
		}
		if !inserted {
			return errMaking
		}
		if err := limits.Allow(ctx, tx, requestsPerMember, actor.ID.String()); err != nil {
			return err
		}
		_, err = s.jobs.InsertTx(ctx, tx, MakeArgs{ExportID: id, MemberID: actor.ID}, nil)
		return err
	})
	if err != nil {
		return DataExport{}, err
	}
	return s.State(ctx, actor.ID)
}

// Link returns the token with which the actor can fetch the archive once, in the next 10 minutes.
// A new token replaces the last one.
//
// Errors: those of auth.RequireProof; NotFound without an archive.
func (s *Service) Link(ctx context.Context, actor web.Actor) (string, error) {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never returns an error
	token := base64.RawURLEncoding.EncodeToString(raw)
	return token, pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := auth.RequireProof(ctx, tx, actor); err != nil {
			return err
		}
		updated, err := updateLink(ctx, tx, actor.ID, hashOf(token))
		if err == nil && !updated {
			return errGone
		}
		return err
	})
}

func hashOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// Archive is an archive that is being fetched. The caller closes Content.
type Archive struct {
	Content io.ReadCloser
	Bytes   int64
	MadeAt  time.Time
}

// Fetch opens the archive that a token of Link names, for the same member. It can be fetched
// once. It returns NotFound for an unknown, used or expired token.
func (s *Service) Fetch(ctx context.Context, actor web.Actor, token string) (Archive, error) {
	found, err := selectArchive(ctx, s.pool, actor.ID, hashOf(token))
	if errors.Is(err, pgx.ErrNoRows) {
		return Archive{}, errGone
	}
	if err != nil {
		return Archive{}, pg.Fault(err)
	}
	// Open the file before claiming the archive, so that it can still be fetched if the file store fails. The file is read
	// until the last byte is sent, after the request's context has ended.
	content, err := s.blobs.Range(context.WithoutCancel(ctx), found.file, blobs.Archive, 0, -1)
	if err != nil {
		return Archive{}, err
	}
	claimed, err := claimArchive(ctx, s.pool, actor.ID, found.file, hashOf(token))
	if err == nil && !claimed {
		err = errGone
	}
	if err != nil {
		return Archive{}, errors.Join(err, content.Close())
	}
	return Archive{Content: content, Bytes: found.bytes, MadeAt: found.madeAt}, nil
}
