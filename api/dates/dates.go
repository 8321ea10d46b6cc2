// Package dates owns the dates that two members plan in their conversation, the
// links that share a date with a friend, and each member's private feedback.
//
// Each change of a date stores a message of type date in the conversation in the
// same transaction, so that it is unread, notified and synced like other messages.
// The caller sends the revision that it has seen, so that concurrent changes are detected.
package dates

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/messaging/messages"
	"heartward/api/platform/bus"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Status is the state of a date.
type Status string

// The states. Declined and Cancelled are final.
const (
	Proposed  Status = "proposed"
	Accepted  Status = "accepted"
	Declined  Status = "declined"
	Cancelled Status = "cancelled"
)

const (
	maxAhead = 365 * 24 * time.Hour
	maxOpen  = 3   // proposed or accepted dates in the future, per conversation
	maxPlace = 120 // characters
	maxNote  = 300 // characters
)

// perDay limits a member's proposals and changes.
var perDay = limits.Rule{Name: "dates", Count: 20, Per: 24 * time.Hour}

// Date is a date as returned to one of its two members.
type Date struct {
	ID             uuid.UUID        `json:"id"`
	ConversationID uuid.UUID        `json:"conversationId"`
	User           members.UserCard `json:"user" db:"-" doc:"The other member"`
	Place          string           `json:"place"`
	Note           string           `json:"note"`
	At             time.Time        `json:"at"`
	TimeZone       string           `json:"timeZone" doc:"The IANA name of the proposer's time zone"`
	Status         Status           `json:"status" enum:"proposed,accepted,declined,cancelled"`
	Revision       int              `json:"revision" doc:"Increases with each change"`
	ProposedBy     uuid.UUID        `json:"proposedBy" doc:"The member who proposed the current plan"`
	ChangedBy      uuid.UUID        `json:"changedBy" doc:"The member who made the last change"`
	MessageSeq     int64            `json:"messageSeq" doc:"The seq of the last message about it"`
	CreatedAt      time.Time        `json:"createdAt"`
	UpdatedAt      time.Time        `json:"updatedAt"`
	SharedUntil    *time.Time       `json:"sharedUntil" nullable:"true" doc:"The end of the last of the caller's links to it; null without a link"`
	Feedback       *Feedback        `json:"feedback" db:"-" doc:"The caller's feedback, which is shown to no other member"`
	FeedbackDue    bool             `json:"feedbackDue" doc:"Whether to ask the caller for feedback now"`
}

// TransformSchema marks feedback as nullable.
func (Date) TransformSchema(_ huma.Registry, schema *huma.Schema) *huma.Schema {
	return web.NullableRefs(schema, "feedback")
}

// Period selects the dates of a list.
type Period string

// The periods. Upcoming selects the proposed and accepted dates until three hours after their time, the next first. Past
// selects all others, the latest first.
const (
	Upcoming Period = "upcoming"
	Past     Period = "past"
)

// Config holds the settings of a Service.
type Config struct {
	Site           string  // scheme and host, no path
	RateLimitScale float64 // multiplies the limits per client address
}

// Service stores dates. It is safe for concurrent use.
type Service struct {
	pool     *pgxpool.Pool
	events   bus.Publisher
	jobs     jobqueue.Inserter
	messages *messages.Service
	config   Config
}

// New returns a Service. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, events bus.Publisher, jobs jobqueue.Inserter, messages *messages.Service, config Config) *Service {
	nilcheck.Must("dates.New", nilcheck.Deps{"pool": pool, "events": events, "jobs": jobs, "messages": messages})
	return &Service{pool: pool, events: events, jobs: jobs, messages: messages, config: config}
}

// List returns a page of actor's dates in open conversations and the cursor of the
// next page, empty after the last. It returns Invalid for an invalid cursor.
func (s *Service) List(ctx context.Context, actor web.Actor, period Period, cursor string, limit int) ([]Date, string, error) {
	selected := web.List{Name: "dates " + string(period), Member: actor.ID}
	after := web.StartCursor
	if period == Upcoming {
		after = web.Cursor{At: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}
	}
	if err := web.DecodeCursor(selected, cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectDates(ctx, s.pool, actor.ID, period, after, limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	rows, next := web.Paginate(selected, rows, limit, func(r row) web.Cursor { return web.Cursor{At: r.sortAt, ID: r.ID} })
	list, err := s.withCards(ctx, actor.ID, rows)
	return list, next, err
}

// Get returns a date. It returns NotFound unless the date is in one of actor's open
// conversations.
func (s *Service) Get(ctx context.Context, actor web.Actor, id uuid.UUID) (Date, error) {
	found, err := selectDate(ctx, s.pool, actor.ID, id)
	if err != nil {
		return Date{}, pg.Fault(err)
	}
	return s.withCard(ctx, actor.ID, found)
}

func (s *Service) withCard(ctx context.Context, viewer uuid.UUID, r row) (Date, error) {
	list, err := s.withCards(ctx, viewer, []row{r})
	if err != nil {
		return Date{}, err
	}
	return list[0], nil
}

// withCards converts rows to dates with the other members' cards.
func (s *Service) withCards(ctx context.Context, viewer uuid.UUID, rows []row) ([]Date, error) {
	list := make([]Date, len(rows))
	if len(rows) == 0 {
		return list, nil
	}
	ids := make([]uuid.UUID, len(rows))
	for i, r := range rows {
		ids[i] = r.Peer
	}
	cards, err := members.Cards(ctx, s.pool, viewer, ids)
	if err != nil {
		return nil, err
	}
	for i, r := range rows {
		list[i] = r.Date
		list[i].User = cards[r.Peer]
	}
	return list, nil
}

// changedEvent is published to both members when a date has changed.
type changedEvent struct {
	Type           string    `json:"type"`
	DateID         uuid.UUID `json:"dateId"`
	ConversationID uuid.UUID `json:"conversationId"`
}

// publishChanged publishes to the recipients that a date of a conversation has changed.
func (s *Service) publishChanged(id, conversation uuid.UUID, recipients ...uuid.UUID) {
	event := bus.Event("", changedEvent{Type: "date_changed", DateID: id, ConversationID: conversation})
	for _, recipient := range recipients {
		s.events.Publish(bus.MemberSubject(recipient), event)
	}
}
