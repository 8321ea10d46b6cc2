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
		own, err := selectOwnCouple(ctx, tx, actor)
		if err != nil || own == nil {
			return change{}, err
		}
		done := own.changeBy(actor)
		if done.partner != uuid.Nil {
			if err := matching.LockPair(ctx, tx, actor, done.partner); err != nil {
				return change{}, err
			}
		}
		_, err = endCouple(ctx, tx, own.ID, "withdrawn", "", "asked", "pending", "graduated")
		return done, err
	})
	if err != nil {
		return CoupleState{}, err
	}
	return s.announceChange(ctx, actor, done)
}

// change is what an actor's change of the own couple concerns.
type change struct {
	partner uuid.UUID // Nil without one
	wall    bool      // whether the couple may be on the wall
}

func (c *Couple) changeBy(actor uuid.UUID) change {
	return change{c.partnerOf(actor), c.Status == "graduated"}
}

// announceChange announces a change also to the readers of the wall, and returns actor's new state.
func (s *Service) announceChange(ctx context.Context, actor uuid.UUID, done change) (CoupleState, error) {
	if done.wall {
		s.notifyWallChanged()
	}
	return s.announce(ctx, actor, done.partner)
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
		own, err := selectOwnCouple(ctx, tx, actor)
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
	return s.announce(ctx, actor, uuid.Nil)
}
