package referrals

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
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

// The kinds of news.
const (
	NewsJoined    = "joined"    // a friend has signed up
	NewsCompleted = "completed" // the friend's profile is complete
)

// NotifyArgs are the arguments of the job that notifies a member of a friend.
type NotifyArgs struct {
	NewsKind string    `json:"newsKind" river:"unique"`
	MemberID uuid.UUID `json:"memberId" river:"unique"`
	FriendID uuid.UUID `json:"friendId" river:"unique"`
}

// Kind returns the name of the job.
func (NotifyArgs) Kind() string { return "notify_referral" }

// InsertOpts allow one job for each kind of news of a friend.
func (NotifyArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

func (s *Service) notify(ctx context.Context, tx pgx.Tx, args NotifyArgs) error {
	_, err := s.jobs.InsertTx(ctx, tx, args, nil)
	return err
}
