// Package media owns uploads, and makes from them the pictures, voice messages and videos
// of messages, and the pictures and recordings of profiles.
package media

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
)

// Limits of uploads.
const (
	MaxUpload     = 25 << 20       // bytes per upload
	maxIncomplete = 10             // incomplete uploads per member and purpose
	maxParts      = 512            // per upload; about 50 if all parts are full
	Lifetime      = 24 * time.Hour // of an upload, and of a file that is not sent
)

// Purpose is what an upload is for. Uploads for the profile do not count against the
// limits of those for messages.
type Purpose string

// Purposes of uploads.
const (
	ForMessage Purpose = "message"
	ForProfile Purpose = "profile" // also for the selfie of a verification
)

// field is the field of the request that names an upload for the purpose.
func (p Purpose) field() string {
	if p == ForProfile {
		return "uploadId"
	}
	return "path.id"
}

// daily limits the creation of uploads. A file of a profile may have a second upload,
// for the picture of a video.
var daily = map[Purpose]limits.Rule{
	ForMessage: {Name: "media", Count: 200, Per: 24 * time.Hour, Message: "You have sent two hundred files today. Please continue tomorrow."},
	ForProfile: {Name: "profile-media", Count: 60, Per: 24 * time.Hour, Message: "You have uploaded many files today. Please continue tomorrow."},
}

// profileFiles limits the files that are made for profiles, also the refused ones. Their number is a
// setting.
func profileFiles(perDay int) limits.Rule {
	return limits.Rule{Name: "uploads", Count: perDay, Per: 24 * time.Hour, Message: "You have uploaded many files today. Please continue tomorrow."}
}

// Limits of a process. A part is buffered in memory while it is received, and a
// file is on the disk while it is inspected.
const (
	partBytes            = 512 << 10 // bytes per part
	maxRequests          = 96        // concurrent requests
	maxRequestsPerMember = 3         // concurrent requests per member
	maxTempBytes         = 256 << 20 // bytes of temporary files
)

// Service receives uploads and makes files from them. It is safe for concurrent
// use.
type Service struct {
	pool    *pgxpool.Pool
	blobs   *blobs.Service
	members *members.Service
	jobs    jobqueue.Inserter
	ffmpeg  *FFmpeg // nil: recordings are not normalised
	review  bool    // EnableReview was called

	requests  *semaphore.Weighted // requests that send parts
	space     *semaphore.Weighted // bytes of temporary files
	finishing singleflight.Group  // joins concurrent calls on this node that make the same file
	mu        sync.Mutex
	receiving map[uuid.UUID]int // requests that send parts, by member; guarded by mu
}

// New returns a Service. If ffmpeg is not nil, recordings are normalised. It panics
// when another dependency is nil.
func New(pool *pgxpool.Pool, b *blobs.Service, m *members.Service, jobs jobqueue.Inserter, ffmpeg *FFmpeg) *Service {
	nilcheck.Must("media.New", nilcheck.Deps{"pool": pool, "blobs": b, "members": m, "jobs": jobs})
	return &Service{
		pool: pool, blobs: b, members: m, jobs: jobs, ffmpeg: ffmpeg,
		requests: semaphore.NewWeighted(maxRequests), space: semaphore.NewWeighted(maxTempBytes), receiving: map[uuid.UUID]int{},
	}
}

// enqueueNormalise enqueues the normalisation of a recording in the transaction that
// stores it. Without ffmpeg it does nothing.
func (s *Service) enqueueNormalise(ctx context.Context, tx pgx.Tx, file uuid.UUID) error {
	if s.ffmpeg == nil {
		return nil
	}
	_, err := s.jobs.InsertTx(ctx, tx, NormaliseArgs{FileID: file}, nil)
	return err
}

// CanNormalise reports whether this process normalises recordings.
func (s *Service) CanNormalise() bool { return s.ffmpeg != nil }
