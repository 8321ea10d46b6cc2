package media

import (
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// Queue is the queue of the jobs that need ffmpeg.
const Queue = "media"

// NormaliseArgs are the arguments of the job that transcodes a recording to a
// format that every browser plays.
type NormaliseArgs struct {
	FileID uuid.UUID `json:"fileId" river:"unique"`
}

// Kind returns the name of the job in River.
func (NormaliseArgs) Kind() string { return "normalise" }

// InsertOpts allow one job per file and hour.
func (NormaliseArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: Queue, MaxAttempts: 5, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: time.Hour}}
}

// ReviewQueue is a separate queue, so that a slow moderation endpoint does not delay other
// jobs.
const ReviewQueue = "review"

// ReviewArgs are the arguments of the job by which the external moderation classifies a
// picture or video of a profile.
type ReviewArgs struct {
	FileID uuid.UUID `json:"fileId" river:"unique"`
}

// Kind returns the name of the job in River.
func (ReviewArgs) Kind() string { return "review_picture" }

// InsertOpts allow one job per file, and limit the attempts if the endpoint does not respond.
func (ReviewArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 6, Queue: ReviewQueue, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// CompareArgs are the arguments of the job that compares a photo of a profile with those of banned
// members.
type CompareArgs struct {
	FileID uuid.UUID `json:"fileId" river:"unique"`
}

// Kind returns the name of the job in River.
func (CompareArgs) Kind() string { return "compare_photo" }

// InsertOpts allow one job per file.
func (CompareArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}
