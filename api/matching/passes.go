package matching

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Pass hides a member from actor's discovery for 30 days. Another pass restarts the 30
// days; a repetition with the same id changes nothing. The id may be Nil. If actor has
// liked the member, Pass does nothing, because the like may have been seen.
// Errors: Invalid for actor's own id, NotFound for a member whom actor may not see.
func (s *Service) Pass(ctx context.Context, actor web.Actor, to, id uuid.UUID) error {
	if actor.ID == to {
		return fault.InvalidField("toUserId", "You can't pass on yourself.")
	}
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := LockPair(ctx, tx, actor.ID, to); err != nil {
			return err
		}
		relation, err := selectRelation(ctx, tx, actor.ID, to)
		if err != nil {
			return err
		}
		switch {
		case !relation.Visible:
			return notFound()
		case relation.SentKind != nil || relation.MatchID != nil:
			return nil
		}
		return upsertPass(ctx, tx, actor.ID, to, id)
	})
}

// UndoPass deletes actor's pass on a member, if there is one. A pass with the same id that
// arrives later is ignored, so that the two calls may arrive in any order and repeatedly.
// The id may be Nil. It does not return whether the member exists, which would tell a hidden
// profile from a deleted account.
func (s *Service) UndoPass(ctx context.Context, actor web.Actor, to, id uuid.UUID) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := LockPair(ctx, tx, actor.ID, to); err != nil {
			return err
		}
		return deletePass(ctx, tx, actor.ID, to, id)
	})
}

// Passed is a member whom the caller passed on.
type Passed struct {
	User     members.UserCard `json:"user"`
	PassedAt time.Time        `json:"passedAt"`
}

// Passes returns a page of the members whom actor passed on in the last 30 days and may
// see, the newest first. With lapsed it returns those whom actor passed on earlier instead,
// who can be found by searches again. It returns Invalid for a malformed cursor.
func (s *Service) Passes(ctx context.Context, actor web.Actor, lapsed bool, cursor string, limit int) ([]Passed, string, error) {
	list := web.List{Name: "passes", Member: actor.ID}
	if lapsed {
		list.Name = "lapsed passes"
	}
	after := web.StartCursor
	if err := web.DecodeCursor(list, cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectPasses(ctx, s.pool, actor.ID, lapsed, after, limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	rows, next := web.Paginate(list, rows, limit, func(p Passed) web.Cursor { return web.Cursor{At: p.PassedAt, ID: p.User.ID} })
	for i := range rows {
		rows[i].PassedAt = web.Time(rows[i].PassedAt)
	}
	err = fillCards(ctx, s.pool, actor.ID, rows, func(p *Passed) *members.UserCard { return &p.User })
	return rows, next, err
}
