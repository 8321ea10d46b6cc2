package auth

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// NoticeArgs are the arguments of the job that mails a notice. The token of its link is not
// among them, because jobs are stored and shown to admins.
type NoticeArgs struct {
	NoticeID uuid.UUID `json:"noticeId" river:"unique"`
}

// Kind returns the name of the job in River.
func (NoticeArgs) Kind() string { return "security_notice" }

// InsertOpts allow one job per notice.
func (NoticeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}
