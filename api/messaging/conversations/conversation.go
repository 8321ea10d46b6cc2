package conversations

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// LastMessage is the newest message of a conversation, for the list of conversations.
type LastMessage struct {
	ID          uuid.UUID `json:"id"`
	Seq         int64     `json:"seq"`
	SenderID    uuid.UUID `json:"senderId"`
	Content     string    `json:"content"`
	MessageType string    `json:"messageType" enum:"text,audio,video,image,date"`
	SentAt      time.Time `json:"sentAt"`
	IsRead      bool      `json:"isRead" doc:"Whether its recipient has read it"`

	DurationMs      *int `json:"durationMs" nullable:"true" doc:"The length of a recording"`
	AttachmentCount int  `json:"attachmentCount"`
	Deleted         bool `json:"deleted"`
	Flagged         bool `json:"flagged" doc:"Whether the message has a flag that the caller has not answered; the content must then be hidden until the caller asks for it"`
}

// Conversation is a conversation from one member's side.
type Conversation struct {
	ID               uuid.UUID        `json:"id"`
	MatchID          *uuid.UUID       `json:"matchId" nullable:"true"`
	User             members.UserCard `json:"user" db:"-" doc:"The other member"`
	IsFormer         bool             `json:"isFormer" db:"-" doc:"Whether the other member has deleted the account: nothing can be sent, and there is no profile"`
	LastMessage      *LastMessage     `json:"lastMessage" db:"-"`
	LastSeq          int64            `json:"lastSeq"`
	UnreadCount      int              `json:"unreadCount" doc:"The number of messages that the caller has not read; 100 means 100 or more"`
	ReadSeq          int64            `json:"readSeq" doc:"The seq up to which the caller has read"`
	DeliveredSeq     int64            `json:"deliveredSeq" doc:"The seq up to which a device of the caller has received"`
	PeerReadSeq      *int64           `json:"peerReadSeq" nullable:"true" doc:"The seq up to which the other member has read; null if read receipts are hidden"`
	PeerDeliveredSeq int64            `json:"peerDeliveredSeq" doc:"The seq up to which the other member has received; if presence is hidden, has read or answered"`
	IsOnline         bool             `json:"isOnline"`
	LastSeenAt       *time.Time       `json:"lastSeenAt" nullable:"true" doc:"The other member's last activity, rounded down to five minutes; null if hidden"`
	CreatedAt        time.Time        `json:"createdAt"`

	Request           string     `json:"request" enum:"none,sent,received" doc:"Whether this is a request, and whether the caller sent or received it"`
	LastRev           int64      `json:"lastRev" doc:"The rev of the newest change of a message"`
	PinnedAt          *time.Time `json:"pinnedAt" nullable:"true"`
	MutedUntil        *time.Time `json:"mutedUntil" nullable:"true" doc:"The year 9999 means no end"`
	ArchivedSeq       *int64     `json:"archivedSeq" nullable:"true" doc:"The seq of the newest message when the caller archived the conversation; null if it is not archived. It stays archived until a newer message, or while it is muted"`
	TurnEndedSeq      *int64     `json:"turnEndedSeq" nullable:"true" doc:"The seq of a message of the other member that waits for no answer; null for none"`
	PicturesShown     bool       `json:"picturesShown" doc:"Whether the caller has chosen to see the other member's pictures and videos; until then they must be blurred"`
	MessageSparkAt    *time.Time `json:"messageSparkAt" nullable:"true" doc:"The time of the message spark"`
	VoiceConnectionAt *time.Time `json:"voiceConnectionAt" nullable:"true" doc:"The time of the voice connection"`
}

// List returns a page of the actor's open conversations, the one with the newest
// message first, and the cursor of the next page, empty after the last. It returns Invalid
// for a malformed cursor.
func (s *Service) List(ctx context.Context, actor web.Actor, cursor string, limit int) ([]Conversation, string, error) {
	pages := web.List{Name: "conversations", Member: actor.ID}
	after, err := decodeListCursor(pages, cursor)
	if err != nil {
		return nil, "", err
	}
	rows, err := selectConversationsByTime(ctx, s.pool, actor.ID, after, limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	next := ""
	if len(rows) > limit {
		rows = rows[:limit]
		next = encodeListCursor(pages, rows[limit-1])
	}
	list, err := s.loadCards(ctx, actor.ID, rows)
	return list, next, err
}

// Get returns the actor's open conversation that other identifies: the id of
// the other member, the match or the conversation. It returns NotFound if there is none.
func (s *Service) Get(ctx context.Context, actor web.Actor, other uuid.UUID) (Conversation, error) {
	row, err := selectConversation(ctx, s.pool, actor.ID, other)
	if err != nil {
		return Conversation{}, pg.Fault(err)
	}
	list, err := s.loadCards(ctx, actor.ID, []conversationRow{row})
	if err != nil {
		return Conversation{}, err
	}
	return list[0], nil
}

// OpenConversation is a conversation that is neither closed nor a request and whose other
// member is active.
type OpenConversation struct {
	ID       uuid.UUID
	MayWrite bool // the actor's own profile is active and approved, as Send requires
}

// FindOpen returns the open conversation of two members, for events that are
// not stored, such as typing. It returns NotFound if there is none.
func (s *Service) FindOpen(ctx context.Context, actor web.Actor, peer uuid.UUID) (OpenConversation, error) {
	open, err := selectOpenConversation(ctx, s.pool, actor.ID, peer)
	return open, pg.Fault(err)
}

// loadCards completes rows with the cards of the other members.
func (s *Service) loadCards(ctx context.Context, viewer uuid.UUID, rows []conversationRow) ([]Conversation, error) {
	ids := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		ids[i] = row.PeerID
	}
	peers, err := Peers(ctx, s.pool, viewer, ids)
	if err != nil {
		return nil, err
	}
	list := make([]Conversation, len(rows))
	for i, row := range rows {
		peer := peers[row.PeerID]
		row.User, row.IsFormer = peer.Card, peer.IsFormer
		list[i] = row.Conversation
	}
	return list, nil
}

// Peer is the other member of a conversation.
type Peer struct {
	Card     members.UserCard
	IsFormer bool // has no account any more
}

// Peers returns the other members of viewer's conversations by their ids. It does not check whether viewer has a conversation
// with them.
func Peers(ctx context.Context, db pg.DB, viewer uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]Peer, error) {
	peers := make(map[uuid.UUID]Peer, len(ids))
	if len(ids) == 0 {
		return peers, nil
	}
	cards, err := members.Cards(ctx, db, viewer, ids)
	for _, id := range ids {
		card, exists := cards[id]
		if !exists {
			card = members.FormerMember(id)
		}
		peers[id] = Peer{card, !exists}
	}
	return peers, err
}

// listCursor is the position of a page's last conversation.
type listCursor struct {
	At time.Time `json:"at"`
	ID uuid.UUID `json:"id"`
}

// decodeListCursor returns the position of a cursor, which is before all conversations if the cursor is empty, or Invalid.
func decodeListCursor(list web.List, cursor string) (listCursor, error) {
	if cursor == "" {
		return listCursor{At: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), ID: uuid.Max}, nil
	}
	var at listCursor
	if err := web.DecodeCursor(list, cursor, &at); err != nil {
		return at, err
	}
	if at.ID == uuid.Nil || at.At.Year() < 2000 || at.At.Year() > 9999 {
		return at, ErrBadCursor()
	}
	return at, nil
}

func encodeListCursor(list web.List, last conversationRow) string {
	return web.EncodeCursor(list, listCursor{At: last.SortAt, ID: last.ID})
}

// ErrBadCursor returns the error for a cursor that this server has not written.
func ErrBadCursor() error {
	return fault.InvalidField("cursor", "This cursor is not valid. Start again without it.")
}
