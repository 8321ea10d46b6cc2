package graduation

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// QueuedCouple is a couple that waits for a moderator. Its words and pictures were written for the
// wall, so opening them needs no reason.
type QueuedCouple struct {
	ID               uuid.UUID        `json:"id"`
	UserOne          members.UserCard `json:"userOne" doc:"Who asked: name, age and town"`
	UserTwo          members.UserCard `json:"userTwo"`
	LegacyMessage    string           `json:"legacyMessage"`
	ShowOnLegacyWall bool             `json:"showOnLegacyWall" doc:"Whether both want to be on the wall"`
	Pictures         []CouplePicture  `json:"pictures"`
	RequestedAt      time.Time        `json:"requestedAt"`
	AcceptedAt       time.Time        `json:"acceptedAt"`
	GraduatedAt      *time.Time       `json:"graduatedAt" nullable:"true" doc:"null while the couple waits"`
}

// Pending returns a page of the couples that wait for a moderator, those first who have waited
// longest. It omits the moderator's own. It returns Invalid for an invalid cursor.
func (s *Service) Pending(ctx context.Context, moderator uuid.UUID, page web.Page) ([]QueuedCouple, string, error) {
	list := web.List{Name: "graduations", Member: moderator}
	var after web.Cursor
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	couples, err := selectPending(ctx, s.pool, moderator, after, page.Limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	couples, next := web.Paginate(list, couples, page.Limit, func(c QueuedCouple) web.Cursor { return web.Cursor{At: c.AcceptedAt, ID: c.ID} })
	return couples, next, pg.Fault(completePending(ctx, s.pool, couples))
}

// pendingSQL takes the time and id of the last entry, the moderator and the limit.
const pendingSQL = `
	SELECT
		c.id,
		c.user_one_id,
		c.user_two_id,
		c.legacy_message,
		NOT EXISTS (SELECT FROM couple_members m WHERE m.couple_id = c.id AND NOT m.on_wall),
		c.requested_at,
		c.accepted_at
	FROM graduated_couples c
	WHERE c.status = 'pending'
		AND (c.accepted_at, c.id) > ($1, $2)
		AND $3 NOT IN (c.user_one_id, c.user_two_id)
	ORDER BY c.accepted_at, c.id
	LIMIT $4`

func selectPending(ctx context.Context, db pg.DB, moderator uuid.UUID, after web.Cursor, limit int) ([]QueuedCouple, error) {
	rows, _ := db.Query(ctx, pendingSQL, after.At, after.ID, moderator, limit)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (c QueuedCouple, err error) {
		err = row.Scan(&c.ID, &c.UserOne.ID, &c.UserTwo.ID, &c.LegacyMessage, &c.ShowOnLegacyWall, &c.RequestedAt, &c.AcceptedAt)
		return c, err
	})
}

func completePending(ctx context.Context, db pg.DB, couples []QueuedCouple) error {
	var people, ids []uuid.UUID
	for _, c := range couples {
		people, ids = append(people, c.UserOne.ID, c.UserTwo.ID), append(ids, c.ID)
	}
	cards, err := members.QueueCards(ctx, db, people)
	if err != nil {
		return err
	}
	pictures, err := selectPictures(ctx, db, ids, false)
	for i := range couples {
		c := &couples[i]
		c.UserOne, c.UserTwo, c.Pictures = cards[c.UserOne.ID], cards[c.UserTwo.ID], pictures[c.ID]
		if c.Pictures == nil {
			c.Pictures = []CouplePicture{}
		}
		c.RequestedAt, c.AcceptedAt = web.Time(c.RequestedAt), web.Time(c.AcceptedAt)
	}
	return err
}

// defaultReason is the reason of an approval without one, for the audit log.
const defaultReason = "Approved without a remark"

// Approve graduates a couple: both leave discovery, and are on the wall if both want it. It writes a
// row into the audit log; the reason may be empty. Repeating it changes nothing. It returns NotFound
// for an unknown couple, Forbidden for the moderator's own, and Conflict for one that has ended or of
// which a member is restricted or leaves.
func (s *Service) Approve(ctx context.Context, moderator, id uuid.UUID, reason string) error {
	if strings.TrimSpace(reason) == "" {
		reason = defaultReason
	}
	return s.decide(ctx, moderator, id, "graduated", reason)
}

// Reject ends a couple's request, with the reason for both. It returns the errors of Approve, and
// Invalid without a reason.
func (s *Service) Reject(ctx context.Context, moderator, id uuid.UUID, reason string) error {
	if reason == "" {
		return fault.InvalidField("reason", "Please give a reason.")
	}
	return s.decide(ctx, moderator, id, "rejected", reason)
}

func (s *Service) decide(ctx context.Context, moderator, id uuid.UUID, status, reason string) error {
	reason, err := text.Lines("reason", reason, maxReason)
	if err != nil {
		return err
	}
	both, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) ([]uuid.UUID, error) {
		one, two, current, err := lockCouple(ctx, tx, id)
		switch {
		case err != nil:
			return nil, err
		case moderator == one || moderator == two:
			return nil, fault.New(fault.Forbidden, "Another moderator has to decide on your own graduation.")
		case current == status:
			return nil, nil
		case current != "pending":
			return nil, fault.New(fault.Conflict, "This has been decided already, or the couple has withdrawn.")
		}
		if status == "graduated" {
			err = graduate(ctx, tx, id, moderator, one, two)
		} else {
			_, err = end(ctx, tx, id, status, reason, "pending")
		}
		if err != nil {
			return nil, err
		}
		if err := s.enqueueNotify(ctx, tx, id, status, one, two); err != nil {
			return nil, err
		}
		detail := map[string]any{"couple": id, "partner": two}
		return []uuid.UUID{one, two}, moderation.Audit(ctx, tx, moderator, "graduation."+status, one, reason, detail)
	})
	if err == nil && both != nil {
		s.notifyChanged(ctx, both...)
		if status == "graduated" {
			s.notifyWallChanged()
		}
	}
	return err
}

// lockCouple locks a couple that was accepted. It returns NotFound for any other.
func lockCouple(ctx context.Context, tx pgx.Tx, id uuid.UUID) (one, two uuid.UUID, status string, err error) {
	err = tx.QueryRow(ctx, `
		SELECT user_one_id, user_two_id
		FROM graduated_couples
		WHERE id = $1
			AND accepted_at IS NOT NULL`, id).Scan(&one, &two)
	if errors.Is(err, pgx.ErrNoRows) {
		return one, two, "", notFound()
	}
	if err != nil {
		return one, two, "", err
	}
	if err := matching.LockPair(ctx, tx, one, two); err != nil {
		return one, two, "", err
	}
	err = tx.QueryRow(ctx, `SELECT status FROM graduated_couples WHERE id = $1`, id).Scan(&status)
	return one, two, status, err
}

// graduate stores the approval and takes both out of discovery. It returns Conflict unless both are
// active and the couple still waits. It locks the members before the couple, as a ban does.
func graduate(ctx context.Context, tx pgx.Tx, id, moderator, one, two uuid.UUID) error {
	if err := members.SetGraduated(ctx, tx, true, one, two); err != nil {
		return err
	}
	tag, err := tx.Exec(ctx, `
		UPDATE graduated_couples
		SET
			status = 'graduated',
			approved_at = clock_timestamp(),
			approved_by = $2
		WHERE id = $1
			AND status = 'pending'
			AND (SELECT count(*) = 2 FROM profiles WHERE id IN ($3, $4) AND profile_status = 'active')`, id, moderator, one, two)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return fault.New(fault.Conflict, "One of the two is restricted or leaves.")
	}
	return nil
}
