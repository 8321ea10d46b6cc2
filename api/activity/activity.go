// Package activity lists the actions of a member and their results, such as likes, matches
// and dates. It has no tables: it reads the views of the other features.
package activity

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/web"
)

// Kind is the kind of an item.
type Kind string

// The kinds. There is none for received likes, which have a separate list, and none for
// signing up, so that the list of a new member is empty.
const (
	Liked           Kind = "liked"
	SuperLiked      Kind = "super_liked"
	Matched         Kind = "matched"
	DatePlanned     Kind = "date_planned"
	PhotoAdded      Kind = "photo_added"
	BannerAdded     Kind = "banner_added"
	VoiceAdded      Kind = "voice_added"
	VideoAdded      Kind = "video_added"
	Verified        Kind = "verified"
	FriendJoined    Kind = "friend_joined"
	FriendCompleted Kind = "friend_completed"
)

// Item is an entry of the list.
type Item struct {
	ID   string            `json:"id" doc:"Unique in the list"`
	Kind Kind              `json:"kind" enum:"liked,super_liked,matched,date_planned,photo_added,banner_added,voice_added,video_added,verified,friend_joined,friend_completed"`
	At   time.Time         `json:"at"`
	User *members.UserCard `json:"user" doc:"The other member, while the caller may see them"`
	Text string            `json:"text" doc:"A sentence that describes the item"`
}

// TransformSchema marks user as nullable.
func (Item) TransformSchema(_ huma.Registry, schema *huma.Schema) *huma.Schema {
	return web.NullableRefs(schema, "user")
}

// Service reads activity. It is safe for concurrent use.
type Service struct{ pool *pgxpool.Pool }

// New returns a Service. It panics when pool is nil.
func New(pool *pgxpool.Pool) *Service {
	nilcheck.Must("activity.New", nilcheck.Deps{"pool": pool})
	return &Service{pool: pool}
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
	rows, err := selectRows(ctx, s.pool, actor.ID, after, limit+1)
	if err != nil {
		return nil, "", err
	}
	rows, next := web.Paginate(list, rows, limit, func(r row) web.Cursor { return web.Cursor{At: r.at, ID: r.id} })
	cards, err := selectVisibleCards(ctx, s.pool, actor.ID, others(rows))
	if err != nil {
		return nil, "", err
	}
	items := make([]Item, len(rows))
	for i, row := range rows {
		items[i] = row.item(cards)
	}
	return items, next, nil
}

func others(rows []row) []uuid.UUID {
	ids := []uuid.UUID{}
	for _, row := range rows {
		if row.other != nil {
			ids = append(ids, *row.other)
		}
	}
	return ids
}

// texts are the sentences by kind: one for a hidden name, and one with the name of the other
// member.
var texts = map[Kind][2]string{
	Liked:           {"You liked someone who is not shown at the moment.", "You liked %s."},
	SuperLiked:      {"You super liked someone who is not shown at the moment.", "You super liked %s."},
	Matched:         {"You matched with someone who is not shown at the moment.", "You and %s like each other."},
	DatePlanned:     {"You planned a date with someone who is not shown at the moment.", "You and %s planned a date."},
	PhotoAdded:      {"You added a photo."},
	BannerAdded:     {"You chose a new header picture."},
	VoiceAdded:      {"You recorded a voice greeting."},
	VideoAdded:      {"You added a video."},
	Verified:        {"Your profile was verified."},
	FriendJoined:    {"A friend joined through your link."},
	FriendCompleted: {"A friend completed their profile: a week of Premium for you both."},
}
