package media

import (
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// Queue is worked by processes that have ffmpeg.
const Queue = "media"

// NormaliseArgs asks for a copy of a recording that every browser plays.
type NormaliseArgs struct {
	FileID uuid.UUID `json:"fileId" river:"unique"`
}

// Kind names the job in the queue.
func (NormaliseArgs) Kind() string { return "normalise" }

// InsertOpts keep it from being there twice.
func (NormaliseArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: Queue, MaxAttempts: 5, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: time.Hour}}
}
