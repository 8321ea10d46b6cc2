package media

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"heartward/api/members"
	"heartward/api/platform/files"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
)

// Limits of what members send each other.
const (
	MaxUpload = members.MaxRecording // bytes of one
	waiting   = 10                   // uploads of a member that are not whole yet
	mostParts = 512                  // of one upload; a whole one by large parts has some fifty
	Lifetime  = 24 * time.Hour       // of an upload, and of a file that nobody sends
)

var daily = limits.Rule{Name: "media", Count: 200, Per: 24 * time.Hour}

// What one process does at once. A part is in memory while it comes, and a file
// on the disk while it is looked into.
const (
	partBytes   = 512 << 10
	partsAtOnce = 96
	partsEach   = 3 // of one member
	filesRoom   = 256 << 20
)

// Inserter puts a job into the transaction of the change that causes it; a
// River client is one.
type Inserter interface {
	InsertTx(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error)
}

// Service takes uploads and makes files of them. Safe for concurrent use.
type Service struct {
	pool    *pgxpool.Pool
	files   *files.Store
	members *members.Service
	jobs    Inserter
	ffmpeg  *FFmpeg // nil: recordings stay as they are

	parts     *semaphore.Weighted
	room      *semaphore.Weighted
	finishing singleflight.Group
	mu        sync.Mutex
	receiving map[uuid.UUID]int // parts that are coming, by member
}

// New makes the service. Recordings are normalised where ffmpeg is given, those
// of profiles too; nil stands for a machine without it. It panics when another
// dependency is nil.
func New(pool *pgxpool.Pool, store *files.Store, m *members.Service, jobs Inserter, ffmpeg *FFmpeg) *Service {
	nilcheck.Must("media.New", nilcheck.Deps{"pool": pool, "store": store, "members": m, "jobs": jobs})
	s := &Service{
		pool: pool, files: store, members: m, jobs: jobs, ffmpeg: ffmpeg,
		parts: semaphore.NewWeighted(partsAtOnce), room: semaphore.NewWeighted(filesRoom), receiving: map[uuid.UUID]int{},
	}
	m.WatchRecordings(s.normaliseLater)
	return s
}

// normaliseLater asks for the copy of a recording that every browser plays, in
// the transaction that keeps it; without ffmpeg there will be none.
func (s *Service) normaliseLater(ctx context.Context, tx pgx.Tx, file uuid.UUID) error {
	if s.ffmpeg == nil {
		return nil
	}
	_, err := s.jobs.InsertTx(ctx, tx, NormaliseArgs{FileID: file}, nil)
	return err
}

// Normalises reports whether this process works on recordings.
func (s *Service) Normalises() bool { return s.ffmpeg != nil }
