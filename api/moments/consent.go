package moments

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Consent is another member's request to name the caller in the picture of their match, which the caller has not answered
// or has allowed.
type Consent struct {
	MomentID uuid.UUID        `json:"momentId"`
	From     members.UserCard `json:"from"`
	Given    bool             `json:"given" doc:"Whether the caller has allowed it; false while it waits for the answer"`
	AskedAt  time.Time        `json:"askedAt"`
}

var asksPerMember = limits.Rule{Name: "moment consents", Count: 20, Per: 24 * time.Hour,
	Message: "You have asked a few times today. Please try again tomorrow."}

// Ask asks the other member of a match whether the picture of its moment may show their first name. Repeating it changes
// nothing, and does not reveal whether they have refused. It returns NotFound unless the moment is one of the member's and its
// match is open, and RateLimited after 20 a day.
func (s *Service) Ask(ctx context.Context, member, id uuid.UUID) (Moment, error) {
	asked, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (uuid.UUID, error) { // Nil if the request exists already
		peer, err := selectPeer(ctx, tx, member, id)
		if errors.Is(err, pgx.ErrNoRows) {
			return peer, notFound()
		}
		if err != nil {
			return peer, err
		}
		tag, err := tx.Exec(ctx, `INSERT INTO moment_consents (moment_id, peer_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, id, peer)
		if err != nil || tag.RowsAffected() == 0 {
			return uuid.Nil, err
		}
		if err := limits.Allow(ctx, tx, asksPerMember, member.String()); err != nil {
			return uuid.Nil, err
		}
		_, err = s.jobs.InsertTx(ctx, tx, NotifyArgs{MomentID: id, MemberID: peer}, nil)
		return peer, err
	})
	if err != nil {
		return Moment{}, err
	}
	if asked != uuid.Nil {
		s.Announce(asked)
	}
	return s.get(ctx, member, id)
}

// Consents returns the requests to the member that wait for an answer, and those that the member
// has allowed, the newest first, at most 50. Those of ended matches are not among them.
func (s *Service) Consents(ctx context.Context, member uuid.UUID) ([]Consent, error) {
	list, err := selectConsents(ctx, s.pool, member)
	if err != nil {
		return nil, pg.Fault(err)
	}
	ids := make([]uuid.UUID, len(list))
	for i, c := range list {
		ids[i] = c.From.ID
	}
	cards, err := members.Cards(ctx, s.pool, member, ids)
	for i := range list {
		list[i].From, list[i].AskedAt = cards[list[i].From.ID], web.Time(list[i].AskedAt)
	}
	return list, err
}

// Answer stores the member's answer to a request, which can be changed at any time. It returns
// NotFound for a request that is not to the member or whose match has ended.
func (s *Service) Answer(ctx context.Context, member, moment uuid.UUID, allow bool) error {
	answer := "declined"
	if allow {
		answer = "given"
	}
	owner, err := updateConsent(ctx, s.pool, member, moment, answer)
	if err == nil {
		s.Announce(owner)
	}
	return err
}
