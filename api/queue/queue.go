// Package queue owns the one list of everything that waits for a moderator, and the claims on its entries. Each feature
// has a view of what waits there and decides on it with operations of its own.
package queue

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Kind is what kind of thing waits.
type Kind string

// The kinds of entries.
const (
	Report       Kind = "report"
	Flag         Kind = "flag"
	Appeal       Kind = "appeal"
	Verification Kind = "verification"
	Profile      Kind = "profile"
	Graduation   Kind = "graduation"
	Post         Kind = "post"
	Comment      Kind = "comment"
	BirthDate    Kind = "birth_date"
)

// Service lists what waits. It is safe for concurrent use.
type Service struct {
	pool *pgxpool.Pool
}

// New returns a Service. It panics when the pool is nil.
func New(pool *pgxpool.Pool) *Service {
	nilcheck.Must("queue.New", nilcheck.Deps{"pool": pool})
	return &Service{pool: pool}
}

// WaitingEntry is one thing that waits, without its contents.
type WaitingEntry struct {
	Kind       Kind              `json:"kind" enum:"report,flag,appeal,verification,profile,graduation,post,comment,birth_date"`
	ID         uuid.UUID         `json:"id" doc:"In the operations of its kind"`
	Member     *members.UserCard `json:"member" doc:"Whom it is about: name, age and town; null for an issue, and if the account was deleted"`
	Partner    *members.UserCard `json:"partner" doc:"The other one of a couple; null for other kinds"`
	Why        string            `json:"why" doc:"What it is about: the reason of a report, issue_ and the kind of an issue, second_account for a member who looks like a blocked one, bothers or the category of a flag, the kind of a sanction that is appealed, selfie, profile, photo, couple, story, comment or birth_date"`
	Urgency    int               `json:"urgency" minimum:"0" maximum:"2" doc:"To be decided within an hour (0), 24 hours (1) or 72 hours (2)"`
	WaitsSince time.Time         `json:"waitsSince"`
	DueAt      time.Time         `json:"dueAt"`
	Claim      *EntryClaim       `json:"claim" doc:"The moderator who has it open; null if nobody has"`
	Actions    []string          `json:"actions" doc:"What the caller may decide, in the words of the operation of its kind"`

	memberID, otherID, claimedBy *uuid.UUID
	position                     time.Time
	isDeparted                   bool // the account was deleted, and a ban is still possible
	claimedUntil                 *time.Time
}

// EntryClaim is who has an entry open.
type EntryClaim struct {
	Name  string    `json:"name" doc:"The first name"`
	IsOwn bool      `json:"isOwn" doc:"Whether it is the caller"`
	Until time.Time `json:"until" doc:"When others can open it at the latest"`
}

// KindCount is the number of entries of a kind.
type KindCount struct {
	Kind    Kind `json:"kind" enum:"report,flag,appeal,verification,profile,graduation,post,comment,birth_date"`
	Waiting int  `json:"waiting" maximum:"1000" doc:"At most 1000 are counted"`
	Overdue int  `json:"overdue" maximum:"1000"`
}

// maxCounted is the number up to which the entries of a kind are counted.
const maxCounted = 1000

// reviewTimes are the times within which entries are to be decided, by urgency.
var reviewTimes = [...]time.Duration{time.Hour, 24 * time.Hour, 72 * time.Hour}

// cursor is the sort key of an entry. The position is a timestamp without time zone, which the view of the source computes.
type cursor struct {
	Position time.Time `json:"p"`
	ID       uuid.UUID `json:"i"`
}

// List returns a page of what the caller may decide on, of one kind or of all if it is empty, and the cursor of the next
// page. It is ordered by age, to which a step of urgency adds three days, and omits the caller's own cases. It returns
// Invalid for an invalid cursor.
func (s *Service) List(ctx context.Context, caller web.Actor, kind Kind, page web.Page) ([]WaitingEntry, string, error) {
	list := web.List{Name: "queue-" + string(kind), Member: caller.ID}
	var after cursor
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	entries, err := selectEntries(ctx, s.pool, caller, kind, after, page.Limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	entries, next := web.Paginate(list, entries, page.Limit, func(e WaitingEntry) cursor { return cursor{e.position, e.ID} })
	return entries, next, pg.Fault(complete(ctx, s.pool, caller, entries))
}

// Counts returns the numbers of what the caller may decide on, by kind in a fixed order.
func (s *Service) Counts(ctx context.Context, caller web.Actor) ([]KindCount, error) {
	rows, _ := s.pool.Query(ctx, countsSQL, caller.ID, caller.Admin, maxCounted, ReviewHours())
	counts, err := pgx.CollectRows(rows, pgx.RowToStructByPos[KindCount])
	return counts, pg.Fault(err)
}

// ReviewHours returns the times of ReviewTime in hours, by urgency. Queries take them in this form.
func ReviewHours() []float64 {
	hours := make([]float64, len(reviewTimes))
	for urgency, limit := range reviewTimes {
		hours[urgency] = limit.Hours()
	}
	return hours
}

// ReviewTime returns the time within which an entry of an urgency is to be decided.
func ReviewTime(urgency int) time.Duration { return reviewTimes[urgency] }

// Release ends the caller's claim on an entry, if there is one.
func (s *Service) Release(ctx context.Context, caller uuid.UUID, kind Kind, id uuid.UUID) error {
	_, err := s.pool.Exec(ctx, `DELETE FROM queue_claims WHERE kind = $1 AND entry_id = $2 AND moderator_id = $3`, kind, id, caller)
	return pg.Fault(err)
}

// complete sets the fields of entries that selectEntries leaves empty: the cards, the actions, the claim and DueAt. It
// rounds the times to the precision of the API.
func complete(ctx context.Context, db pg.DB, caller web.Actor, entries []WaitingEntry) error {
	var ids []uuid.UUID
	for _, e := range entries {
		for _, id := range []*uuid.UUID{e.memberID, e.otherID, e.claimedBy} {
			if id != nil {
				ids = append(ids, *id)
			}
		}
	}
	cards, err := members.QueueCards(ctx, db, ids)
	if err != nil {
		return err
	}
	cardOf := func(id *uuid.UUID) *members.UserCard {
		if id == nil {
			return nil
		}
		card, ok := cards[*id]
		if !ok {
			return nil
		}
		return &card
	}
	for i := range entries {
		e := &entries[i]
		e.Member, e.Actions = cardOf(e.memberID), actionsOf(*e, caller.Admin)
		if e.Kind == Graduation {
			e.Partner = cardOf(e.otherID)
		}
		if card := cardOf(e.claimedBy); card != nil {
			e.Claim = &EntryClaim{Name: card.FirstName, IsOwn: card.ID == caller.ID, Until: web.Time(*e.claimedUntil)}
		}
		e.WaitsSince, e.DueAt = web.Time(e.WaitsSince), web.Time(e.WaitsSince.Add(ReviewTime(e.Urgency)))
	}
	return nil
}
