package auth

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// How long a session lasts whatever happens; alive has how long it may idle.
const (
	memberLife = 90 * 24 * time.Hour
	adminLife  = 8 * time.Hour
)

// Session is a device on which a member is signed in.
type Session struct {
	ID         uuid.UUID `json:"id"`
	UserAgent  string    `json:"userAgent"`
	CreatedAt  time.Time `json:"createdAt"`
	LastSeenAt time.Time `json:"lastSeenAt"`
	Current    bool      `json:"current" doc:"The one that asks"`
}

// The codes tell a device what to do with the data it stores: after
// session_revoked it removes them, after session_expired it locks them until
// the member signs in again. A session that is unknown counts as expired.
var (
	errSignedOut = fault.New(fault.Unauthenticated, "Please sign in.").WithCode("session_expired")
	errRevoked   = fault.New(fault.Unauthenticated, "Please sign in.").WithCode("session_revoked")
)

// Authenticate returns who the session token belongs to, and notes at most once
// a minute that it was used. Unauthenticated when the session has ended or its
// member is suspended, with the code of how it ended; Unavailable when the
// database cannot tell.
func (s *Service) Authenticate(ctx context.Context, token string) (web.Actor, error) {
	if token == "" {
		return web.Actor{}, errSignedOut
	}
	hash := hashOf(token)
	actor, stale, err := s.find(ctx, `s.token_hash = $1`, hash)
	switch {
	case errors.Is(err, errSignedOut):
		revoked, err := isRevoked(ctx, s.pool, hash)
		if err == nil && revoked {
			err = errRevoked
		} else if err == nil {
			err = errSignedOut
		}
		return web.Actor{}, err
	case err == nil && stale:
		err = s.slide(ctx, actor)
	}
	return actor, err
}

// Holds asks for an open socket whether its session still lasts. It goes by the
// session, not its token: with a new password the session has another one.
// Being connected is being here, except for admins: their fifteen minutes are
// for the screen that was left open. Errors as those of Authenticate.
func (s *Service) Holds(ctx context.Context, actor web.Actor) error {
	found, stale, err := s.find(ctx, `s.id = $1`, actor.SessionID)
	if err == nil && stale && !found.Admin {
		err = s.slide(ctx, found)
	}
	return err
}

// find returns who the session belongs to that condition names, and whether it
// was last seen more than a minute ago.
func (s *Service) find(ctx context.Context, condition string, arg any) (actor web.Actor, stale bool, err error) {
	err = s.pool.QueryRow(ctx, `
		SELECT s.id, u.id, u.is_admin, `+lastSeen+` < now() - interval '1 minute'
		FROM `+seenSessions+` JOIN users u ON u.id = s.user_id
		WHERE `+condition+` AND `+alive, arg).Scan(&actor.SessionID, &actor.ID, &actor.Admin, &stale)
	if errors.Is(err, pgx.ErrNoRows) {
		return web.Actor{}, false, errSignedOut
	}
	return actor, stale, pg.Fault(err)
}

// slide writes the session and the member in transactions of their own: no lock
// is held while waiting for another.
func (s *Service) slide(ctx context.Context, actor web.Actor) error {
	slid, err := slideSession(ctx, s.pool, actor.SessionID)
	if err != nil || !slid {
		return err
	}
	return members.Touch(ctx, s.pool, actor.ID)
}

// begin makes a session within tx, in place of the one the browser had, and
// returns its token and the sessions that ended by it.
func (s *Service) begin(ctx context.Context, tx pgx.Tx, browser Browser, member uuid.UUID, admin bool) (SignedIn, []uuid.UUID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return SignedIn{}, nil, err
	}
	life := memberLife
	if admin {
		life = adminLife
	}
	in := SignedIn{Token: newSecret(), ExpiresAt: time.Now().Add(life)}
	replaced, err := deleteSessionByToken(ctx, tx, hashOf(browser.Token))
	if err != nil {
		return SignedIn{}, nil, err
	}
	ended, err := insertSession(ctx, tx, id, member, hashOf(in.Token), shortAgent(browser.UserAgent), life)
	return in, append(ended, replaced...), err
}

// announce tells all nodes that sessions have ended. After commit only.
func (s *Service) announce(ended ...uuid.UUID) { AnnounceEnd(s.events, ended...) }

// AnnounceEnd has the sockets of sessions closed on every node. After the
// commit that ended them only.
func AnnounceEnd(events bus.Publisher, ended ...uuid.UUID) {
	for _, id := range ended {
		events.Publish(SessionSubject(id), []byte(id.String()))
	}
}

// EndAllTx revokes every session of the member in tx, with the devices that are
// pushed to, and answers with them for AnnounceEnd.
func EndAllTx(ctx context.Context, tx pgx.Tx, member uuid.UUID) ([]uuid.UUID, error) {
	return revokeOtherSessions(ctx, tx, member, uuid.Nil)
}

// SignOut ends the actor's own session. It is no error when it has ended before.
func (s *Service) SignOut(ctx context.Context, actor web.Actor) error {
	err := s.EndSession(ctx, actor, actor.SessionID)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// EndSession revokes one of the actor's sessions and closes its sockets on every
// node. NotFound when the actor has no such session.
func (s *Service) EndSession(ctx context.Context, actor web.Actor, id uuid.UUID) error {
	revoked, err := revokeSession(ctx, s.pool, actor.ID, id)
	if err != nil {
		return err
	}
	if !revoked {
		return fault.New(fault.NotFound, "We could not find that.")
	}
	s.announce(id)
	return nil
}

// Sessions lists where the actor is signed in, the last seen first; at most ten.
func (s *Service) Sessions(ctx context.Context, actor web.Actor) ([]Session, error) {
	rows, _ := s.pool.Query(ctx, `
		SELECT s.id, s.user_agent, s.created_at, `+lastSeen+`, s.id = $2
		FROM `+seenSessions+` JOIN users u ON u.id = s.user_id
		WHERE s.user_id = $1 AND `+alive+` ORDER BY `+lastSeen+` DESC, s.id DESC`, actor.ID, actor.SessionID)
	sessions, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Session])
	for i := range sessions {
		sessions[i].CreatedAt, sessions[i].LastSeenAt = web.Time(sessions[i].CreatedAt), web.Time(sessions[i].LastSeenAt)
	}
	return sessions, pg.Fault(err)
}

// shortAgent is the browser's name for itself, made fit for the database.
func shortAgent(agent string) string {
	agent = strings.ReplaceAll(strings.ToValidUTF8(agent, ""), "\x00", "")
	if utf8.RuneCountInString(agent) > 400 {
		agent = string([]rune(agent)[:400])
	}
	return agent
}
