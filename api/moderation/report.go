package moderation

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/auth"
	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// Reason is the reason of a report.
type Reason string

// priorities are the priorities of urgent reasons. All other reasons have priority 2.
var priorities = map[Reason]int{
	"underage": 0, "threat": 0, "assault": 0, "nonconsensual_images": 0,
	"scam": 1, "hate": 1,
}

func (r Reason) priority() int {
	if p, urgent := priorities[r]; urgent {
		return p
	}
	return 2
}

const (
	maxDescription = 2000
	reportsPerDay  = 20 // by one member; further reports are accepted and reviewed last
)

// ReportInput is a report about a member, or about a post or comment of the member.
type ReportInput struct {
	UserID      uuid.UUID
	Reason      Reason
	Description string
	Place       string // the screen on which the member was shown

	content *ReportedContent // nil for a report about the member
}

// ReportReceipt is the result of a report.
type ReportReceipt struct {
	ID       uuid.UUID `json:"id"`
	Priority int       `json:"priority" minimum:"0" maximum:"2" doc:"0 is the most urgent"`
	Created  bool      `json:"-"` // false for a repetition, and for an addition to an open report
}

// Report stores a report with a copy of the evidence: the member's profile with its files,
// their like of actor, and the last 50 messages. It also blocks the member. An urgent report
// puts their profile under review at once, by the rules of hidingOf. There is one open report of a
// member about another: a further one is added to it as new evidence, and one with the same
// reason and words within a day changes nothing. Both return its receipt. Reports are not rate limited.
//
// Errors: Invalid for actor's own id and for an invalid description; NotFound for a
// member whom actor cannot have met; Conflict for too many additions.
func (s *Service) Report(ctx context.Context, actor web.Actor, in ReportInput) (ReportReceipt, error) {
	if actor.ID == in.UserID {
		return ReportReceipt{}, fault.InvalidField("userId", "You can't report yourself.")
	}
	var err error
	if in.Description, err = text.Lines("description", in.Description, maxDescription); err != nil {
		return ReportReceipt{}, err
	}
	stored, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (storedReport, error) { return s.report(ctx, tx, actor.ID, in) })
	if err != nil {
		return ReportReceipt{}, err
	}
	s.matching.PublishEnd(stored.ended)
	if stored.hides {
		auth.PublishEnded(s.events, stored.sessions...)
		s.notifyStatusChange(ctx, in.UserID)
	}
	return stored.receipt, nil
}

// storedReport is the result of the transaction of Report.
type storedReport struct {
	receipt ReportReceipt
	ended   matching.Ended
	hides   bool // puts the profile of the member under review

	sessions []uuid.UUID // of a member who is put under review: their sockets are to be closed
}

// report runs in the transaction of Report. It locks the member first, so that two reports
// and a change of the profile's files are serialized. It blocks the member before it reads the
// evidence: the block waits for messages that are being stored, so that they are included.
// A profile is hidden before the block, in the order of locks of a suspension.
func (s *Service) report(ctx context.Context, tx pgx.Tx, actor uuid.UUID, in ReportInput) (storedReport, error) {
	if err := lockReported(ctx, tx, actor, in); err != nil {
		return storedReport{}, err
	}
	earlier, err := selectEarlierReport(ctx, tx, actor, in)
	if err != nil {
		return storedReport{}, err
	}
	stored := storedReport{receipt: ReportReceipt{ID: earlier.id, Priority: in.Reason.priority()}}
	if earlier.isSame {
		stored.ended, err = s.blockReported(ctx, tx, actor, in)
		return stored, err
	}
	overLimit := earlier.overLimit
	if !earlier.isOpen {
		stored.receipt.Created = true
		if stored.receipt.ID, err = uuid.NewV7(); err != nil {
			return storedReport{}, err
		}
		if overLimit, err = isOverLimit(ctx, tx, actor); err != nil {
			return storedReport{}, err
		}
	}
	var h hiding
	if !overLimit { // a report beyond the daily limit neither hides the profile nor alerts anybody
		if h, err = hidingOf(ctx, tx, actor, in); err != nil {
			return storedReport{}, err
		}
	}
	if h.hides {
		stored.hides = true
		if err := s.startHiding(ctx, tx, stored.receipt.ID, in.UserID, h); err != nil {
			return storedReport{}, err
		}
		if stored.sessions, err = s.endSockets(ctx, tx, in.UserID); err != nil {
			return storedReport{}, err
		}
	}
	if stored.ended, err = s.blockReported(ctx, tx, actor, in); err != nil {
		return storedReport{}, err
	}
	becomesUrgent := in.Reason.priority() == 0 && (stored.receipt.Created || earlier.priority > 0)
	if becomesUrgent && !overLimit {
		if err := s.enqueueAlert(ctx, tx, stored.receipt.ID); err != nil {
			return storedReport{}, err
		}
	}
	if stored.receipt.Created {
		if err := s.enqueueStaffReport(ctx, tx, stored.receipt.ID, in.UserID); err != nil {
			return storedReport{}, err
		}
	}
	return stored, storeReport(ctx, tx, stored.receipt, actor, in, h, overLimit)
}

// endSockets enqueues the job that closes the sockets of a member who is put under review, and returns the ids of the sessions.
func (s *Service) endSockets(ctx context.Context, tx pgx.Tx, member uuid.UUID) ([]uuid.UUID, error) {
	sessions, err := auth.SessionIDs(ctx, tx, member)
	if err != nil {
		return nil, err
	}
	return sessions, auth.EnqueueEnded(ctx, tx, s.jobs, sessions...)
}

// lockReported takes the locks of a report. It returns NotFound for a member whom actor cannot have met.
func lockReported(ctx context.Context, tx pgx.Tx, actor uuid.UUID, in ReportInput) error {
	if err := lockMembers(ctx, tx, actor, in.UserID); err != nil {
		return err
	}
	if in.content == nil {
		if err := checkCanHaveMet(ctx, tx, actor, in.UserID); err != nil {
			return err
		}
	}
	return members.Lock(ctx, tx, in.UserID)
}

// storeReport stores a new report, or the addition to an open one, with the evidence and its files.
func storeReport(ctx context.Context, tx pgx.Tx, receipt ReportReceipt, actor uuid.UUID, in ReportInput, h hiding, overLimit bool) error {
	evidence, err := collectEvidence(ctx, tx, actor, in)
	if err != nil {
		return err
	}
	if receipt.Created {
		err = insertReport(ctx, tx, receipt, actor, in, evidence, h, overLimit)
	} else {
		err = insertAddition(ctx, tx, receipt.ID, in, evidence, h)
	}
	if err != nil {
		return err
	}
	return storeReportFiles(ctx, tx, receipt.ID, in, evidence)
}

// blockReported blocks the reported member, unless the report is about what they wrote.
func (s *Service) blockReported(ctx context.Context, tx pgx.Tx, actor uuid.UUID, in ReportInput) (matching.Ended, error) {
	if in.content != nil {
		return matching.Ended{}, nil
	}
	return s.block(ctx, tx, actor, in.UserID)
}

// storeReportFiles stores the files of the evidence: those of the member, or the picture of the post.
func storeReportFiles(ctx context.Context, tx pgx.Tx, report uuid.UUID, in ReportInput, evidence Evidence) error {
	if in.content == nil {
		return storeFiles(ctx, tx, report, in.UserID, evidence.Messages)
	}
	_, err := tx.Exec(ctx, `SELECT store_post_evidence($1, $2)`, report, in.content.FileID)
	return err
}
