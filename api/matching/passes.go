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

// Pass says that actor would rather not meet the member to: discovery leaves
// them out for 30 days. Calling it again starts the 30 days anew, unless it is
// the same pass by its id, which may be Nil. A like that was sent stands,
// because it may be seen already; passing then changes nothing.
// Errors: Invalid for oneself, NotFound for a member actor may not see.
func (s *Service) Pass(ctx context.Context, actor web.Actor, to, id uuid.UUID) error {
	if actor.ID == to {
		return fault.InvalidField("toUserId", "You can't pass on yourself.")
	}
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := LockPair(ctx, tx, actor.ID, to); err != nil {
			return err
		}
		standing, err := selectStanding(ctx, tx, actor.ID, to)
		if err != nil {
			return err
		}
		switch {
		case !standing.visible:
			return notFound()
		case standing.mine != nil || standing.matchID != nil:
			return nil
		}
		return upsertPass(ctx, tx, actor.ID, to, id)
	})
}

// TakeBack undoes actor's pass on a member; it is no error when there is none.
// A pass with the id that arrives later does nothing, so that the two calls may
// arrive in any order and repeatedly. The id may be Nil. NotFound for a member
// that does not exist.
func (s *Service) TakeBack(ctx context.Context, actor web.Actor, to, id uuid.UUID) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := LockPair(ctx, tx, actor.ID, to); err != nil {
			return err
		}
		return deletePass(ctx, tx, actor.ID, to, id)
	})
}

// Passed is a member that the caller has passed on.
type Passed struct {
	User     members.UserCard `json:"user"`
	PassedAt time.Time        `json:"passedAt"`
}

// Passes returns a page of those whom actor passed on in the last 30 days and
// may still see, the newest first. Errors: Invalid for a cursor that is none.
func (s *Service) Passes(ctx context.Context, actor web.Actor, cursor string, limit int) ([]Passed, string, error) {
	after := web.StartCursor
	if err := web.DecodeCursor(cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectPasses(ctx, s.pool, actor.ID, after, limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	rows, next := web.Paginate(rows, limit, func(p Passed) web.Cursor { return web.Cursor{At: p.PassedAt, ID: p.User.ID} })
	for i := range rows {
		rows[i].PassedAt = web.Time(rows[i].PassedAt)
	}
	err = fillCards(ctx, s.pool, rows, func(p *Passed) *members.UserCard { return &p.User })
	return rows, next, err
}
