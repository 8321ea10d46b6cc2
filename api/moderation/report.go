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

// ReportInput describes a report about a member.
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
	Created  bool      `json:"-"` // false for a repeated report within a day
}

// Report stores a report with a copy of the evidence: the member's profile with its files,
// their like of actor, and the last 50 messages. It also blocks the member. An urgent report
// puts their profile under review at once, if mayHide. A repeated report about the same
// member for the same reason within a day returns the receipt of the first one. Reports are
// not rate limited.
//
// Errors: Invalid for actor's own id and for an invalid description; NotFound for a
// member whom actor cannot have met.
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
	receipt := ReportReceipt{Priority: in.Reason.priority()}
	if err := lockMembers(ctx, tx, actor, in.UserID); err != nil {
		return storedReport{}, err
	}
	if in.content == nil {
		if err := checkCanHaveMet(ctx, tx, actor, in.UserID); err != nil {
			return storedReport{}, err
		}
	}
	if err := members.Lock(ctx, tx, in.UserID); err != nil {
		return storedReport{}, err
	}
	first, err := selectReport(ctx, tx, actor, in)
	if err != nil {
		return storedReport{}, err
	}
	if first != uuid.Nil {
		receipt.ID = first
		ended, err := blockReported(ctx, tx, actor, in)
		return storedReport{receipt: receipt, ended: ended}, err
	}
	receipt.Created = true
	if receipt.ID, err = uuid.NewV7(); err != nil {
		return storedReport{}, err
	}
	hides, err := hide(ctx, tx, actor, in)
	if err != nil {
		return storedReport{}, err
	}
	ended, err := blockReported(ctx, tx, actor, in)
	if err != nil {
		return storedReport{}, err
	}
	evidence, err := collectEvidence(ctx, tx, actor, in)
	if err != nil {
		return storedReport{}, err
	}
	overLimit, err := insertReport(ctx, tx, receipt, actor, in, evidence, hides)
	if err != nil {
		return storedReport{}, err
	}
	if receipt.Priority == 0 && !overLimit {
		if err := s.enqueueAlerts(ctx, tx, receipt.ID); err != nil {
			return storedReport{}, err
		}
	}
	stored := storedReport{receipt: receipt, ended: ended, hides: hides}
	if hides {
		if stored.sessions, err = auth.SessionIDs(ctx, tx, in.UserID); err != nil {
			return storedReport{}, err
		}
	}
	return stored, storeReportFiles(ctx, tx, receipt.ID, in, evidence)
}

// blockReported blocks the reported member, unless the report is about what they wrote.
func blockReported(ctx context.Context, tx pgx.Tx, actor uuid.UUID, in ReportInput) (matching.Ended, error) {
	if in.content != nil {
		return matching.Ended{}, nil
	}
	return block(ctx, tx, actor, in.UserID)
}

// storeReportFiles stores the files of the evidence: those of the member, or the picture of the post.
func storeReportFiles(ctx context.Context, tx pgx.Tx, report uuid.UUID, in ReportInput, evidence Evidence) error {
	if in.content == nil {
		return storeFiles(ctx, tx, report, in.UserID, evidence.Messages)
	}
	_, err := tx.Exec(ctx, `SELECT store_post_evidence($1, $2)`, report, in.content.FileID)
	return err
}

// hide puts the profile of the reported member under review if the report is urgent and
// mayHide, and reports whether the report is to keep it there.
func hide(ctx context.Context, tx pgx.Tx, actor uuid.UUID, in ReportInput) (bool, error) {
	if in.Reason.priority() > 0 {
		return false, nil
	}
	may, err := selectMayHide(ctx, tx, actor, in.UserID)
	if err != nil || !may {
		return false, err
	}
	return true, members.PutUnderReview(ctx, tx, in.UserID)
}
