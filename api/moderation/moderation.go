// Package moderation owns blocks, reports with their evidence, the review of flagged messages,
// sanctions with the appeals against them, and the audit log of admins.
package moderation

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Service stores blocks and reports, and the decisions of the staff on reports, flags, appeals and members. It is safe for
// concurrent use.
type Service struct {
	pool       *pgxpool.Pool
	events     bus.Publisher
	matching   *matching.Service
	blobs      *blobs.Service
	jobs       jobqueue.Inserter
	contact    string // the mail address of the operator; see ContactAt
	imprint    string
	site       string  // the public address of the app; see ContactAt
	addressKey []byte  // of the HMACs of addresses
	hashKey    hashKey // of the hashes of photos
	safety     safetyCache

	onStatusChange func(ctx context.Context, member uuid.UUID) // may be nil
	onDecision     func(ids ...uuid.UUID)                      // may be nil
	notices        Notices                                     // may be nil
}

// New returns a Service that publishes ended sessions to events, ends matches with match, opens files with b, and enqueues mails,
// pushes and checks of photos in jobs. The keys of the HMACs of addresses and of the hashes of photos are derived from
// addressSecret, which must stay the same as long as bans last. It panics when a dependency is nil or the secret is shorter than
// 32 bytes.
func New(pool *pgxpool.Pool, events bus.Publisher, match *matching.Service, b *blobs.Service, jobs jobqueue.Inserter, addressSecret []byte) *Service {
	nilcheck.Must("moderation.New", nilcheck.Deps{"pool": pool, "events": events, "matching": match, "blobs": b, "jobs": jobs})
	if len(addressSecret) < 32 {
		panic("moderation: the secret must have at least 32 bytes")
	}
	return &Service{
		pool: pool, events: events, matching: match, blobs: b, jobs: jobs,
		addressKey: deriveAddressKey(addressSecret), hashKey: deriveHashKey(addressSecret),
	}
}

// WatchStatus sets a function that is called after the commit of a report or decision that
// hid or showed a member's profile. It must be called before the service is used.
func (s *Service) WatchStatus(fn func(ctx context.Context, member uuid.UUID)) { s.onStatusChange = fn }

func (s *Service) notifyStatusChange(ctx context.Context, member uuid.UUID) {
	if s.onStatusChange != nil {
		s.onStatusChange(ctx, member)
	}
}

// WatchDecisions sets a function that is called after the commit of a decision on a report, an
// appeal or a member, with the members who are told of it. It must be called before the service is
// used.
func (s *Service) WatchDecisions(fn func(ids ...uuid.UUID)) { s.onDecision = fn }

func (s *Service) notifyDecision(ids ...uuid.UUID) {
	if s.onDecision != nil {
		s.onDecision(ids...)
	}
}

// Notices returns the texts of the notifications about decisions that a member has since a time in the view of tx.
type Notices func(ctx context.Context, tx pgx.Tx, member uuid.UUID, since time.Time) ([]string, error)

// PreviewNotices sets the function with which Preview reads the notifications that a decision adds. It must be called before the
// service is used.
func (s *Service) PreviewNotices(fn Notices) { s.notices = fn }

// Blocked is a member whom the caller has blocked. User has the name, age and city
// only.
type Blocked struct {
	User      members.UserCard `json:"user"`
	BlockedAt time.Time        `json:"blockedAt"`
}

// Block hides actor and other from each other, and ends their match and
// conversation permanently. The event to both does not contain the reason. A repeated
// block changes nothing. It returns Invalid for actor's own id, and NotFound for a member
// whom actor cannot have met.
func (s *Service) Block(ctx context.Context, actor web.Actor, other uuid.UUID) error {
	if actor.ID == other {
		return fault.InvalidField("userId", "You can't block yourself.")
	}
	ended, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (matching.Ended, error) {
		if err := lockMembers(ctx, tx, actor.ID, other); err != nil {
			return matching.Ended{}, err
		}
		if err := checkCanHaveMet(ctx, tx, actor.ID, other); err != nil {
			return matching.Ended{}, err
		}
		return s.block(ctx, tx, actor.ID, other)
	})
	if err == nil {
		s.matching.PublishEnd(ended)
	}
	return err
}

// lockMembers serializes a block with concurrent likes: it takes the locks of package
// matching in the order of matching.Like.
func lockMembers(ctx context.Context, tx pgx.Tx, actor, other uuid.UUID) error {
	if err := matching.LockActor(ctx, tx, actor); err != nil {
		return err
	}
	return matching.LockPair(ctx, tx, actor, other)
}

// block also enqueues the search for second accounts of other.
func (s *Service) block(ctx context.Context, tx pgx.Tx, actor, other uuid.UUID) (matching.Ended, error) {
	if err := insertBlock(ctx, tx, actor, other); err != nil {
		return matching.Ended{}, err
	}
	if _, err := s.jobs.InsertTx(ctx, tx, CompareBlockedArgs{MemberID: other}, nil); err != nil {
		return matching.Ended{}, err
	}
	return matching.End(ctx, tx, actor, other)
}

// Unblock removes actor's block of other, if there is one. A match that the block
// has ended remains ended. It does not return whether the member exists, which would tell a
// hidden profile from a deleted account.
func (s *Service) Unblock(ctx context.Context, actor web.Actor, other uuid.UUID) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := matching.LockPair(ctx, tx, actor.ID, other); err != nil {
			return err
		}
		return deleteBlock(ctx, tx, actor.ID, other)
	})
}

// Blocks returns a page of the members whom actor has blocked, the newest first,
// and the cursor of the next page. It returns Invalid for an invalid cursor.
func (s *Service) Blocks(ctx context.Context, actor web.Actor, cursor string, limit int) ([]Blocked, string, error) {
	list := web.List{Name: "blocks", Member: actor.ID}
	after := web.StartCursor
	if err := web.DecodeCursor(list, cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectBlocks(ctx, s.pool, actor.ID, after, limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	rows, next := web.Paginate(list, rows, limit, func(b Blocked) web.Cursor { return web.Cursor{At: b.BlockedAt, ID: b.User.ID} })
	ids := make([]uuid.UUID, len(rows))
	for i := range rows {
		ids[i], rows[i].BlockedAt = rows[i].User.ID, web.Time(rows[i].BlockedAt)
	}
	cards, err := members.Cards(ctx, s.pool, actor.ID, ids)
	for i, id := range ids {
		card := cards[id]
		rows[i].User = members.UserCard{ID: id, FirstName: card.FirstName, FullName: card.FullName, Age: card.Age, City: card.City}
	}
	return rows, next, err
}
