package moderation

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
	"heartward/api/queue"
)

// The outcomes of an appeal.
const (
	Upheld = "upheld" // the sanction stays
	Lifted = "lifted" // the sanction ends at once
)

const (
	maxAppeal = 2000

	// warningAppealDays is the number of days in which a member can appeal against a warning or a removal.
	warningAppealDays = 180
	// appealUrgency is the urgency of all appeals in the queue. The view appeals_waiting has the same.
	appealUrgency = 2
)

// Appeal stores the actor's appeal against a sanction that has an effect now, or against a warning or a removal within
// warningAppealDays. A repetition with the same text changes nothing.
//
// Errors: Invalid for an empty or invalid text; NotFound for an unknown sanction and for one
// of another member; Conflict for a sanction that has ended, and for another text than that
// of the first appeal.
func (s *Service) Appeal(ctx context.Context, actor web.Actor, sanction uuid.UUID, content string) error {
	content, err := text.Lines("text", content, maxAppeal)
	if err != nil {
		return err
	}
	if content == "" {
		return fault.InvalidField("text", "Please tell us why you think this is wrong.")
	}
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		standing, err := members.LockStanding(ctx, tx, actor.ID)
		if err != nil {
			return err
		}
		first, err := selectAppealText(ctx, tx, actor.ID, sanction)
		switch {
		case err != nil:
			return err
		case first != nil && *first == content:
			return nil
		case first != nil:
			return fault.New(fault.Conflict, "You have appealed against this decision already.")
		}
		appealable, err := selectAppealable(ctx, tx, []uuid.UUID{sanction}, standing.Status)
		if err != nil {
			return err
		}
		if len(appealable) == 0 {
			return fault.New(fault.Conflict, "This decision has ended, so there is nothing to appeal.")
		}
		if err := members.StoreRemovedParts(ctx, tx, sanction); err != nil {
			return err
		}
		return insertAppeal(ctx, tx, actor.ID, sanction, content)
	})
}

// QueuedAppeal is an appeal in the queue of the admins, without its contents.
type QueuedAppeal struct {
	ID           uuid.UUID         `json:"id" doc:"That of the sanction"`
	Kind         SanctionKind      `json:"kind" enum:"warning,removal,suspension,ban,review" doc:"Of the sanction"`
	SanctionedAt time.Time         `json:"sanctionedAt"`
	SanctionedBy *string           `json:"sanctionedBy" nullable:"true" doc:"The name of the admin; null if that account was deleted"`
	CreatedAt    time.Time         `json:"createdAt"`
	DueAt        time.Time         `json:"dueAt" doc:"When it should be decided"`
	OpenedAt     *time.Time        `json:"openedAt" nullable:"true" doc:"When an admin first opened it"`
	DecidedAt    *time.Time        `json:"decidedAt" nullable:"true"`
	Outcome      *string           `json:"outcome" nullable:"true" enum:"upheld,lifted"`
	User         *members.UserCard `json:"user" doc:"Name, age and town"`
	MayDecide    bool              `json:"mayDecide" doc:"False for the admin who decided on the sanction, if an admin can decide who is less involved"`

	userID       uuid.UUID
	sanctionedBy *uuid.UUID
	decidedBy    *uuid.UUID
}

// OpenedAppeal is an appeal with its contents. Text is empty once its retention has ended.
type OpenedAppeal struct {
	QueuedAppeal
	Text               string           `json:"text"`
	SuspendedUntil     *time.Time       `json:"suspendedUntil" nullable:"true" doc:"Of the sanction"`
	Explanation        string           `json:"explanation" doc:"Of the sanction, as the member was told"`
	ReportID           *uuid.UUID       `json:"reportId" nullable:"true" doc:"Null if the sanction was not about a report"`
	MessageID          *uuid.UUID       `json:"messageId" nullable:"true" doc:"Null if the sanction was not about a flagged message"`
	OutcomeExplanation string           `json:"outcomeExplanation" doc:"What the member was told of the outcome"`
	Removed            []RemovedContent `json:"removed" doc:"What the sanction removed from the profile; empty for others, and when it was put back or deleted"`
}

// AppealCounts are the numbers of appeals that an admin may see.
type AppealCounts struct {
	Pending int `json:"pending"`
	Overdue int `json:"overdue" doc:"Pending after their time"`
}

// CountAppeals returns the numbers of pending appeals.
func (s *Service) CountAppeals(ctx context.Context, admin uuid.UUID) (AppealCounts, error) {
	return countAppeals(ctx, s.pool, admin)
}

// Appeals returns a page of the pending appeals, the oldest first, or of the decided ones, the
// newest decision first, and the cursor of the next page. It omits those that the admin may not
// see. It returns Invalid for an invalid cursor.
func (s *Service) Appeals(ctx context.Context, admin uuid.UUID, pending bool, cursor string, limit int) ([]QueuedAppeal, string, error) {
	list, after, find := web.List{Name: "appeals-decided", Member: admin}, web.StartCursor, selectDecidedAppeals
	key := func(a QueuedAppeal) web.Cursor { return web.Cursor{At: *a.DecidedAt, ID: a.ID} }
	if pending {
		list.Name, after, find = "appeals-pending", web.Cursor{}, selectPendingAppeals
		key = func(a QueuedAppeal) web.Cursor { return web.Cursor{At: a.CreatedAt, ID: a.ID} }
	}
	if err := web.DecodeCursor(list, cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := find(ctx, s.pool, admin, after, limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	rows, next := web.Paginate(list, rows, limit, key)
	return rows, next, completeAppeals(ctx, s.pool, rows)
}

// completeAppeals adds the members' cards and the times as they are written in responses.
func completeAppeals(ctx context.Context, db pg.DB, rows []QueuedAppeal) error {
	var ids []uuid.UUID
	for _, a := range rows {
		ids = append(ids, a.userID, orNil(a.sanctionedBy))
	}
	cards, err := members.QueueCards(ctx, db, ids)
	if err != nil {
		return err
	}
	for i := range rows {
		a := &rows[i]
		a.User = cardOf(cards, &a.userID)
		if card := cardOf(cards, a.sanctionedBy); card != nil {
			a.SanctionedBy = &card.FullName
		}
		a.SanctionedAt, a.CreatedAt, a.DueAt = web.Time(a.SanctionedAt), web.Time(a.CreatedAt), web.Time(a.CreatedAt.Add(queue.ReviewTime(appealUrgency)))
		a.OpenedAt, a.DecidedAt = timeOf(a.OpenedAt), timeOf(a.DecidedAt)
	}
	return nil
}

// OpenAppeal returns an appeal for an admin, and records the access with its reason in the
// audit log. It returns NotFound for an unknown appeal and for one that the admin may not see, Conflict while another admin has it
// open, and Invalid without a reason.
func (s *Service) OpenAppeal(ctx context.Context, admin, id uuid.UUID, reason string) (OpenedAppeal, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (OpenedAppeal, error) {
		a, err := selectOpenedAppeal(ctx, tx, admin, id)
		if err != nil {
			return a, err
		}
		if err := setAppealOpened(ctx, tx, id); err != nil {
			return a, err
		}
		// Claim after setAppealOpened, which may lock the appeal: a decision takes the two locks in this order.
		if a.Outcome == nil && a.MayDecide {
			if err := queue.Open(ctx, tx, admin, queue.Appeal, id); err != nil {
				return a, err
			}
		}
		list := []QueuedAppeal{a.QueuedAppeal}
		if err := completeAppeals(ctx, tx, list); err != nil {
			return a, err
		}
		a.QueuedAppeal = list[0]
		a.SuspendedUntil = timeOf(a.SuspendedUntil)
		if a.Removed, err = selectRemoved(ctx, tx, id); err != nil {
			return a, err
		}
		return a, Audit(ctx, tx, admin, "appeal.open", a.userID, reason, map[string]any{"sanction": id})
	})
}
