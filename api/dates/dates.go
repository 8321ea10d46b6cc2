// Package dates is how two members who talk agree on when and where to meet,
// show it to a friend they trust, and say afterwards, to nobody but themselves,
// how it went.
//
// Every step of a date is a message of type date in the conversation, written
// in the same transaction: so it is counted as unread, notified and caught up
// with like any other. Which step comes first is decided by a revision number
// that the caller names.
package dates

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/platform/bus"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Status is how far a date has come.
type Status string

// The states. A declined or cancelled date stays so; another is proposed.
const (
	Proposed  Status = "proposed"
	Accepted  Status = "accepted"
	Declined  Status = "declined"
	Cancelled Status = "cancelled"
)

const (
	mostAhead = 365 * 24 * time.Hour
	mostOpen  = 3 // in a conversation, of those whose time has not come
	mostPlace = 120
	mostNote  = 300
)

// perDay is how often a member may propose a date or a change of one.
var perDay = limits.Rule{Name: "dates", Count: 20, Per: 24 * time.Hour}

// Date is a date as one of its two members sees it.
type Date struct {
	ID             uuid.UUID        `json:"id"`
	ConversationID uuid.UUID        `json:"conversationId"`
	User           members.UserCard `json:"user" doc:"The other member"`
	Place          string           `json:"place"`
	Note           string           `json:"note"`
	At             time.Time        `json:"at"`
	TimeZone       string           `json:"timeZone" doc:"The IANA name of the zone it was proposed in"`
	Status         Status           `json:"status" enum:"proposed,accepted,declined,cancelled"`
	Revision       int              `json:"revision" doc:"Rises with every change; name the one you saw"`
	ProposedBy     uuid.UUID        `json:"proposedBy" doc:"Who asked for it as it stands; the other answers"`
	ChangedBy      uuid.UUID        `json:"changedBy" doc:"Who made the newest change"`
	MessageSeq     int64            `json:"messageSeq" doc:"The place of the newest message about it"`
	CreatedAt      time.Time        `json:"createdAt"`
	UpdatedAt      time.Time        `json:"updatedAt"`
	SharedUntil    *time.Time       `json:"sharedUntil" nullable:"true" doc:"When the last of my links to it ends; null without one"`
	Feedback       *Feedback        `json:"feedback" doc:"What I said of it afterwards; nobody else is shown it"`
	FeedbackDue    bool             `json:"feedbackDue" doc:"It is time to ask me whether we met"`
}

// TransformSchema is called by Huma.
func (Date) TransformSchema(_ huma.Registry, schema *huma.Schema) *huma.Schema {
	return web.NullableRefs(schema, "feedback")
}

// When says which dates a list is of.
type When string

// Upcoming are those agreed or proposed that have not been over for three
// hours, the next first; Past is all else, the latest first.
const (
	Upcoming When = "upcoming"
	Past     When = "past"
)

// Config is what the service has to know of the site.
type Config struct {
	Site           string  // scheme and host, no path
	RateLimitScale float64 // of what is limited per client address
}

// Service plans dates. Safe for concurrent use.
type Service struct {
	pool     *pgxpool.Pool
	events   bus.Publisher
	jobs     messaging.Inserter
	messages *messaging.Service
	config   Config
}

// New returns a Service. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, events bus.Publisher, jobs messaging.Inserter, messages *messaging.Service, config Config) *Service {
	nilcheck.Must("dates.New", nilcheck.Deps{"pool": pool, "events": events, "jobs": jobs, "messages": messages})
	return &Service{pool: pool, events: events, jobs: jobs, messages: messages, config: config}
}

// List returns a page of actor's dates in open conversations and the cursor of
// the next page, empty after the last. Invalid for a cursor that is none.
func (s *Service) List(ctx context.Context, actor web.Actor, when When, cursor string, limit int) ([]Date, string, error) {
	after := web.StartCursor
	if when == Upcoming {
		after = web.Cursor{At: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}
	}
	if err := web.DecodeCursor(cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectDates(ctx, s.pool, actor.ID, when, after, limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	rows, next := web.Paginate(rows, limit, func(r row) web.Cursor { return web.Cursor{At: r.sortAt, ID: r.ID} })
	list, err := s.present(ctx, rows)
	return list, next, err
}

// Get returns one of actor's dates. NotFound unless it is one in an open
// conversation of theirs.
func (s *Service) Get(ctx context.Context, actor web.Actor, id uuid.UUID) (Date, error) {
	found, err := selectDate(ctx, s.pool, actor.ID, id)
	if err != nil {
		return Date{}, pg.Fault(err)
	}
	return s.presentOne(ctx, found)
}

func (s *Service) presentOne(ctx context.Context, r row) (Date, error) {
	list, err := s.present(ctx, []row{r})
	if err != nil {
		return Date{}, err
	}
	return list[0], nil
}

// present adds the other members' cards.
func (s *Service) present(ctx context.Context, rows []row) ([]Date, error) {
	list := make([]Date, len(rows))
	if len(rows) == 0 {
		return list, nil
	}
	ids := make([]uuid.UUID, len(rows))
	for i, r := range rows {
		ids[i] = r.peer
	}
	cards, err := members.Cards(ctx, s.pool, ids)
	if err != nil {
		return nil, err
	}
	for i, r := range rows {
		list[i] = r.Date
		list[i].User = cards[r.peer]
	}
	return list, nil
}

// changedEvent tells both sides' devices to look at a date again. The socket
// looks at the type, so it stands first.
type changedEvent struct {
	Type           string    `json:"type"`
	DateID         uuid.UUID `json:"dateId"`
	ConversationID uuid.UUID `json:"conversationId"`
}

// announce tells both sides of a date that has changed.
func (s *Service) announce(date Date, receivers ...uuid.UUID) {
	event := bus.Event("", changedEvent{Type: "date_changed", DateID: date.ID, ConversationID: date.ConversationID})
	for _, receiver := range receivers {
		s.events.Publish(bus.MemberSubject(receiver), event)
	}
}
