package moderation

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Reason is why a member is reported.
type Reason string

// How soon a person looks at a report, by its priority.
var respondWithinHours = [...]int{1, 24, 72}

// priorities of the reasons that cannot wait; all others have 2.
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
	reportsADay    = 20 // those beyond are looked at last, and never refused
)

// ReportInput is what a member says of another.
type ReportInput struct {
	UserID      uuid.UUID
	Reason      Reason
	Description string
	Place       string // where the member was shown
}

// ReportReceipt is what the reporter gets.
type ReportReceipt struct {
	ID                 uuid.UUID `json:"id"`
	Priority           int       `json:"priority" minimum:"0" maximum:"2" doc:"0 is the most urgent"`
	RespondWithinHours int       `json:"respondWithinHours" doc:"How soon a person looks at it"`
	Created            bool      `json:"-"` // false when it was reported before, within a day
}

// Report keeps what actor says of a member, with the evidence as it is now: the
// profile, their like, and the last 50 messages. It also blocks the member. The
// same member for the same reason within a day gets the first report's receipt.
//
// Errors: Invalid for oneself and for words that cannot be shown, NotFound for
// a member actor cannot have met. However many there are, none is refused.
func (s *Service) Report(ctx context.Context, actor web.Actor, in ReportInput) (ReportReceipt, error) {
	if actor.ID == in.UserID {
		return ReportReceipt{}, fault.InvalidField("userId", "You can't report yourself.")
	}
	var err error
	if in.Description, err = members.CleanText("description", in.Description, maxDescription, true); err != nil {
		return ReportReceipt{}, err
	}
	stored, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (storedReport, error) { return report(ctx, tx, actor.ID, in) })
	if err != nil {
		return ReportReceipt{}, err
	}
	s.matching.AnnounceEnd(stored.ended)
	return stored.receipt, nil
}

// storedReport is what Report returns and what it publishes after the commit.
type storedReport struct {
	receipt ReportReceipt
	ended   matching.Ended
}

// report is Report's transaction. The block comes before the evidence: it waits
// for a message that is being stored, so that the evidence holds it.
func report(ctx context.Context, tx pgx.Tx, actor uuid.UUID, in ReportInput) (storedReport, error) {
	receipt := ReportReceipt{Priority: in.Reason.priority()}
	receipt.RespondWithinHours = respondWithinHours[receipt.Priority]
	if err := lock(ctx, tx, actor, in.UserID); err != nil {
		return storedReport{}, err
	}
	if err := checkMet(ctx, tx, actor, in.UserID); err != nil {
		return storedReport{}, err
	}
	ended, err := block(ctx, tx, actor, in.UserID)
	if err != nil {
		return storedReport{receipt, ended}, err
	}
	if receipt.ID, err = selectReport(ctx, tx, actor, in); err != nil || receipt.ID != uuid.Nil {
		return storedReport{receipt, ended}, err
	}
	receipt.Created = true
	if receipt.ID, err = uuid.NewV7(); err != nil {
		return storedReport{receipt, ended}, err
	}
	evidence, err := gather(ctx, tx, actor, in.UserID)
	if err != nil {
		return storedReport{receipt, ended}, err
	}
	if err = insertReport(ctx, tx, receipt, actor, in, evidence); err != nil {
		return storedReport{receipt, ended}, err
	}
	return storedReport{receipt, ended}, keepFiles(ctx, tx, receipt.ID, in.UserID, evidence.Messages)
}
