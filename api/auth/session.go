package auth

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Maximum lifetimes of a session. validSession defines how long it may be idle.
const (
	memberLifetime = 90 * 24 * time.Hour
	staffLifetime  = 8 * time.Hour
)

// Session is a device on which a member is signed in.
type Session struct {
	ID         uuid.UUID `json:"id"`
	UserAgent  string    `json:"userAgent"`
	Place      string    `json:"place" doc:"City or country of the sign-in, roughly; empty when it is not known" example:"Amsterdam"`
	CreatedAt  time.Time `json:"createdAt"`
	LastSeenAt time.Time `json:"lastSeenAt"`
	Current    bool      `json:"current" doc:"The session of this request"`
}

// CodeRevoked is the code of a session that a member or an admin has ended.
const CodeRevoked = "session_revoked"

// The code determines what a device does with its stored data: after session_revoked it
// deletes the data, after session_expired it locks the data until the next sign-in. An
// unknown session counts as expired.
var (
	errSignedOut = fault.Declare("session_expired", fault.Unauthenticated, "Please sign in.")
	errRevoked   = fault.Declare(CodeRevoked, fault.Unauthenticated, "Please sign in.")
)

// Authenticate returns the actor of a session token, and records its use at most
// once a minute. It returns Unauthenticated when the session has ended or the
// deletion of the account is due, with the code session_expired or session_revoked, and
// Unavailable when the database does not respond. The actor may be Restricted or Leaving.
//
// A replaced token is valid for another minute, because requests are on their way while the
// browser receives the next one, and that response may be lost. Its actor has no part in what
// the session proved: neither Proved nor a second factor that it did not have before.
func (s *Service) Authenticate(ctx context.Context, token string) (web.Actor, error) {
	if token == "" {
		return web.Actor{}, errSignedOut
	}
	hash := hashOf(token)
	actor, stale, err := s.findSession(ctx, byToken, hash)
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
		err = s.recordUse(ctx, actor)
	}
	return actor, err
}

// CheckSession returns an error when the session of an open socket has ended or its member
// is restricted, with the kinds of Authenticate. It selects the session by its id, because a new
// password replaces the token. An open socket counts as use, except for admins
// and moderators, whose sessions must end after 15 idle minutes on an open screen.
func (s *Service) CheckSession(ctx context.Context, actor web.Actor) error {
	found, stale, err := s.findSession(ctx, byID, actor.SessionID)
	if err == nil && found.Restricted {
		return errSignedOut
	}
	if err == nil && stale && !found.Granted {
		err = s.recordUse(ctx, found)
	}
	return err
}

// sessionKey has two SQL conditions on session s and $1: whether it is the session that is looked for, and then whether
// $1 is its replaced token.
type sessionKey struct{ matches, isReplaced string }

var (
	byID    = sessionKey{`s.id = $1`, `false`}
	byToken = sessionKey{
		`(s.token_hash = $1 OR s.replaced_token_hash = $1 AND s.token_replaced_at > now() - interval '1 minute')`,
		`s.token_hash <> $1`,
	}
)

// findSession returns the actor of the session with this id or token, and whether its last
// recorded use is more than a minute ago. With Config.RequireFactor, an admin or a moderator
// has more rights than a member only in a session that proved the second factor.
func (s *Service) findSession(ctx context.Context, key sessionKey, value any) (actor web.Actor, stale bool, err error) {
	rows, _ := s.pool.Query(ctx, `
		SELECT
			s.id,
			u.user_id,
			u.is_staff,
			u.is_admin,
			NOT $2 OR s.factor_at IS NOT NULL AND (NOT replaced OR s.factor_at < s.token_replaced_at) AS has_factor,
			NOT replaced AND `+recentProof+` AS is_proved,
			u.deletion_due_at IS NOT NULL OR NOT u.is_staff AND u.profile_status IN ('suspended', 'under_review') AS is_restricted,
			u.deletion_due_at IS NOT NULL AS is_leaving,
			replaced AS is_replaced,
			`+lastSeen+` < now() - interval '1 minute' AS is_stale
		FROM `+sessionsWithActivity+`
		JOIN credentials u ON u.user_id = s.user_id
		CROSS JOIN LATERAL (SELECT `+key.isReplaced+` AS replaced) token
		WHERE `+key.matches+`
			AND `+validSession, value, s.config.RequireFactor)
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[sessionRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return web.Actor{}, false, errSignedOut
	}
	return found.actor(), found.IsStale, pg.Fault(err)
}

// sessionRow is a valid session with the rights of its member.
type sessionRow struct {
	ID           uuid.UUID
	UserID       uuid.UUID
	IsStaff      bool
	IsAdmin      bool
	HasFactor    bool // the second factor was proved, or is not required
	IsProved     bool // an identity proof is at most 10 minutes old
	IsRestricted bool
	IsLeaving    bool
	IsReplaced   bool // the token is the replaced one
	IsStale      bool // the last recorded use is more than a minute ago
}

// actor returns the actor of the session. A leaving member has no more rights than a member.
func (r sessionRow) actor() web.Actor {
	hasRights := r.HasFactor && !r.IsLeaving
	return web.Actor{
		SessionID: r.ID, ID: r.UserID, Granted: r.IsStaff, Moderator: r.IsStaff && hasRights, Admin: r.IsAdmin && hasRights,
		Proved: r.IsProved, Restricted: r.IsRestricted, Leaving: r.IsLeaving, Replaced: r.IsReplaced,
	}
}

// recordUse updates the session and the member in separate transactions, so that it holds
// only one lock at a time.
func (s *Service) recordUse(ctx context.Context, actor web.Actor) error {
	recorded, err := touchSession(ctx, s.pool, actor.SessionID)
	if err != nil || !recorded {
		return err
	}
	return members.Touch(ctx, s.pool, actor.ID)
}

// createSession replaces the browser's session by a new one in tx, and returns it
// with the ids of the sessions that were deleted.
func (s *Service) createSession(ctx context.Context, tx pgx.Tx, browser Browser, member uuid.UUID, staff bool) (SignedIn, []uuid.UUID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return SignedIn{}, nil, err
	}
	life := memberLifetime
	if staff {
		life = staffLifetime
	}
	in := SignedIn{Token: newSecret(), ExpiresAt: time.Now().Add(life), session: id}
	replaced, err := deleteSessionByToken(ctx, tx, hashOf(browser.Token))
	if err != nil {
		return SignedIn{}, nil, err
	}
	ended, err := insertSession(ctx, tx, id, member, hashOf(in.Token), browser, life)
	return in, append(ended, replaced...), err
}

// publishEnded calls PublishEnded with the bus of the service.
func (s *Service) publishEnded(ended ...uuid.UUID) { PublishEnded(s.events, ended...) }

// PublishEnded makes every node close the sockets of these sessions. It must be
// called after the transaction that ended them has committed.
func PublishEnded(events bus.Publisher, ended ...uuid.UUID) {
	for _, id := range ended {
		events.Publish(SessionSubject(id), []byte(id.String()))
	}
}

// PublishEndedJob publishes the ended sessions of a job.
func (s *Service) PublishEndedJob(args EndedArgs) { s.publishEnded(args.SessionIDs...) }

// SessionIDs returns the ids of the member's sessions. PublishEnded with them closes their
// sockets although the sessions go on, which a member whose account becomes restricted needs.
func SessionIDs(ctx context.Context, db pg.DB, member uuid.UUID) ([]uuid.UUID, error) {
	rows, _ := db.Query(ctx, `SELECT id FROM sessions WHERE user_id = $1`, member)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// RevokeAllTx revokes every session of the member in tx, with their push
// subscriptions, and returns their ids for PublishEnded.
func RevokeAllTx(ctx context.Context, tx pgx.Tx, member uuid.UUID) ([]uuid.UUID, error) {
	return revokeOtherSessions(ctx, tx, member, uuid.Nil)
}

// RevokeAllAndEnqueue revokes every session of the member in tx, and enqueues the job that closes their sockets on
// every node. It is for processes that have no bus; others call RevokeAllTx and PublishEnded, moderation with EnqueueEnded.
func RevokeAllAndEnqueue(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, member uuid.UUID) error {
	if err := members.Lock(ctx, tx, member); err != nil {
		return err
	}
	ended, err := RevokeAllTx(ctx, tx, member)
	if err != nil {
		return err
	}
	return EnqueueEnded(ctx, tx, jobs, ended...)
}

// EnqueueEnded enqueues the job that closes the sockets of these sessions on every node. Callers that also call
// PublishEnded, which is faster, enqueue it for a response to COMMIT that is lost, after which they publish nothing.
func EnqueueEnded(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, ended ...uuid.UUID) error {
	if len(ended) == 0 {
		return nil
	}
	_, err := jobs.InsertTx(ctx, tx, EndedArgs{SessionIDs: ended}, &river.InsertOpts{})
	return err
}

// SignOut ends the actor's session. It returns nil if the session has already ended.
func (s *Service) SignOut(ctx context.Context, actor web.Actor) error {
	revoked, err := revokeSession(ctx, s.pool, actor.ID, actor.SessionID)
	if err == nil && revoked {
		s.publishEnded(actor.SessionID)
	}
	return err
}

// EndSession revokes one of the actor's sessions and closes its sockets on every node. It
// returns NotFound when the actor has no such session, and the errors of RequireProof
// unless it is the session of the actor.
func (s *Service) EndSession(ctx context.Context, actor web.Actor, id uuid.UUID) error {
	revoked, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (bool, error) {
		if id != actor.SessionID {
			if err := lockWithProof(ctx, tx, actor); err != nil {
				return false, err
			}
		}
		return revokeSession(ctx, tx, actor.ID, id)
	})
	if err != nil {
		return err
	}
	if !revoked {
		return fault.New(fault.NotFound, "We could not find that.")
	}
	s.publishEnded(id)
	return nil
}

// EndOtherSessions revokes all sessions of the actor but the own, closes their sockets on
// every node, and returns their ids. It returns the errors of RequireProof.
func (s *Service) EndOtherSessions(ctx context.Context, actor web.Actor) ([]uuid.UUID, error) {
	ended, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) ([]uuid.UUID, error) {
		if err := lockWithProof(ctx, tx, actor); err != nil {
			return nil, err
		}
		return revokeOtherSessions(ctx, tx, actor.ID, actor.SessionID)
	})
	if err != nil {
		return nil, err
	}
	s.publishEnded(ended...)
	return ended, nil
}

// lockWithProof locks the actor's row and returns the errors of RequireProof. Of two
// sessions that end each other at the same time, the lock lets only the first succeed.
func lockWithProof(ctx context.Context, tx pgx.Tx, actor web.Actor) error {
	if err := members.Lock(ctx, tx, actor.ID); err != nil {
		return err
	}
	return RequireProof(ctx, tx, actor)
}

// Sessions returns the actor's valid sessions, at most ten, the most recently used first.
func (s *Service) Sessions(ctx context.Context, actor web.Actor) ([]Session, error) {
	rows, _ := s.pool.Query(ctx, `
		SELECT
			s.id,
			s.user_agent,
			s.place,
			s.created_at,
			`+lastSeen+` AS last_seen_at,
			s.id = $2 AS current
		FROM `+sessionsWithActivity+`
		JOIN credentials u ON u.user_id = s.user_id
		WHERE s.user_id = $1
			AND `+validSession+`
		ORDER BY `+lastSeen+` DESC, s.id DESC`, actor.ID, actor.SessionID)
	sessions, err := pgx.CollectRows(rows, pgx.RowToStructByName[Session])
	for i := range sessions {
		sessions[i].CreatedAt, sessions[i].LastSeenAt = web.Time(sessions[i].CreatedAt), web.Time(sessions[i].LastSeenAt)
	}
	return sessions, pg.Fault(err)
}

// shortAgent returns the User-Agent header, without bytes that PostgreSQL refuses and
// truncated to 400 characters.
func shortAgent(agent string) string {
	agent = strings.ReplaceAll(strings.ToValidUTF8(agent, ""), "\x00", "")
	if utf8.RuneCountInString(agent) > 400 {
		agent = string([]rune(agent)[:400])
	}
	return agent
}
