package activity

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/notifications"
	"heartward/api/platform/bus"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

const (
	// maxAge is how long notifications are listed.
	maxAge = 90 * 24 * time.Hour
	// maxUnread is the highest count of unread notifications.
	maxUnread = 100
	// maxRead is the number of notifications read one by one that are stored for each member.
	maxRead = 1000
)

// Notification is an item about something that happened to the member.
type Notification struct {
	Item
	Category *notifications.Category `json:"category" nullable:"true" enum:"messages,matches,likes,community,graduation,badges" doc:"Of its pushes, by which the member can turn them off; null if there are none"`
	IsRead   bool                    `json:"isRead"`
}

// TransformSchema marks user as nullable, and lists the kinds.
func (Notification) TransformSchema(_ huma.Registry, schema *huma.Schema) *huma.Schema {
	return itemSchema(schema)
}

// Notifications returns a page of the actor's notifications of the last 90 days, the newest first,
// and the cursor of the next page, empty after the last. It omits those about members whom the actor
// may not see. It returns Invalid for an invalid cursor.
func (s *Service) Notifications(ctx context.Context, actor web.Actor, cursor string, limit int) ([]Notification, string, error) {
	list := web.List{Name: "notifications", Member: actor.ID}
	after := web.StartCursor
	if err := web.DecodeCursor(list, cursor, &after); err != nil {
		return nil, "", err
	}
	state, err := selectState(ctx, s.pool, actor.ID, time.Now())
	if err != nil {
		return nil, "", err
	}
	rows, err := selectRows(ctx, s.pool, notificationsSQL, position{member: actor.ID, after: after, limit: limit + 1, state: state, floor: state.oldest})
	if err != nil {
		return nil, "", err
	}
	rows, next := web.Paginate(list, rows, limit, row.cursor)
	cards, err := members.Cards(ctx, s.pool, actor.ID, otherIDs(rows))
	if err != nil {
		return nil, "", err
	}
	items := make([]Notification, len(rows))
	for i, row := range rows {
		items[i] = row.notification(cards)
	}
	return items, next, nil
}

func (r row) notification(cards map[uuid.UUID]members.UserCard) Notification {
	n := Notification{Item: r.item(cards), IsRead: r.IsRead}
	if category := kinds[r.Kind].category; category != "" {
		n.Category = &category
	}
	return n
}

// CountUnread returns the number of the member's unread notifications, at most 100.
func (s *Service) CountUnread(ctx context.Context, member uuid.UUID) (int, error) {
	state, err := selectState(ctx, s.pool, member, time.Now())
	if err != nil {
		return 0, err
	}
	p := position{member: member, after: web.StartCursor, limit: maxUnread, state: state, floor: state.oldestUnread(), counts: true}
	return pg.QueryGeneric(ctx, s.pool, countSQL, p.args(), func(rows pgx.Rows) (int, error) {
		return pgx.CollectExactlyOneRow(rows, pgx.RowTo[int])
	})
}

// ReadItem is a notification that was read, as the list had it.
type ReadItem struct {
	ID string    `json:"id" minLength:"3" maxLength:"80" pattern:"^[a-z_]+-[0-9a-f-]+$"`
	At time.Time `json:"at" doc:"Its time. A group that has a later one now is unread"`
}

// Read marks notifications of the actor as read: the items, and all up to the time until unless it is zero.
// A time in the future counts as now. It publishes the change to the actor's devices, and returns the number of unread
// notifications, at most 100. A repeated call has no effect.
func (s *Service) Read(ctx context.Context, actor web.Actor, items []ReadItem, until time.Time) (int, error) {
	now := time.Now()
	if until.After(now) {
		until = now
	}
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := members.Lock(ctx, tx, actor.ID); err != nil {
			return err
		}
		if err := insertRead(ctx, tx, actor.ID, items, now.Add(-maxAge)); err != nil || until.IsZero() {
			return err
		}
		return updatePosition(ctx, tx, actor.ID, until)
	})
	if err != nil {
		return 0, err
	}
	PublishChange(s.events, actor.ID)
	return s.CountUnread(ctx, actor.ID)
}

// changedFrame tells a member's devices that the notifications have changed.
var changedFrame = bus.Event("", struct {
	Type string `json:"type"`
}{"notifications_changed"})

// PublishChange tells the devices of a member that the notifications have changed. A device that
// misses it gets the count with the member's account.
func PublishChange(events bus.Publisher, member uuid.UUID) {
	events.Publish(bus.MemberSubject(member), changedFrame)
}
