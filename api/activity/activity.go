// Package activity has two lists of the same events: the activity, what a member did and what came
// of it, and the notifications, what happened to the member. Both are read from the views of the
// other features, so that an item is gone with its cause. Its own tables have only what members have
// read.
package activity

import (
	"context"
	"fmt"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/platform/bus"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/web"
)

// Item is an entry of a list.
type Item struct {
	ID   string            `json:"id" doc:"Unique in the list"`
	Kind Kind              `json:"kind" doc:"What happened. Later versions have other kinds"`
	At   time.Time         `json:"at"`
	User *members.UserCard `json:"user" doc:"The other member, while the caller may see them"`
	Text string            `json:"text" doc:"A sentence that describes the item"`
	Path string            `json:"path" doc:"The address of the app that the item opens; empty for none"`
}

// TransformSchema marks user as nullable, and lists the kinds.
func (Item) TransformSchema(_ huma.Registry, schema *huma.Schema) *huma.Schema {
	return itemSchema(schema)
}

func itemSchema(schema *huma.Schema) *huma.Schema {
	for _, kind := range Kinds() {
		schema.Properties["kind"].Enum = append(schema.Properties["kind"].Enum, kind)
	}
	return web.NullableRefs(schema, "user")
}

// Service reads both lists. It is safe for concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	events bus.Publisher
}

// New returns a Service that publishes to events what members read. It panics when a dependency is
// nil.
func New(pool *pgxpool.Pool, events bus.Publisher) *Service {
	nilcheck.Must("activity.New", nilcheck.Deps{"pool": pool, "events": events})
	return &Service{pool: pool, events: events}
}

// List returns a page of the actor's activity, the newest first, and the cursor of the
// next page, empty after the last. Items about members whom the actor may not see have
// no name. It returns Invalid for an invalid cursor.
func (s *Service) List(ctx context.Context, actor web.Actor, cursor string, limit int) ([]Item, string, error) {
	list := web.List{Name: "activity", Member: actor.ID}
	after := web.StartCursor
	if err := web.DecodeCursor(list, cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectRows(ctx, s.pool, activitySQL, position{member: actor.ID, after: after, limit: limit + 1})
	if err != nil {
		return nil, "", err
	}
	rows, next := web.Paginate(list, rows, limit, row.cursor)
	cards, err := selectVisibleCards(ctx, s.pool, actor.ID, otherIDs(rows))
	if err != nil {
		return nil, "", err
	}
	items := make([]Item, len(rows))
	for i, row := range rows {
		items[i] = row.item(cards)
	}
	return items, next, nil
}

// item returns the item of the row. cards has the cards of the members whom the caller may see; without the card of the
// other member, the item names nobody and opens nothing.
func (r row) item(cards map[uuid.UUID]members.UserCard) Item {
	k := kinds[r.Kind]
	item := Item{ID: string(r.Kind) + "-" + r.Key, Kind: r.Kind, At: web.Time(r.At), Text: k.text}
	if r.Other == nil {
		item.Path = k.pathOf(r.Target, nil)
		if r.Name != "" {
			item.Text = fmt.Sprintf(k.text, r.Name)
		}
		return item
	}
	card, isShown := cards[*r.Other]
	if !isShown {
		item.Text = k.hidden
		return item
	}
	item.User, item.Path = &card, k.pathOf(r.Target, r.Other)
	item.Text = fmt.Sprintf(k.text, card.FirstName)
	if r.Kind == Likes {
		item.Text = groupText(card.FirstName, r.Others)
	}
	return item
}

// otherIDs returns the ids of the other members of rows. They are not unique.
func otherIDs(rows []row) []uuid.UUID {
	ids := []uuid.UUID{}
	for _, row := range rows {
		if row.Other != nil {
			ids = append(ids, *row.Other)
		}
	}
	return ids
}
