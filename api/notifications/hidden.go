package notifications

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/moderation"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
)

// ProfileHidden is the event of a profile that a report hides.
type ProfileHidden moderation.HiddenArgs

func (ProfileHidden) eventType() string { return "profile_hidden" }

// NotifyHidden enqueues, in the transaction that completes the job, a push for each of the member's devices.
func (s *Service) NotifyHidden(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args moderation.HiddenArgs) error {
	member, _, err := moderation.HiddenMember(ctx, tx, args.ReportID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.pushEvent(ctx, tx, jobs, member, Account, ProfileHidden(args))
}

// load returns a notification without the reason, because others may read it on the device.
func (e ProfileHidden) load(ctx context.Context, db pg.DB, _ uuid.UUID, _ Preferences) (Notification, error) {
	_, until, err := moderation.HiddenMember(ctx, db, e.ReportID)
	expires := time.Now().Add(maxLifetime)
	if until != nil {
		expires = *until
	}
	return Notification{
		Category: Account, Title: "Your profile is hidden for now", Body: "A moderator is going to look at it. Tap to read more.",
		Path: "/", Tag: "profile-hidden", Expires: expires, plainTitle: "About your account",
	}, err
}
