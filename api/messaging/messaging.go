// Package messaging is what two members say to each other: conversations,
// their messages in order, and how far each side has received and read.
//
// The database is the truth. A message is committed, then acknowledged, then
// published; whoever missed the event finds it by Sync.
package messaging

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/messaging/sendqueue"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// PageSize is the most rows one call answers with.
const PageSize = 50

// Message is one message as both sides see it. Seq counts from 1 without gaps
// within the conversation.
type Message struct {
	ID             uuid.UUID  `json:"id"`
	ClientID       uuid.UUID  `json:"clientId" doc:"The sender's own id: a retry with it is answered with the first result"`
	ConversationID uuid.UUID  `json:"conversationId"`
	Seq            int64      `json:"seq" doc:"Place in the conversation, from 1, without gaps"`
	SenderID       uuid.UUID  `json:"senderId"`
	Content        string     `json:"content"`
	MessageType    string     `json:"messageType" enum:"text,audio,video,image,date"`
	SentAt         time.Time  `json:"sentAt"`
	ReadAt         *time.Time `json:"readAt" nullable:"true" doc:"When the receiver read it"`

	Attachments      []media.Attachment `json:"attachments"`
	ReplyTo          *int64             `json:"replyTo" nullable:"true" doc:"The place of the message that this one answers"`
	DateID           *uuid.UUID         `json:"dateId" nullable:"true" doc:"Of a message of type date"`
	DeletedAt        *time.Time         `json:"deletedAt" nullable:"true" doc:"Its sender took it back; nothing of it is left"`
	SenderReaction   *string            `json:"senderReaction" nullable:"true"`
	ReceiverReaction *string            `json:"receiverReaction" nullable:"true"`
	Flag             *string            `json:"flag" nullable:"true" enum:"harassment,sexual_pressure,money,off_platform,spam" doc:"What the filter found; told to the receiver alone, until answered"`
	Rev              int64              `json:"rev" doc:"Of its last change, 0 when it never changed"`
}

// LastMessage is what the list of conversations shows of the newest message.
type LastMessage struct {
	ID          uuid.UUID `json:"id"`
	Seq         int64     `json:"seq"`
	SenderID    uuid.UUID `json:"senderId"`
	Content     string    `json:"content"`
	MessageType string    `json:"messageType" enum:"text,audio,video,image,date"`
	SentAt      time.Time `json:"sentAt"`
	IsRead      bool      `json:"isRead" doc:"Whether its receiver has read it"`

	DurationMs      *int `json:"durationMs" nullable:"true" doc:"Of a recording"`
	AttachmentCount int  `json:"attachmentCount"`
	Deleted         bool `json:"deleted"`
	Flagged         bool `json:"flagged" doc:"I have not yet answered what the filter found in it: not to be shown unasked"`
}

// Conversation is one conversation as one of its two members sees it.
type Conversation struct {
	ID               uuid.UUID        `json:"id"`
	MatchID          *uuid.UUID       `json:"matchId" nullable:"true"`
	User             members.UserCard `json:"user" doc:"The other member"`
	LastMessage      *LastMessage     `json:"lastMessage"`
	LastSeq          int64            `json:"lastSeq"`
	UnreadCount      int              `json:"unreadCount" doc:"Messages of the other not read yet; 100 stands for 100 or more"`
	ReadSeq          int64            `json:"readSeq" doc:"How far I have read"`
	DeliveredSeq     int64            `json:"deliveredSeq" doc:"How far my devices have received"`
	PeerReadSeq      *int64           `json:"peerReadSeq" nullable:"true" doc:"How far the other has read; null where that is not told"`
	PeerDeliveredSeq int64            `json:"peerDeliveredSeq"`
	IsOnline         bool             `json:"isOnline"`
	LastSeenAt       *time.Time       `json:"lastSeenAt" nullable:"true" doc:"When the other was here last, to five minutes; null where that is not told"`
	CreatedAt        time.Time        `json:"createdAt"`

	Request           string     `json:"request" enum:"none,sent,received" doc:"A message request until it is accepted: by me, or to me"`
	LastRev           int64      `json:"lastRev" doc:"Of the newest change of a message"`
	PinnedAt          *time.Time `json:"pinnedAt" nullable:"true"`
	MutedUntil        *time.Time `json:"mutedUntil" nullable:"true" doc:"The year 9999 stands for good"`
	MessageSparkAt    *time.Time `json:"messageSparkAt" nullable:"true" doc:"When the conversation heated up"`
	VoiceConnectionAt *time.Time `json:"voiceConnectionAt" nullable:"true" doc:"When both had sent a voice"`
}

// Inserter puts a job into the transaction of the change that causes it; a
// River client is one.
type Inserter interface {
	InsertTx(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error)
	InsertManyTx(ctx context.Context, tx pgx.Tx, params []river.InsertManyParams) ([]*rivertype.JobInsertResult, error)
}

// Service holds what the functions of this package need. Safe for concurrent use.
type Service struct {
	pool      *pgxpool.Pool
	events    bus.Publisher
	jobs      Inserter
	matches   *matching.Service
	limit     *limiter
	searches  *limiter
	checks    *limiter
	touches   *limiter
	searching *searchSlots
	begun     *begunHints
	devices   deviceHints
	guard     func(text string) string
	review    bool // have each text looked at by another party
	queue     *sendqueue.Queue[write, written]
	pairs     pairCache
}

// New makes the service. Messages are limited to 30 in 10 s a member, searches
// to 20; reactions, answers to flags and what is taken back together to 60 a
// minute. Guard looks at the text of a message before it is stored, and names
// what the receiver should be asked about, or nothing. New panics when a
// dependency is nil; Unguarded is the guard that lets every text pass.
func New(pool *pgxpool.Pool, events bus.Publisher, matches *matching.Service, jobs Inserter, guard func(text string) string) *Service {
	nilcheck.Must("messaging.New", nilcheck.Deps{"pool": pool, "events": events, "matches": matches, "jobs": jobs, "guard": guard})
	s := &Service{pool: pool, events: events, jobs: jobs, matches: matches, guard: guard}
	s.setLimits()
	s.queue = s.newQueue(queueCapacity)
	return s
}

// Unguarded finds nothing in any text.
func Unguarded(string) string { return "" }

func (s *Service) setLimits() {
	s.limit = newLimiter(30, 10*time.Second, "sending messages")
	s.searches = newLimiter(20, 10*time.Second, "searching")
	s.checks = newLimiter(120, time.Minute, "checking messages")
	s.touches = newLimiter(60, time.Minute, "changing messages")
	s.searching = newSearchSlots()
	s.begun = &begunHints{}
}

// Start starts the send queue. Until then Send and Receive wait.
func (s *Service) Start() { s.queue.Start() }

// Stop refuses further messages and receipts as Unavailable, and waits until those
// that were accepted are stored or refused. It returns ctx's error when ctx ends first.
func (s *Service) Stop(ctx context.Context) error { return s.queue.Stop(ctx) }

// QueueStats returns figures about the send queue.
func (s *Service) QueueStats() sendqueue.Stats { return s.queue.Stats() }

// Unlimited takes away these limits; for measurements only.
func (s *Service) Unlimited() *Service {
	s.limit, s.searches, s.touches, s.begun = nil, nil, nil, nil
	return s
}

// Conversations answers with the actor's open conversations, the one with the
// newest message first, and the cursor of the next page, empty at the end.
// Fails with Invalid for a cursor it did not make.
func (s *Service) Conversations(ctx context.Context, actor web.Actor, cursor string, limit int) ([]Conversation, string, error) {
	after, err := decodeListCursor(cursor)
	if err != nil {
		return nil, "", err
	}
	rows, err := conversationsByTime(ctx, s.pool, actor.ID, after, limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	next := ""
	if len(rows) > limit {
		rows = rows[:limit]
		next = encodeListCursor(rows[limit-1])
	}
	list, err := s.present(ctx, rows)
	return list, next, err
}

// ConversationWith finds the actor's open conversation by the other member's
// id, the match's or its own. NotFound when there is none.
func (s *Service) ConversationWith(ctx context.Context, actor web.Actor, other uuid.UUID) (Conversation, error) {
	row, err := conversationWith(ctx, s.pool, actor.ID, other)
	if err != nil {
		return Conversation{}, pg.Fault(err)
	}
	list, err := s.present(ctx, []conversationRow{row})
	if err != nil {
		return Conversation{}, err
	}
	return list[0], nil
}

// OpenConversation is a conversation in which both may write.
type OpenConversation struct {
	ID    uuid.UUID
	Shown bool // whether the other member sees the actor, who is under review otherwise
}

// FindOpenConversation returns the open conversation of two members; NotFound
// when there is none. For what is not stored, like typing.
func (s *Service) FindOpenConversation(ctx context.Context, actor web.Actor, peer uuid.UUID) (OpenConversation, error) {
	open, err := openConversation(ctx, s.pool, actor.ID, peer)
	return open, pg.Fault(err)
}

// Page says which messages of a conversation to read: those after a seq, those
// before one, or (with neither) the newest.
type Page struct {
	After, Before *int64
	Limit         int
}

// Messages answers with a page of the conversation that other names (a member,
// a match or the conversation itself), in ascending order. NotFound when the
// actor has no such open conversation.
func (s *Service) Messages(ctx context.Context, actor web.Actor, other uuid.UUID, page Page) ([]Message, error) {
	if page.After != nil && page.Before != nil {
		return nil, fault.InvalidField("before", "Ask for the messages before or after a place, not both.")
	}
	conversation, err := conversationID(ctx, s.pool, actor.ID, other)
	if err != nil {
		return nil, pg.Fault(err)
	}
	list, err := messagesPage(ctx, s.pool, actor.ID, conversation, page)
	return list, pg.Fault(err)
}

// present adds the other members' cards.
func (s *Service) present(ctx context.Context, rows []conversationRow) ([]Conversation, error) {
	list := make([]Conversation, 0, len(rows))
	if len(rows) == 0 {
		return list, nil
	}
	ids := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		ids[i] = row.PeerID
	}
	cards, err := members.Cards(ctx, s.pool, ids)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		list = append(list, row.summary(cards[row.PeerID]))
	}
	return list, nil
}
