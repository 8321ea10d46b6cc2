package export

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// MakeArgs are the arguments of the job that makes an archive.
type MakeArgs struct {
	ExportID uuid.UUID `json:"exportId" river:"unique"`
	MemberID uuid.UUID `json:"memberId"`
}

// Kind returns the name of the job in River.
func (MakeArgs) Kind() string { return "make_export" }

// InsertOpts allow one job per request.
func (MakeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 5, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// ReadyArgs are the arguments of the job that tells a member by mail that the archive is ready.
type ReadyArgs struct {
	ExportID uuid.UUID `json:"exportId" river:"unique"`
	MemberID uuid.UUID `json:"memberId"`
}

// Kind returns the name of the job in River.
func (ReadyArgs) Kind() string { return "announce_export" }

// InsertOpts allow one job per export.
func (ReadyArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}
