package messaging

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Accept makes the request of that id, which waits for the actor's answer, an
// ordinary conversation; both are told. Where it is one already it stays so.
// Fails with NotFound, also for the own request and one that was declined, and
// Forbidden while the actor's own profile is not shown.
func (s *Service) Accept(ctx context.Context, actor web.Actor, id uuid.UUID) (Conversation, error) {
	peer, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (uuid.UUID, error) {
		h, err := hold(ctx, tx, actor.ID, id)
		if err != nil {
			return uuid.Nil, err
		}
		switch {
		case !h.IsRequest:
			return uuid.Nil, nil
		case h.Mine:
			return uuid.Nil, noRequest()
		case !h.MayWrite:
			return uuid.Nil, notShownYet()
		}
		return h.Peer, openRequest(ctx, tx, h.ID)
	})
	if err != nil {
		return Conversation{}, err
	}
	if peer != uuid.Nil {
		s.publishSync(actor.ID, peer)
	}
	return s.ConversationWith(ctx, actor, id)
}

// Decline hides the request of that id from the actor for good. Whoever wrote
// it goes on waiting and is told nothing. Declining again changes nothing.
// NotFound unless it is a request to the actor.
func (s *Service) Decline(ctx context.Context, actor web.Actor, id uuid.UUID) error {
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		declined, err := decline(ctx, tx, actor.ID, id)
		if err == nil && !declined {
			return noRequest()
		}
		return err
	})
	if err == nil {
		s.publishSync(actor.ID)
	}
	return err
}

// decline reports whether the conversation is a request to me, which it then
// was or is declined.
func decline(ctx context.Context, tx pgx.Tx, me, id uuid.UUID) (bool, error) {
	tag, err := tx.Exec(ctx, `UPDATE conversations SET declined_at = coalesce(declined_at, now()), `+ownSideChanged("$1")+`
		WHERE id = $2 AND $1 IN (user_a, user_b) AND closed_at IS NULL AND requested_by <> $1`, me, id)
	return tag.RowsAffected() > 0, err
}

// openRequest makes a request an ordinary conversation.
func openRequest(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE conversations SET requested_by = NULL, declined_at = NULL, changed_xid = pg_current_xact_id()
		WHERE id = $1`, id)
	return err
}

// addressee is a member to whom another would write, and how the two stand.
type addressee struct {
	IWrite, IShown, IPaused, IAmNew, Visible bool
	Conversation, RequestedBy                *uuid.UUID
	Closed                                   bool
}

// selectAddressee must come after the pair's lock, in a statement of its own.
// An open conversation with somebody who is hidden for now counts as none is
// shown: it is closed.
func selectAddressee(ctx context.Context, tx pgx.Tx, me, to uuid.UUID) (a addressee, err error) {
	err = tx.QueryRow(ctx, `
		SELECT me.profile_status = 'active' AND me.is_approved, (SELECT `+members.Searched+` FROM users u WHERE u.id = @viewer),
			me.paused_at IS NOT NULL, me.created_at > now() - interval '7 days', `+members.Visible+`,
			c.id, c.requested_by, c.id IS NOT NULL AND (c.closed_at IS NOT NULL OR u.profile_status <> 'active')
		FROM users u JOIN users me ON me.id = @viewer
		LEFT JOIN conversations c ON c.user_a = least(u.id, me.id) AND c.user_b = greatest(u.id, me.id)
		WHERE u.id = @to`, pgx.NamedArgs{"viewer": me, "to": to}).
		Scan(&a.IWrite, &a.IShown, &a.IPaused, &a.IAmNew, &a.Visible, &a.Conversation, &a.RequestedBy, &a.Closed)
	return a, err
}

func noRequest() error { return fault.New(fault.NotFound, "We could not find that request.") }
