package graduation

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/matching"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
)

var requestsPerMember = limits.Rule{Name: "graduations", Count: 5, Per: 24 * time.Hour,
	Message: "You have asked a few times today. Please try again tomorrow."}

// Ask is a request to graduate with a partner, who is named by id or address.
type Ask struct {
	Partner       uuid.UUID // Nil if Address names the partner
	Address       string
	LegacyMessage string
	OnWall        bool
	Pictures      []uuid.UUID // pictures of the own profile
}

// clean trims the texts and makes the checks that need no database.
func (in *Ask) clean(actor uuid.UUID) (err error) {
	in.Address = strings.TrimSpace(in.Address)
	switch {
	case in.Partner == uuid.Nil && in.Address == "":
		return fault.InvalidField("partnerEmail", "Please enter your partner's email address.")
	case in.Partner != uuid.Nil && in.Address != "":
		return fault.InvalidField("partnerEmail", "Name your partner by the address or from your matches, not both.")
	case in.Partner == actor:
		return fault.InvalidField("userTwoId", "It takes two to graduate.")
	}
	if in.Address != "" {
		address, err := mailaddr.Parse("partnerEmail", in.Address)
		if err != nil {
			return err
		}
		in.Address = address.Typed
	}
	in.LegacyMessage, err = text.Lines("legacyMessage", in.LegacyMessage, maxMessage)
	return err
}

// Ask asks a match to graduate, and returns the new state. If that member has asked actor, it
// accepts instead. Repeating it changes nothing. An address that is not that of a match is stored and
// looks like any other, so that the response does not tell whose it is.
//
// It returns NotFound if Partner is not a match of actor; Conflict with another open couple;
// Forbidden for a member who is not shown; Invalid for the own address, or a picture that is not one
// of the own profile; and RateLimited after 5 requests a day.
func (s *Service) Ask(ctx context.Context, actor uuid.UUID, in Ask) (CoupleState, error) {
	if err := in.clean(actor); err != nil {
		return CoupleState{}, err
	}
	partner, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (uuid.UUID, error) {
		if err := matching.LockActor(ctx, tx, actor); err != nil {
			return uuid.Nil, err
		}
		partner, err := findPartner(ctx, tx, actor, in)
		if err != nil {
			return uuid.Nil, err
		}
		if partner != uuid.Nil {
			if err := matching.LockPair(ctx, tx, actor, partner); err != nil {
				return uuid.Nil, err
			}
		}
		return partner, s.ask(ctx, tx, actor, partner, in)
	})
	if err != nil {
		return CoupleState{}, err
	}
	return s.announce(ctx, actor, partner)
}

func (s *Service) ask(ctx context.Context, tx pgx.Tx, actor, partner uuid.UUID, in Ask) error {
	own, err := selectOwnCouple(ctx, tx, actor)
	if err != nil {
		return err
	}
	if own != nil {
		if own.one == actor && own.isFor(partner, in.Address) {
			return nil
		}
		return fault.New(fault.Conflict, "You have a graduation already. Withdraw it before you ask again.")
	}
	if request, err := findRequest(ctx, tx, partner, actor); err != nil || request != uuid.Nil {
		if err == nil {
			// The pictures of that request were not seen: the card of the couple asks about them.
			_, err = s.accept(ctx, tx, actor, partner, request, in.OnWall, in.Pictures)
		}
		return err
	}
	if err := limits.Allow(ctx, tx, requestsPerMember, actor.String()); err != nil {
		return err
	}
	id, err := insertCouple(ctx, tx, actor, partner, in)
	if err != nil {
		return err
	}
	if err := insertMember(ctx, tx, id, actor, in.OnWall, in.Pictures); err != nil || partner == uuid.Nil {
		return err
	}
	if err := s.enqueueNotify(ctx, tx, id, "asked", partner); err != nil {
		return err
	}
	_, err = s.jobs.InsertTx(ctx, tx, MailArgs{CoupleID: id}, nil)
	return err
}

// isFor reports whether the couple's partner was named like this.
func (c *Couple) isFor(partner uuid.UUID, address string) bool {
	if c.PartnerAddress != nil {
		return abuseKey(address) == abuseKey(*c.PartnerAddress)
	}
	return c.two != nil && partner == *c.two
}

// Acceptance is a member's own part of the couple that an acceptance makes.
type Acceptance struct {
	OnWall   bool
	Pictures []uuid.UUID // pictures of the own profile
	Seen     []uuid.UUID // the partner's pictures, to which the acceptance agrees
}

// Accept accepts a partner's request, and returns the new state. It agrees to the request's words and
// pictures. A moderator decides then. Repeating it changes nothing.
//
// It returns NotFound for a request that does not wait for actor; Conflict with another open couple,
// and if the request has other pictures than those seen; and Invalid for a picture that is not one of
// the own profile.
func (s *Service) Accept(ctx context.Context, actor, id uuid.UUID, in Acceptance) (CoupleState, error) {
	partner, err := s.withRequest(ctx, actor, id, func(tx pgx.Tx, partner uuid.UUID) error {
		accepted, err := s.accept(ctx, tx, actor, partner, id, in.OnWall, in.Pictures)
		if err != nil || !accepted {
			return err
		}
		return agree(ctx, tx, id, actor, in.Seen, allPictures)
	})
	if err != nil {
		return CoupleState{}, err
	}
	return s.announce(ctx, actor, partner)
}

// Decline declines a partner's request, and returns the new state. Repeating it returns NotFound,
// like a request that does not wait for actor.
func (s *Service) Decline(ctx context.Context, actor, id uuid.UUID) (CoupleState, error) {
	partner, err := s.withRequest(ctx, actor, id, func(tx pgx.Tx, partner uuid.UUID) error {
		ended, err := endCouple(ctx, tx, id, "declined", "", "asked")
		switch {
		case err != nil:
			return err
		case !ended:
			return notFound()
		}
		return s.enqueueNotify(ctx, tx, id, "declined", partner)
	})
	if err != nil {
		return CoupleState{}, err
	}
	return s.announce(ctx, actor, partner)
}

// withRequest locks a request to actor, calls fn with the member who asked, and returns that member. It returns NotFound without a
// request.
func (s *Service) withRequest(ctx context.Context, actor, id uuid.UUID, fn func(tx pgx.Tx, partner uuid.UUID) error) (uuid.UUID, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (uuid.UUID, error) {
		partner, err := selectAsker(ctx, tx, actor, id)
		if err != nil {
			return uuid.Nil, err
		}
		if err := matching.LockActor(ctx, tx, actor); err != nil {
			return uuid.Nil, err
		}
		if err := matching.LockPair(ctx, tx, actor, partner); err != nil {
			return uuid.Nil, err
		}
		return partner, fn(tx, partner)
	})
}

// accept accepts a request of partner with the locks of the pair, and reports whether it did: false for a repetition.
func (s *Service) accept(ctx context.Context, tx pgx.Tx, actor, partner, id uuid.UUID, onWall bool, pictures []uuid.UUID) (bool, error) {
	own, err := selectOwnCouple(ctx, tx, actor)
	switch {
	case err != nil:
		return false, err
	case own != nil && own.ID == id:
		return false, nil
	case own != nil:
		return false, fault.New(fault.Conflict, "You have asked another match. Withdraw that request first.")
	}
	if err := markAccepted(ctx, tx, id); err != nil {
		return false, err
	}
	if err := insertMember(ctx, tx, id, actor, onWall, pictures); err != nil {
		return false, err
	}
	return true, s.enqueueNotify(ctx, tx, id, "pending", partner)
}

// announce announces a change of the couple of both, and returns actor's new state.
func (s *Service) announce(ctx context.Context, actor, partner uuid.UUID) (CoupleState, error) {
	ids := []uuid.UUID{actor}
	if partner != uuid.Nil {
		ids = append(ids, partner)
	}
	s.notifyChanged(ctx, ids...)
	return s.State(ctx, actor)
}
