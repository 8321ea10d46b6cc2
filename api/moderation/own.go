package moderation

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// OwnReport is a report as its reporter sees it, without the sanction that followed.
type OwnReport struct {
	ID        uuid.UUID         `json:"id"`
	Reason    Reason            `json:"reason" enum:"underage,threat,assault,nonconsensual_images,scam,hate,harassment,fake_profile,not_single,inappropriate,spam,other" doc:"Of an issue: other"`
	Place     string            `json:"place" enum:"card,profile,match,conversation,likes,post,comment,rules" doc:"Where the member was shown; rules: an issue"`
	CreatedAt time.Time         `json:"createdAt"`
	DecidedAt *time.Time        `json:"decidedAt" nullable:"true" doc:"Null while it waits for a moderator"`
	Outcome   *string           `json:"outcome" nullable:"true" enum:"no_action,action" doc:"action: something followed, which is not told; null while it waits, and for an issue"`
	Answer    string            `json:"answer" doc:"To an issue; empty for others and while it waits"`
	User      *members.UserCard `json:"user" doc:"Whom it is about: name, age and town; null for an issue and a deleted account"`

	userID *uuid.UUID
}

// OwnReports returns a page of the actor's reports, the newest first, and the cursor of the next page. It
// returns Invalid for an invalid cursor.
func (s *Service) OwnReports(ctx context.Context, actor web.Actor, cursor string, limit int) ([]OwnReport, string, error) {
	list, after := web.List{Name: "own-reports", Member: actor.ID}, web.StartCursor
	if err := web.DecodeCursor(list, cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectOwnReports(ctx, s.pool, actor.ID, after, limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	rows, next := web.Paginate(list, rows, limit, func(r OwnReport) web.Cursor { return web.Cursor{At: r.CreatedAt, ID: r.ID} })
	ids := make([]uuid.UUID, len(rows))
	for i := range rows {
		ids[i] = orNil(rows[i].userID)
		rows[i].CreatedAt, rows[i].DecidedAt = web.Time(rows[i].CreatedAt), timeOf(rows[i].DecidedAt)
	}
	cards, err := members.Cards(ctx, s.pool, actor.ID, ids)
	for i, id := range ids {
		if card, ok := cards[id]; ok {
			rows[i].User = &members.UserCard{ID: id, FirstName: card.FirstName, FullName: card.FullName, Age: card.Age, City: card.City}
		}
	}
	return rows, next, err
}

// ownReportRow is a row of selectOwnReports.
type ownReportRow struct {
	ID             uuid.UUID
	Reason         Reason
	Place          string
	CreatedAt      time.Time
	ReviewedAt     *time.Time
	Outcome        *string
	Answer         string
	ReportedUserID *uuid.UUID
}

func (r ownReportRow) report() OwnReport {
	return OwnReport{
		ID: r.ID, Reason: r.Reason, Place: r.Place, CreatedAt: r.CreatedAt, DecidedAt: r.ReviewedAt, Outcome: r.Outcome, Answer: r.Answer,
		userID: r.ReportedUserID,
	}
}

func selectOwnReports(ctx context.Context, db pg.DB, reporter uuid.UUID, after web.Cursor, limit int) ([]OwnReport, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			id,
			coalesce(filed_reason, reason) AS reason,
			place,
			created_at,
			reviewed_at,
			CASE
				WHEN status = 'pending' OR source = 'issue' THEN NULL
				WHEN action_taken = 'no_action' THEN 'no_action'
				ELSE 'action'
			END AS outcome,
			CASE WHEN source = 'issue' THEN explanation ELSE '' END AS answer,
			reported_user_id
		FROM reports
		WHERE reporter_id = $1
			AND (created_at, id) < ($2, $3)
		ORDER BY created_at DESC, id DESC
		LIMIT $4`, reporter, after.At, after.ID, limit)
	return collect(rows, ownReportRow.report)
}

// OwnDecision is a decision about the account with the appeal against it.
type OwnDecision struct {
	OwnSanction
	Appeal    *OwnAppeal `json:"appeal" doc:"Null without one"`
	MayAppeal bool       `json:"mayAppeal" doc:"Whether the member can appeal now"`
}

// maxOwnDecisions is the number of decisions that a member sees.
const maxOwnDecisions = 50

// OwnDecisions returns the newest maxOwnDecisions decisions about the actor's account, warnings included, the newest first.
func (s *Service) OwnDecisions(ctx context.Context, actor web.Actor) ([]OwnDecision, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) ([]OwnDecision, error) {
		standing, err := members.LockStanding(ctx, tx, actor.ID)
		if err != nil {
			return nil, err
		}
		list, err := selectOwnDecisions(ctx, tx, actor.ID)
		if err != nil {
			return nil, err
		}
		ids := make([]uuid.UUID, len(list))
		for i, d := range list {
			ids[i] = d.ID
		}
		appeals, err := selectOwnAppeals(ctx, tx, ids...)
		if err != nil {
			return nil, err
		}
		appealable, err := selectAppealable(ctx, tx, ids, standing.Status)
		if err != nil {
			return nil, err
		}
		for i := range list {
			d := &list[i]
			d.Appeal = appeals[d.ID]
			d.MayAppeal = d.Appeal == nil && slices.Contains(appealable, d.ID)
		}
		return list, nil
	})
}

// ownDecisionRow is a row of selectOwnDecisions.
type ownDecisionRow struct {
	statedRow
	ReversedBy *uuid.UUID
	ReversedAt *time.Time
}

func (r ownDecisionRow) decision() OwnDecision {
	d := OwnDecision{OwnSanction: ownSanction(r.sanction())}
	d.ReversedBy, d.ReversedAt = r.ReversedBy, timeOf(r.ReversedAt)
	return d
}

// selectOwnDecisions returns the decisions of OwnDecisions without appeals.
func selectOwnDecisions(ctx context.Context, db pg.DB, member uuid.UUID) ([]OwnDecision, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+statedColumns+`,
			s.reversed_by,
			(SELECT later.created_at FROM sanctions later WHERE later.id = s.reversed_by) AS reversed_at
		FROM sanctions s
		WHERE s.user_id = $1
		ORDER BY s.created_at DESC, s.id DESC
		LIMIT $2`, member, maxOwnDecisions)
	return collect(rows, ownDecisionRow.decision)
}
