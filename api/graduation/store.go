package graduation

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

func notFound() error { return fault.New(fault.NotFound, "We could not find that.") }

// findPartner returns the match of actor that a request names. It returns NotFound for an id that
// is not a match of actor, and Nil for an address that is not that of one.
func findPartner(ctx context.Context, db pg.DB, actor uuid.UUID, in Ask) (partner uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		SELECT m.peer_id
		FROM match_sides m
		JOIN credentials c ON c.user_id = m.peer_id AND c.profile_status = 'active'
		WHERE m.member_id = $1
			AND m.unmatched_at IS NULL
			AND (m.peer_id = $2 OR c.abuse_key = nullif($3, ''))`, actor, in.Partner, abuseKey(in.Address)).Scan(&partner)
	if errors.Is(err, pgx.ErrNoRows) {
		if in.Partner != uuid.Nil {
			return uuid.Nil, fault.New(fault.NotFound, "We could not find that match.")
		}
		return uuid.Nil, checkAddress(ctx, db, actor, in.Address)
	}
	return partner, err
}

// abuseKey returns the key of an address by which a partner is found, or "" for none.
func abuseKey(address string) string {
	if address == "" {
		return ""
	}
	return mailaddr.Of(address).Abuse
}

// checkAddress returns Invalid for an address of the member's own mailbox.
func checkAddress(ctx context.Context, db pg.DB, member uuid.UUID, address string) error {
	var isOwn bool
	err := db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM credentials WHERE user_id = $1 AND abuse_key = $2)`, member, abuseKey(address)).Scan(&isOwn)
	if err == nil && isOwn {
		err = fault.InvalidField("partnerEmail", "That is your own address. It takes two to graduate.")
	}
	return err
}

// findRequest returns the couple in which one waits for the answer of two, or Nil.
func findRequest(ctx context.Context, db pg.DB, one, two uuid.UUID) (id uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		SELECT id
		FROM graduated_couples
		WHERE user_one_id = $1
			AND user_two_id = $2
			AND status = 'asked'`, one, two).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, nil
	}
	return id, err
}

// selectAsker returns who asked member by a request that was not ended. It returns NotFound if there
// is none.
func selectAsker(ctx context.Context, db pg.DB, member, id uuid.UUID) (asker uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		SELECT user_one_id
		FROM graduated_couples
		WHERE id = $1
			AND user_two_id = $2
			AND ended_at IS NULL`, id, member).Scan(&asker)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, notFound()
	}
	return asker, err
}

// insertCouple stores a request. It returns Forbidden for a member whom others do not see.
func insertCouple(ctx context.Context, tx pgx.Tx, actor, partner uuid.UUID, in Ask) (id uuid.UUID, err error) {
	err = tx.QueryRow(ctx, `
		INSERT INTO graduated_couples (user_one_id, user_two_id, partner_address, legacy_message)
		SELECT id, nullif($2, $5::uuid), nullif($3, ''), $4
		FROM profiles
		WHERE id = $1
			AND is_approved
		RETURNING id`, actor, partner, in.Address, in.LegacyMessage, uuid.Nil).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, fault.New(fault.Forbidden, "You can graduate as soon as your own profile is shown.")
	}
	return id, err
}

// markAccepted stores the acceptance of a request. It returns NotFound if it does not wait any more.
func markAccepted(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	tag, err := tx.Exec(ctx, `
		UPDATE graduated_couples
		SET
			status = 'pending',
			partner_address = NULL,
			accepted_at = clock_timestamp()
		WHERE id = $1
			AND status = 'asked'`, id)
	if err == nil && tag.RowsAffected() == 0 {
		err = notFound()
	}
	return err
}

// insertMember stores a member's part of a couple. It returns Invalid for a picture that others do not see
// in the member's profile.
func insertMember(ctx context.Context, tx pgx.Tx, couple, member uuid.UUID, onWall bool, pictures []uuid.UUID) error {
	_, err := tx.Exec(ctx, `INSERT INTO couple_members (user_id, couple_id, on_wall) VALUES ($1, $2, $3)`, member, couple, onWall)
	if err != nil {
		return err
	}
	tag, err := tx.Exec(ctx, `
		INSERT INTO couple_pictures (couple_id, user_id, position, file_id)
		SELECT $1, $2, chosen.position, chosen.file_id
		FROM unnest($3::uuid[]) WITH ORDINALITY AS chosen (file_id, position)
		JOIN shown_pictures p ON p.file_id = chosen.file_id AND p.user_id = $2`, couple, member, pictures)
	if err == nil && int(tag.RowsAffected()) != len(pictures) {
		err = fault.InvalidField("pictures", "Please choose pictures of your own profile that others see.")
	}
	return err
}

// updateWall stores whether the member wants the couple on the wall, and deletes the member's other pictures.
func updateWall(ctx context.Context, tx pgx.Tx, member uuid.UUID, onWall bool, pictures []uuid.UUID) error {
	var chosen int
	err := tx.QueryRow(ctx, `SELECT count(*) FROM couple_pictures WHERE user_id = $1 AND file_id = ANY ($2)`, member, pictures).Scan(&chosen)
	if err != nil {
		return err
	}
	if chosen != len(pictures) {
		return fault.InvalidField("pictures", "Only pictures that you chose for the request can stay on the wall.")
	}
	if _, err := tx.Exec(ctx, `UPDATE couple_members SET on_wall = $2 WHERE user_id = $1`, member, onWall); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `DELETE FROM couple_pictures WHERE user_id = $1 AND file_id <> ALL ($2)`, member, pictures)
	return err
}

// endCouple ends a couple that has one of these statuses, and reports whether it did.
func endCouple(ctx context.Context, tx pgx.Tx, id uuid.UUID, status, reason string, from ...string) (bool, error) {
	tag, err := tx.Exec(ctx, `
		UPDATE graduated_couples
		SET
			status = $2,
			reason = $3,
			partner_address = NULL,
			ended_at = clock_timestamp()
		WHERE id = $1
			AND status = ANY ($4)`, id, status, reason, from)
	if err != nil || tag.RowsAffected() == 0 {
		return false, err
	}
	_, err = tx.Exec(ctx, `DELETE FROM couple_members WHERE couple_id = $1`, id)
	return true, err
}

const ownCoupleSQL = `
	SELECT
		c.id,
		c.status,
		c.user_one_id,
		c.user_two_id,
		c.partner_address,
		c.legacy_message,
		m.on_wall,
		coalesce((SELECT p.on_wall FROM couple_members p WHERE p.couple_id = c.id AND p.user_id <> m.user_id), false) AS partner_on_wall,
		c.requested_at,
		c.approved_at
	FROM couple_members m
	JOIN graduated_couples c ON c.id = m.couple_id
	WHERE m.user_id = $1`

// coupleRow has the columns of ownCoupleSQL.
type coupleRow struct {
	ID             uuid.UUID
	Status         string
	UserOneID      uuid.UUID
	UserTwoID      *uuid.UUID // nil if no match has the named address
	PartnerAddress *string
	LegacyMessage  string
	OnWall         bool
	PartnerOnWall  bool
	RequestedAt    time.Time
	ApprovedAt     *time.Time
}

// couple returns the couple without the partner's card and the pictures.
func (r coupleRow) couple() *Couple {
	return &Couple{
		ID: r.ID, Status: r.Status, PartnerAddress: r.PartnerAddress, LegacyMessage: r.LegacyMessage, OnWall: r.OnWall,
		PartnerOnWall: r.PartnerOnWall, RequestedAt: r.RequestedAt, GraduatedAt: r.ApprovedAt, one: r.UserOneID, two: r.UserTwoID,
	}
}

// selectOwnCouple returns the member's couple without the partner's card and the pictures, or nil without one.
func selectOwnCouple(ctx context.Context, db pg.DB, member uuid.UUID) (*Couple, error) {
	rows, _ := db.Query(ctx, ownCoupleSQL, member)
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[coupleRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return row.couple(), err
}

func selectRequests(ctx context.Context, db pg.DB, member uuid.UUID) ([]CoupleRequest, error) {
	rows, _ := db.Query(ctx, `
		SELECT c.id, c.user_one_id, c.legacy_message, m.on_wall, c.requested_at
		FROM graduated_couples c
		JOIN couple_members m ON m.couple_id = c.id AND m.user_id = c.user_one_id
		JOIN profiles u ON u.id = c.user_one_id AND u.profile_status = 'active'
		WHERE c.user_two_id = $1
			AND c.status = 'asked'
		ORDER BY c.requested_at DESC
		LIMIT $2`, member, maxRequests)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r CoupleRequest, err error) {
		err = row.Scan(&r.ID, &r.From.ID, &r.LegacyMessage, &r.OnWall, &r.RequestedAt)
		return r, err
	})
}

// touched is what a change of a member, or the end of couples, concerns.
type touched struct {
	members []uuid.UUID // of couples and requests, with their partners
	wall    bool        // whether one of the couples was approved
}

// selectTouched returns what a change of a member concerns: the couple and the requests that have not ended.
func selectTouched(ctx context.Context, db pg.DB, member uuid.UUID) (t touched, err error) {
	err = db.QueryRow(ctx, `
		SELECT
			coalesce(array_agg(DISTINCT side.id) FILTER (WHERE side.id IS NOT NULL), '{}'),
			coalesce(bool_or(c.approved_at IS NOT NULL), false)
		FROM graduated_couples c
		CROSS JOIN LATERAL (VALUES (c.user_one_id), (c.user_two_id)) AS side (id)
		WHERE (c.user_one_id = $1 OR c.user_two_id = $1)
			AND c.ended_at IS NULL`, member).Scan(&t.members, &t.wall)
	return t, err
}

func selectEnded(ctx context.Context, db pg.DB, member uuid.UUID) (*EndedCouple, error) {
	var e EndedCouple
	err := db.QueryRow(ctx, `
		SELECT status, reason, ended_at
		FROM graduated_couples
		WHERE (user_one_id = $1 OR user_two_id = $1 AND accepted_at IS NOT NULL)
			AND ended_at IS NOT NULL
		ORDER BY ended_at DESC
		LIMIT 1`, member).Scan(&e.Status, &e.Reason, &e.EndedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return &e, err
}

func selectState(ctx context.Context, db pg.DB, member uuid.UUID) (CoupleState, error) {
	state := CoupleState{}
	err := db.QueryRow(ctx, `SELECT is_graduated FROM profiles WHERE id = $1`, member).Scan(&state.IsGraduated)
	if err != nil {
		return state, err
	}
	if state.Couple, err = selectOwnCouple(ctx, db, member); err != nil {
		return state, err
	}
	if state.Couple == nil {
		if state.Ended, err = selectEnded(ctx, db, member); err != nil {
			return state, err
		}
	}
	if state.Requests, err = selectRequests(ctx, db, member); err != nil {
		return state, err
	}
	return state, state.complete(ctx, db, member)
}

// complete adds the cards of the other members, the pictures, and the times as responses contain them.
func (s *CoupleState) complete(ctx context.Context, db pg.DB, member uuid.UUID) error {
	var people, couples []uuid.UUID
	for _, r := range s.Requests {
		people, couples = append(people, r.From.ID), append(couples, r.ID)
	}
	if s.Couple != nil {
		people, couples = append(people, s.Couple.partnerOf(member)), append(couples, s.Couple.ID)
	}
	cards, err := members.Cards(ctx, db, member, people)
	if err != nil {
		return err
	}
	pictures, err := selectPictures(ctx, db, couples, false)
	if err != nil {
		return err
	}
	for i, r := range s.Requests {
		s.Requests[i].From, s.Requests[i].Pictures = cards[r.From.ID], ownedBy(pictures[r.ID], r.From.ID)
		s.Requests[i].RequestedAt = web.Time(r.RequestedAt)
	}
	if s.Ended != nil {
		s.Ended.EndedAt = web.Time(s.Ended.EndedAt)
	}
	if c := s.Couple; c != nil {
		c.RequestedAt = web.Time(c.RequestedAt)
		if c.GraduatedAt != nil {
			c.GraduatedAt = new(web.Time(*c.GraduatedAt))
		}
		c.Pictures, c.PartnerPictures = ownedBy(pictures[c.ID], member), ownedBy(pictures[c.ID], c.partnerOf(member))
		if card, ok := cards[c.partnerOf(member)]; ok && c.PartnerAddress == nil {
			c.Partner = &card
		}
	}
	return nil
}
