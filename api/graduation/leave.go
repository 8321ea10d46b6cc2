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
	partner, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (uuid.UUID, error) {
		if err := matching.LockActor(ctx, tx, actor); err != nil {
			return uuid.Nil, err
		}
		own, err := selectOpen(ctx, tx, actor)
		if err != nil || own == nil {
			return uuid.Nil, err
		}
		partner := own.partnerOf(actor)
		if partner != uuid.Nil {
			if err := matching.LockPair(ctx, tx, actor, partner); err != nil {
				return uuid.Nil, err
			}
		}
		_, err = end(ctx, tx, own.ID, "withdrawn", "", "asked", "pending", "graduated")
		return partner, err
	})
	if err != nil {
		return CoupleState{}, err
	}
	return s.changed(ctx, actor, partner)
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
	partner, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (uuid.UUID, error) {
		if err := matching.LockActor(ctx, tx, actor); err != nil {
			return uuid.Nil, err
		}
		own, err := selectOpen(ctx, tx, actor)
		if err != nil {
			return uuid.Nil, err
		}
		if own == nil {
			return uuid.Nil, notFound()
		}
		return own.partnerOf(actor), updateWall(ctx, tx, actor, onWall, pictures)
	})
	if err != nil {
		return CoupleState{}, err
	}
	return s.changed(ctx, actor, partner)
}
