package graduation

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// Withdraw ends the member's couple at any time, also one that has graduated, and returns the new
// state. The couple leaves the wall at once. Both members stay out of discovery until they Return.
// It does nothing without a couple.
func (s *Service) Withdraw(ctx context.Context, actor uuid.UUID) (CoupleState, error) {
	done, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (change, error) {
		if err := matching.LockActor(ctx, tx, actor); err != nil {
			return change{}, err
		}
		own, err := selectOpen(ctx, tx, actor)
		if err != nil || own == nil {
			return change{}, err
		}
		done := own.changeBy(actor)
		if done.partner != uuid.Nil {
			if err := matching.LockPair(ctx, tx, actor, done.partner); err != nil {
				return change{}, err
			}
		}
		_, err = end(ctx, tx, own.ID, "withdrawn", "", "asked", "pending", "graduated")
		return done, err
	})
	return s.announce(ctx, actor, done, err)
}

// change is what an actor's change of the own couple concerns.
type change struct {
	partner uuid.UUID // Nil without one
	wall    bool      // whether the couple may be on the wall
}

func (c *Couple) changeBy(actor uuid.UUID) change {
	return change{c.partnerOf(actor), c.Status == "graduated"}
}

// announce announces a change unless err is an error, and returns actor's new state.
func (s *Service) announce(ctx context.Context, actor uuid.UUID, done change, err error) (CoupleState, error) {
	if err != nil {
		return CoupleState{}, err
	}
	if done.wall {
		s.notifyWallChanged()
	}
	return s.changed(ctx, actor, done.partner)
}

// partnerOf returns the other member, or Nil without one.
func (c *Couple) partnerOf(member uuid.UUID) uuid.UUID {
	switch {
	case c.one != member:
		return c.one
	case c.two != nil:
		return *c.two
	}
	return uuid.Nil
}

// Return puts a member whose couple has ended back into discovery, and returns the new state.
// Repeating it changes nothing. It returns Conflict for a member of a couple that has graduated.
func (s *Service) Return(ctx context.Context, actor uuid.UUID) (CoupleState, error) {
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := matching.LockActor(ctx, tx, actor); err != nil {
			return err
		}
		own, err := selectOpen(ctx, tx, actor)
		if err != nil {
			return err
		}
		if own != nil && own.Status == "graduated" {
			return fault.New(fault.Conflict, "You have graduated together. Withdraw from that first.")
		}
		return members.SetGraduated(ctx, tx, false, actor)
	})
	if err != nil {
		return CoupleState{}, err
	}
	return s.changed(ctx, actor, uuid.Nil)
}

// SetWall stores whether the member wants the couple on the wall, and which of the own chosen
// pictures stay on it, and returns the new state. Others cannot be added, because a moderator has
// not seen them. It returns NotFound without a couple, and Invalid for another picture.
func (s *Service) SetWall(ctx context.Context, actor uuid.UUID, onWall bool, pictures []uuid.UUID) (CoupleState, error) {
	return s.changeOwn(ctx, actor, func(tx pgx.Tx, _ *Couple) error { return updateWall(ctx, tx, actor, onWall, pictures) })
}

// Agree sets which of the partner's pictures the member wants on the wall, and returns the new state.
// The wall shows no others of the partner's. It returns NotFound before the acceptance, and Conflict if
// the partner has taken one of them off.
func (s *Service) Agree(ctx context.Context, actor uuid.UUID, pictures []uuid.UUID) (CoupleState, error) {
	return s.changeOwn(ctx, actor, func(tx pgx.Tx, own *Couple) error {
		if own.Status == "asked" {
			return notFound()
		}
		return agree(ctx, tx, own.ID, actor, pictures, some)
	})
}

// changeOwn runs fn on actor's couple with actor's lock, announces the change and returns the new
// state. It returns NotFound without a couple.
func (s *Service) changeOwn(ctx context.Context, actor uuid.UUID, fn func(pgx.Tx, *Couple) error) (CoupleState, error) {
	done, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (change, error) {
		if err := matching.LockActor(ctx, tx, actor); err != nil {
			return change{}, err
		}
		own, err := selectOpen(ctx, tx, actor)
		if err != nil {
			return change{}, err
		}
		if own == nil {
			return change{}, notFound()
		}
		return own.changeBy(actor), fn(tx, own)
	})
	return s.announce(ctx, actor, done, err)
}
