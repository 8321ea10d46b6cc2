package profilereview

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/api/queue"
)

// Decision is a moderator's decision on submissions.
type Decision struct {
	Accept bool
	Reason string // for the audit log; told to a declined member
}

func (d Decision) status() string {
	if d.Accept {
		return "accepted"
	}
	return "declined"
}

// Decide decides on submissions one by one, and returns a result for each in their order. Each
// decision is a transaction with a row in the audit log and a mail to the member. Repeating a
// decision changes nothing.
//
// Problems of a submission: NotFound for an unknown one, also if the member has changed the first
// photo since; Conflict with the code open_first unless the moderator opened it last, within the
// last hour, and when it was decided differently; Forbidden for the moderator's own. Decide returns Invalid without a reason.
func (s *Service) Decide(ctx context.Context, moderator uuid.UUID, ids []uuid.UUID, in Decision) ([]web.RowResult, error) {
	reason, err := moderation.CleanReason(in.Reason)
	if err != nil {
		return nil, err
	}
	in.Reason = reason
	return web.EachRow(ids, func(id uuid.UUID) error { return s.decide(ctx, moderator, id, in) })
}

func (s *Service) decide(ctx context.Context, moderator, id uuid.UUID, in Decision) error {
	decided, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (uuid.UUID, error) {
		r, err := lock(ctx, tx, id)
		switch {
		case err != nil:
			return uuid.Nil, err
		case r.Status == in.status() && (in.Accept || r.Reason == in.Reason):
			return uuid.Nil, nil
		}
		entry := queue.Decidable{Member: r.Member, Status: r.Status, DecidedBy: r.DecidedBy}
		if err := checkDecidable(ctx, tx, moderator, entry, r.OpenedBy, "Another moderator has to decide on your own profile."); err != nil {
			return uuid.Nil, err
		}
		if in.Accept {
			err = accept(ctx, tx, r, moderator)
		} else {
			err = storeDecision(ctx, tx, r, moderator, "declined", in.Reason)
		}
		if err != nil {
			return uuid.Nil, err
		}
		if err := queue.Close(ctx, tx, queue.Profile, id); err != nil {
			return uuid.Nil, err
		}
		if _, err := s.jobs.InsertTx(ctx, tx, OutcomeArgs{ReviewID: id}, nil); err != nil {
			return uuid.Nil, err
		}
		detail := map[string]any{"review": id, "subject": r.Subject}
		return r.Member, moderation.Audit(ctx, tx, moderator, "profile_review."+in.status(), r.Member, in.Reason, detail)
	})
	if err == nil && decided != uuid.Nil {
		s.notifyDecided(ctx, decided)
	}
	return err
}

// checkDecidable is queue.CheckDecidable, and returns Conflict with the code open_first unless the moderator is openedBy,
// who opened the entry last, within the last hour.
func checkDecidable(ctx context.Context, tx pgx.Tx, moderator uuid.UUID, e queue.Decidable, openedBy *uuid.UUID, own string) error {
	if err := queue.CheckDecidable(ctx, tx, moderator, e, own); err != nil {
		return err
	}
	if openedBy == nil || *openedBy != moderator {
		return moderation.ErrOpenFirst
	}
	return nil
}

// accept shows the profile or photo. moderator is Nil when the setting was turned off. A profile is accepted with
// all photos that the moderator saw; a photo alone, so that one declined before does not come back with it.
func accept(ctx context.Context, tx pgx.Tx, r review, moderator uuid.UUID) error {
	var seen time.Time
	switch {
	case r.Subject == "photo":
	case moderator == uuid.Nil:
		seen = time.Now()
	case r.OpenedAt != nil:
		seen = *r.OpenedAt
	}
	if err := members.AcceptPhotos(ctx, tx, r.Member, seen); err != nil {
		return err
	}
	if r.Subject == "profile" {
		if err := members.SetApproved(ctx, tx, r.Member, true); err != nil {
			return err
		}
	}
	return storeDecision(ctx, tx, r, moderator, "accepted", "")
}

// releaseBatch is the number of submissions that Release accepts in a run.
const releaseBatch = 200

// Release accepts submissions that wait although reviews are off, at most releaseBatch, and
// reports whether more remain. It does nothing when reviews are on again.
func (s *Service) Release(ctx context.Context) (more bool, err error) {
	ids, err := selectPending(ctx, s.pool, releaseBatch)
	if err != nil {
		return false, pg.Fault(err)
	}
	for _, id := range ids {
		isOn, err := s.release(ctx, id)
		if err != nil || isOn {
			return false, err
		}
	}
	return len(ids) == releaseBatch, nil
}

// release accepts one submission, unless reviews are on, which it reports.
func (s *Service) release(ctx context.Context, id uuid.UUID) (isOn bool, err error) {
	type released struct {
		member uuid.UUID
		isOn   bool
	}
	done, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (released, error) {
		r, err := lock(ctx, tx, id)
		if fault.Is(err, fault.NotFound) || err == nil && r.Status != "pending" {
			return released{}, nil // decided or submitted again since
		}
		if err != nil {
			return released{}, err
		}
		site, err := members.LockSite(ctx, tx)
		if err != nil || site.ProfileReview {
			return released{isOn: true}, err
		}
		if err := accept(ctx, tx, r, uuid.Nil); err != nil {
			return released{}, err
		}
		_, err = s.jobs.InsertTx(ctx, tx, OutcomeArgs{ReviewID: id}, nil)
		return released{member: r.Member}, err
	})
	if err == nil && done.member != uuid.Nil {
		s.notifyDecided(ctx, done.member)
	}
	return done.isOn, err
}
