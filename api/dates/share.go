package dates

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// SharedPath is the path of the app's page for a link. The token is the fragment of the link,
// which browsers do not send.
const SharedPath = "/shared-date"

// maxShares is the maximum number of a member's valid links to a date.
const maxShares = 5

// perAddress limits the requests for shared dates from one client address.
var perAddress = limits.Rule{Name: "shared_dates", Count: 120, Per: time.Hour, Burst: 40}

// Link is a new link to a date. It cannot be returned again, because only a hash of
// its token is stored.
type Link struct {
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expiresAt" doc:"At the latest a day after the date"`
}

// SharedDate lists all data that a link reveals.
type SharedDate struct {
	FirstName string    `json:"firstName" doc:"The first name of the member who shared it"`
	With      string    `json:"with" doc:"The first name of the other member"`
	Place     string    `json:"place"`
	At        time.Time `json:"at"`
	TimeZone  string    `json:"timeZone"`
	Status    Status    `json:"status" enum:"proposed,accepted,declined,cancelled"`
	UpdatedAt time.Time `json:"updatedAt"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// Share makes a link to one of actor's accepted dates, valid for hours and at most
// until a day after the date. It returns NotFound unless the date is actor's, and
// Conflict when it is not accepted, is over, or has five valid links.
func (s *Service) Share(ctx context.Context, actor web.Actor, id uuid.UUID, hours int) (Link, error) {
	token := make([]byte, 32)
	_, _ = rand.Read(token) // never returns an error
	sum := sha256.Sum256(token)
	ends, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (time.Time, error) {
		date, err := lockDate(ctx, tx, actor.ID, id)
		if err != nil {
			return time.Time{}, err
		}
		if date.Status != Accepted {
			return time.Time{}, fault.New(fault.Conflict, "You can share a date once you both said yes.")
		}
		valid, err := countShares(ctx, tx, actor.ID, id)
		if err != nil {
			return time.Time{}, err
		}
		if valid >= maxShares {
			return time.Time{}, fault.New(fault.Conflict, "You have shared this date five times. Please end sharing first.")
		}
		ends, err := insertShare(ctx, tx, actor.ID, id, sum[:], hours)
		if errors.Is(err, pgx.ErrNoRows) {
			return time.Time{}, fault.New(fault.Conflict, "This date is over; there is nothing left to share.")
		}
		return ends, err
	})
	if err != nil {
		return Link{}, err
	}
	return Link{
		URL:       s.config.Site + SharedPath + "#" + base64.RawURLEncoding.EncodeToString(token),
		ExpiresAt: web.Time(ends),
	}, nil
}

// EndShares deletes all of actor's links to a date. It returns NotFound unless the
// date is actor's or there were links.
func (s *Service) EndShares(ctx context.Context, actor web.Actor, id uuid.UUID) error {
	// Delete first, because Get does not find the date while the other member is suspended.
	ended, err := deleteShares(ctx, s.pool, actor.ID, id)
	if err != nil || ended > 0 {
		return pg.Fault(err)
	}
	_, err = s.Get(ctx, actor, id)
	return err
}

// Shared returns the date of the link with token. It returns NotFound for an unknown
// or ended link, and RateLimited after too many requests from the client address.
func (s *Service) Shared(ctx context.Context, token string) (SharedDate, error) {
	rule := perAddress.Scaled(s.config.RateLimitScale)
	if err := limits.Allow(ctx, s.pool, rule, web.ClientOf(ctx)); err != nil {
		return SharedDate{}, err
	}
	ended := fault.New(fault.NotFound, "This link has ended.")
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != 32 {
		return SharedDate{}, ended
	}
	sum := sha256.Sum256(raw)
	date, err := selectShared(ctx, s.pool, sum[:])
	if errors.Is(err, pgx.ErrNoRows) {
		return SharedDate{}, ended
	}
	return date, pg.Fault(err)
}

func countShares(ctx context.Context, tx pgx.Tx, member, id uuid.UUID) (n int, err error) {
	err = tx.QueryRow(ctx, `
		SELECT count(*)
		FROM date_shares
		WHERE date_id = $1
			AND user_id = $2
			AND expires_at > now()`, id, member).Scan(&n)
	return n, err
}

// insertShare stores a link for a number of hours, and returns its end, which is at the latest a day after the date. It
// returns pgx.ErrNoRows if that day is over.
func insertShare(ctx context.Context, tx pgx.Tx, member, id uuid.UUID, hash []byte, hours int) (ends time.Time, err error) {
	err = tx.QueryRow(ctx, `
		INSERT INTO date_shares AS s (token_hash, date_id, user_id, expires_at)
		SELECT $3, d.id, $1, now() + make_interval(hours => $4)
		FROM dates d
		WHERE d.id = $2
			AND d.at + interval '24 hours' > now()
		RETURNING least(expires_at, (SELECT at + interval '24 hours' FROM dates WHERE id = $2))`, member, id, hash, hours).Scan(&ends)
	return ends, err
}

func deleteShares(ctx context.Context, db pg.DB, member, id uuid.UUID) (int64, error) {
	tag, err := db.Exec(ctx, `DELETE FROM date_shares WHERE date_id = $1 AND user_id = $2`, id, member)
	return tag.RowsAffected(), err
}

// selectShared returns the date of a link, or pgx.ErrNoRows for an unknown or ended link, a closed conversation, and a
// sharing member who is not active.
func selectShared(ctx context.Context, db pg.DB, hash []byte) (SharedDate, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			u.first_name,
			o.first_name AS "with",
			d.place,
			d.at,
			d.time_zone,
			d.status,
			d.updated_at,
			`+shareEnd+` AS expires_at
		FROM date_shares s
		JOIN dates d ON d.id = s.date_id
		JOIN conversation_sides c
			ON c.conversation_id = d.conversation_id
			AND c.member_id = s.user_id
		JOIN profiles u
			ON u.id = s.user_id
			AND u.profile_status = 'active'
		JOIN profiles o ON o.id = c.peer_id
		WHERE s.token_hash = $1
			AND `+shareEnd+` > now()
			AND c.closed_at IS NULL`, hash)
	d, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[SharedDate])
	d.At, d.UpdatedAt, d.ExpiresAt = web.Time(d.At), web.Time(d.UpdatedAt), web.Time(d.ExpiresAt)
	return d, err
}
