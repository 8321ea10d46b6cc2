package notifications

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/matching"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
)

// NewMatch is the event of a match that the member has not seen.
type NewMatch struct {
	MatchID uuid.UUID `json:"matchId"`
}

func (NewMatch) eventType() string { return "match" }

// NotifyMatch decides in tx whether to notify a member of a new match, and enqueues a
// push for each device. It enqueues none for a connected member, whose socket received
// the event. A repeated call has no effect.
func (s *Service) NotifyMatch(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args matching.NotifyMatchArgs) error {
	match, err := readMatch(ctx, tx, args.MatchID, args.MemberID)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && match.Online {
		return nil
	}
	if err != nil {
		return err
	}
	return s.pushEvent(ctx, tx, jobs, args.MemberID, Matches, NewMatch{args.MatchID})
}

// load returns a notification that opens the list of matches, which celebrates the match.
func (e NewMatch) load(ctx context.Context, db pg.DB, member uuid.UUID, _ Preferences) (Notification, error) {
	match, err := readMatch(ctx, db, e.MatchID, member)
	return Notification{
		Category: Matches, Title: "It's a Match!", Body: "You and " + match.With + " like each other",
		Path: "/matches?celebrate=" + e.MatchID.String(), Tag: "match-" + e.MatchID.String(),
		Expires: match.MatchedAt.Add(messageLifetime),
	}, err
}

// unseenMatch is a match from one member's side.
type unseenMatch struct {
	With      string // first name of the other member
	MatchedAt time.Time
	Online    bool // whether the member is connected
}

// readMatch returns pgx.ErrNoRows if the member has seen the match or it has ended.
func readMatch(ctx context.Context, db pg.DB, match, member uuid.UUID) (unseenMatch, error) {
	rows, err := db.Query(ctx, `
		SELECT
			peer.first_name,
			m.created_at,
			EXISTS (SELECT FROM online_members o WHERE o.user_id = @member)
		FROM match_sides m
		JOIN profiles peer ON peer.id = m.peer_id AND peer.profile_status = 'active'
		WHERE m.match_id = @match
			AND m.member_id = @member
			AND m.unmatched_at IS NULL
			AND NOT m.seen`,
		pgx.NamedArgs{"match": match, "member": member})
	if err != nil {
		return unseenMatch{}, err
	}
	return pgx.CollectOneRow(rows, pgx.RowToStructByPos[unseenMatch])
}
