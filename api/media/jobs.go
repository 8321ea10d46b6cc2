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
