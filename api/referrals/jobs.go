package referrals

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// SendArgs are the arguments of the job that mails an invitation.
type SendArgs struct {
	ReferralID uuid.UUID `json:"referralId" river:"unique"`
}

// Kind returns the name of the job in River.
func (SendArgs) Kind() string { return "send_invitation" }

// InsertOpts allow one job for an invitation, and limit the attempts: with River's delays the last one is
// about a quarter of an hour after the first.
func (SendArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 6, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}
