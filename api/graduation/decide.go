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
	"heartward/api/platform/web"
	"heartward/api/queue"
)

// QueuedCouple is a couple that waits for a moderator, without its words and pictures, which the partner alone has
// seen so far.
type QueuedCouple struct {
	ID          uuid.UUID        `json:"id"`
	UserOne     members.UserCard `json:"userOne" doc:"Who asked: name, age and town"`
	UserTwo     members.UserCard `json:"userTwo"`
	RequestedAt time.Time        `json:"requestedAt"`
	AcceptedAt  time.Time        `json:"acceptedAt"`
	GraduatedAt *time.Time       `json:"graduatedAt" nullable:"true" doc:"null while the couple waits"`
}

// OpenedCouple is a couple that waits, with what it wants to have on the wall.
type OpenedCouple struct {
	QueuedCouple
	LegacyMessage    string          `json:"legacyMessage"`
	ShowOnLegacyWall bool            `json:"showOnLegacyWall" doc:"Whether both want to be on the wall"`
	Pictures         []CouplePicture `json:"pictures" doc:"They can be read for a day"`
}

// Pending returns a page of the couples that wait for a moderator, those first who have waited
// longest. It omits the moderator's own. It returns Invalid for an invalid cursor.
func (s *Service) Pending(ctx context.Context, moderator uuid.UUID, page web.Page) ([]QueuedCouple, string, error) {
	list := web.List{Name: "graduations", Member: moderator}
	var after web.Cursor
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	rows, _ := s.pool.Query(ctx, pendingSQL, after.At, after.ID, moderator, page.Limit+1)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[queuedRow])
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	couples := make([]QueuedCouple, len(found))
	for i, row := range found {
		couples[i] = row.couple()
	}
	couples, next := web.Paginate(list, couples, page.Limit, func(c QueuedCouple) web.Cursor { return web.Cursor{At: c.AcceptedAt, ID: c.ID} })
	return couples, next, pg.Fault(completePending(ctx, s.pool, couples))
}

// queuedColumns are the columns of queuedRow.
const queuedColumns = `
		c.id,
		c.user_one_id,
		c.user_two_id,
		c.requested_at,
		c.accepted_at`

// queuedRow is a QueuedCouple as it is stored.
type queuedRow struct {
	ID          uuid.UUID
	UserOneID   uuid.UUID
	UserTwoID   uuid.UUID
	RequestedAt time.Time
	AcceptedAt  time.Time
}

// couple returns the couple with the ids of its members, for completePending.
func (r queuedRow) couple() QueuedCouple {
	return QueuedCouple{
		ID: r.ID, UserOne: members.UserCard{ID: r.UserOneID}, UserTwo: members.UserCard{ID: r.UserTwoID},
		RequestedAt: r.RequestedAt, AcceptedAt: r.AcceptedAt,
	}
}

// pendingSQL takes the time and id of the last entry, the moderator and the limit.
const pendingSQL = `
	SELECT` + queuedColumns + `
	FROM graduated_couples c
	WHERE c.status = 'pending'
		AND (c.accepted_at, c.id) > ($1, $2)
		AND $3 NOT IN (c.user_one_id, c.user_two_id)
	ORDER BY c.accepted_at, c.id
	LIMIT $4`

// completePending adds the members' names, ages and towns, and the times as they are written in responses.
func completePending(ctx context.Context, db pg.DB, couples []QueuedCouple) error {
	var people []uuid.UUID
	for _, c := range couples {
		people = append(people, c.UserOne.ID, c.UserTwo.ID)
	}
	cards, err := members.QueueCards(ctx, db, people)
	for i := range couples {
		c := &couples[i]
		c.UserOne, c.UserTwo = cards[c.UserOne.ID], cards[c.UserTwo.ID]
		c.RequestedAt, c.AcceptedAt = web.Time(c.RequestedAt), web.Time(c.AcceptedAt)
	}
	return err
}

// Open returns a couple that waits, whose pictures the moderator can then read for a day, and records the access
// with its reason in the audit log. It returns NotFound for any other couple and for the moderator's own, Conflict while
// another moderator has it open, and Invalid without a reason.
func (s *Service) Open(ctx context.Context, moderator, id uuid.UUID, reason string) (OpenedCouple, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (c OpenedCouple, err error) {
		if c, err = selectOpened(ctx, tx, moderator, id); err != nil {
			return c, err
		}
		if err := queue.Open(ctx, tx, moderator, queue.Graduation, id); err != nil {
			return c, err
		}
		partner := c.UserTwo.ID
		list := []QueuedCouple{c.QueuedCouple}
		if err := completePending(ctx, tx, list); err != nil {
			return c, err
		}
		c.QueuedCouple = list[0]
		pictures, err := selectPictures(ctx, tx, []uuid.UUID{id}, false)
		if err != nil {
			return c, err
		}
		c.Pictures = append([]CouplePicture{}, pictures[id]...)
		detail := map[string]any{"couple": id, "partner": partner}
		return c, moderation.Audit(ctx, tx, moderator, "graduation.open", c.UserOne.ID, reason, detail)
	})
}

// selectOpened returns a couple without its pictures, and with the ids of its members only. It returns NotFound like Open.
func selectOpened(ctx context.Context, tx pgx.Tx, moderator, id uuid.UUID) (OpenedCouple, error) {
	type row struct {
		queuedRow
		LegacyMessage string
		IsForWall     bool // both want to be on the wall
	}
	rows, _ := tx.Query(ctx, `
		SELECT`+queuedColumns+`,
			c.legacy_message,
			NOT EXISTS (SELECT FROM couple_members m WHERE m.couple_id = c.id AND NOT m.on_wall) AS is_for_wall
		FROM graduated_couples c
		WHERE c.id = $1
			AND c.status = 'pending'
			AND $2 NOT IN (c.user_one_id, c.user_two_id)`, id, moderator)
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[row])
	if errors.Is(err, pgx.ErrNoRows) {
		return OpenedCouple{}, notFound()
	}
	return OpenedCouple{QueuedCouple: r.couple(), LegacyMessage: r.LegacyMessage, ShowOnLegacyWall: r.IsForWall}, err
}

// defaultReason is the reason of an approval without one, for the audit log.
const defaultReason = "Approved without a remark"

// Approve graduates a couple: both leave discovery, and are on the wall if both want it. It writes a
// row into the audit log; the reason may be empty. Repeating it changes nothing. It returns NotFound
// for an unknown couple, Forbidden for the moderator's own, and Conflict for one that has ended or of
// which a member is restricted or leaves.
func (s *Service) Approve(ctx context.Context, moderator, id uuid.UUID, reason string) error {
	return s.decide(ctx, moderator, id, "graduated", reason, false)
}

// Reject ends a couple's request, with the reason for both. It returns the errors of Approve, and
// Invalid without a reason.
func (s *Service) Reject(ctx context.Context, moderator, id uuid.UUID, reason string) error {
	return s.decide(ctx, moderator, id, "rejected", reason, false)
}

// DecideOpened is Approve or Reject by a moderator who has opened the couple within the last day. For another one it returns
// Conflict with the code open_first.
func (s *Service) DecideOpened(ctx context.Context, moderator, id uuid.UUID, approve bool, reason string) error {
	status := "rejected"
	if approve {
		status = "graduated"
	}
	return s.decide(ctx, moderator, id, status, reason, true)
}

func (s *Service) decide(ctx context.Context, moderator, id uuid.UUID, status, reason string, openedOnly bool) error {
	if status == "graduated" && strings.TrimSpace(reason) == "" {
		reason = defaultReason
	}
	reason, err := moderation.CleanReason(reason)
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
			return nil, errNotPending(ctx, tx, id, current)
		}
		if err := moderation.RequireOpened(ctx, tx, openedOnly, moderator, "graduation.open", "couple", id); err != nil {
			return nil, err
		}
		if status == "graduated" {
			err = graduate(ctx, tx, id, moderator, one, two)
		} else {
			_, err = endCouple(ctx, tx, id, status, reason, "pending")
		}
		if err != nil {
			return nil, err
		}
		if err := s.enqueueNotify(ctx, tx, id, status, one, two); err != nil {
			return nil, err
		}
		if err := queue.Close(ctx, tx, queue.Graduation, id); err != nil {
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

// errNotPending returns the error for a couple that a moderator has approved, or that has ended.
func errNotPending(ctx context.Context, tx pgx.Tx, id uuid.UUID, status string) error {
	if status != "graduated" {
		return fault.New(fault.Conflict, "This has been decided already, or the couple has withdrawn.")
	}
	var by *uuid.UUID
	if err := tx.QueryRow(ctx, `SELECT approved_by FROM graduated_couples WHERE id = $1`, id).Scan(&by); err != nil {
		return err
	}
	return queue.ErrDecided(ctx, tx, by, "approved")
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
