package moments

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/badges"
	"heartward/api/members"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// happened has, for each type, the query of what happened to @member: the subject, its name, the other member, the time, and
// the title and caption of its moment, which contain no name.
var happened = map[Kind]string{
	Match: `
		SELECT
			m.match_id AS id,
			'' AS name,
			m.peer_id,
			m.created_at AS at,
			'New match' AS title,
			'I met someone on Heartward. Dating with intention, always free.' AS caption
		FROM match_sides m
		JOIN profiles peer ON peer.id = m.peer_id AND peer.profile_status = 'active'
		WHERE m.member_id = @member
			AND m.unmatched_at IS NULL`,
	Badge: `
		SELECT
			e.id,
			e.name,
			NULL::uuid AS peer_id,
			e.earned_at AS at,
			'Badge earned: ' || e.name AS title,
			'I earned the badge "' || e.name || '" on Heartward. Dating with intention, always free.' AS caption
		FROM earned_badges e
		WHERE e.user_id = @member`,
	Referral: `
		SELECT
			r.id,
			'' AS name,
			NULL::uuid AS peer_id,
			r.completed_at AS at,
			'A friend joined' AS title,
			'A friend of mine joined Heartward because of me. Dating with intention, always free.' AS caption
		FROM completed_referrals r
		WHERE r.referrer_id = @member`,
}

// insertMoment makes a moment. It returns Nil if there is one already, and NotFound if the subject
// did not happen to the member.
func insertMoment(ctx context.Context, tx pgx.Tx, member uuid.UUID, kind Kind, subject uuid.UUID) (uuid.UUID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return uuid.Nil, err
	}
	var found, made bool
	err = tx.QueryRow(ctx, `
		WITH happened AS (`+happened[kind]+`
		), made AS (
			INSERT INTO shareable_moments (id, user_id, moment_type, subject_id, title, caption)
			SELECT @id, @member, @kind, h.id, h.title, h.caption
			FROM happened h
			WHERE h.id = @subject
			ON CONFLICT (user_id, moment_type, subject_id) DO NOTHING
			RETURNING 1
		)
		SELECT
			EXISTS (SELECT FROM happened h WHERE h.id = @subject),
			EXISTS (SELECT FROM made)`,
		pgx.NamedArgs{"id": id, "member": member, "kind": kind, "subject": subject}).Scan(&found, &made)
	switch {
	case err != nil:
		return uuid.Nil, err
	case !found:
		return uuid.Nil, notFound()
	case !made:
		return uuid.Nil, nil
	}
	return id, nil
}

func selectSubjects(ctx context.Context, db pg.DB, member uuid.UUID, kind Kind) ([]Subject, error) {
	rows, _ := db.Query(ctx, `
		SELECT h.id, h.name, h.at, h.peer_id
		FROM (`+happened[kind]+`
		) h
		WHERE NOT EXISTS (
			SELECT FROM shareable_moments s
			WHERE s.user_id = @member
				AND s.moment_type = @kind
				AND s.subject_id = h.id)
		ORDER BY h.at DESC, h.id DESC
		LIMIT @limit`, pgx.NamedArgs{"member": member, "kind": kind, "limit": maxSubjects})
	var peers []uuid.UUID
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s Subject, err error) {
		if err := row.Scan(&s.ID, &s.Title, &s.At, &s.peerID); err != nil {
			return s, err
		}
		s.At = web.Time(s.At)
		if s.peerID != nil {
			peers = append(peers, *s.peerID)
		}
		return s, nil
	})
	if err != nil || len(peers) == 0 {
		return list, err
	}
	cards, err := members.Cards(ctx, db, member, peers)
	for i, s := range list {
		if s.peerID != nil {
			list[i].Title = cards[*s.peerID].FirstName
		}
	}
	return list, err
}

func selectMomentID(ctx context.Context, db pg.DB, member uuid.UUID, kind Kind, subject uuid.UUID) (id uuid.UUID, err error) {
	err = db.QueryRow(ctx, `SELECT id FROM shareable_moments WHERE user_id = $1 AND moment_type = $2 AND subject_id = $3`,
		member, kind, subject).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		err = notFound()
	}
	return id, err
}

// selectMomentsSQL selects moments s with their badge, the peer of an open match and the peer's consent, as rows of momentRow.
// A condition on s follows it.
const selectMomentsSQL = `
SELECT
	s.id,
	s.moment_type,
	s.title,
	s.caption,
	s.image_id,
	s.share_count,
	s.created_at,
	e.name AS badge_name,
	e.description AS badge_description,
	e.icon AS badge_icon,
	e.color_palette AS badge_palette,
	peer.id AS peer_id,
	CASE
		WHEN c.moment_id IS NULL OR peer.id IS NULL THEN 'none'
		WHEN c.answer = 'given' THEN 'given'
		ELSE 'asked'
	END AS consent
FROM shareable_moments s
LEFT JOIN earned_badges e ON s.moment_type = 'badge' AND e.id = s.subject_id
LEFT JOIN match_sides m ON s.moment_type = 'match' AND m.match_id = s.subject_id AND m.member_id = s.user_id AND m.unmatched_at IS NULL
LEFT JOIN profiles peer ON peer.id = m.peer_id AND peer.profile_status = 'active'
LEFT JOIN moment_consents c ON c.moment_id = s.id AND c.peer_id = m.peer_id`

// momentsSQL selects a page of the moments of member $1.
const momentsSQL = selectMomentsSQL + `
WHERE s.user_id = $1
	AND (s.created_at, s.id) < ($2, $3)
ORDER BY s.created_at DESC, s.id DESC
LIMIT $4`

// momentRow is a moment as selectMomentsSQL selects it.
type momentRow struct {
	ID         uuid.UUID
	MomentType Kind
	Title      string
	Caption    string
	ImageID    *uuid.UUID
	ShareCount int
	CreatedAt  time.Time

	BadgeName, BadgeDescription, BadgeIcon, BadgePalette *string // nil for other types

	PeerID  *uuid.UUID // nil for other types, and if the match has ended
	Consent string
}

func scanMoment(row pgx.CollectableRow) (Moment, error) {
	r, err := pgx.RowToStructByName[momentRow](row)
	m := Moment{
		ID: r.ID, MomentType: r.MomentType, Title: r.Title, Caption: r.Caption, ShareCount: r.ShareCount, CreatedAt: r.CreatedAt,
		Consent: r.Consent, imageID: r.ImageID, peerID: r.PeerID,
	}
	if r.BadgeName != nil {
		m.Badge = &badges.Definition{Name: *r.BadgeName, Description: *r.BadgeDescription, IconKey: *r.BadgeIcon, ColorPalette: *r.BadgePalette}
	}
	return m, err
}

func selectMoments(ctx context.Context, db pg.DB, member uuid.UUID, after web.Cursor, limit int) ([]Moment, error) {
	rows, _ := db.Query(ctx, momentsSQL, member, after.At, after.ID, limit)
	return pgx.CollectRows(rows, scanMoment)
}

func selectMoment(ctx context.Context, db pg.DB, member, id uuid.UUID) (Moment, error) {
	rows, _ := db.Query(ctx, selectMomentsSQL+` WHERE s.user_id = $1 AND s.id = $2`, member, id)
	return pgx.CollectExactlyOneRow(rows, scanMoment)
}

// fillResponse sets the fields of moments that are made of others: the peer, the address of the picture, and the time as responses have it.
func fillResponse(ctx context.Context, db pg.DB, member uuid.UUID, rows []Moment) error {
	var peers []uuid.UUID
	for _, m := range rows {
		if m.peerID != nil {
			peers = append(peers, *m.peerID)
		}
	}
	cards, err := members.Cards(ctx, db, member, peers)
	if err != nil {
		return err
	}
	for i := range rows {
		m := &rows[i]
		m.CreatedAt = web.Time(m.CreatedAt)
		if m.imageID != nil {
			m.ImageURL = new("/files/" + m.imageID.String() + "/full.webp")
		}
		if m.peerID == nil {
			continue
		}
		if card, ok := cards[*m.peerID]; ok {
			m.Peer = &Peer{ID: card.ID, FirstName: card.FirstName}
		}
	}
	return nil
}

func updateCaption(ctx context.Context, db pg.DB, member, id uuid.UUID, caption string) error {
	tag, err := db.Exec(ctx, `UPDATE shareable_moments SET caption = $3 WHERE id = $1 AND user_id = $2`, id, member, caption)
	if err == nil && tag.RowsAffected() == 0 {
		return notFound()
	}
	return pg.Fault(err)
}

// updatePicture stores a picture of a moment, and returns the replaced one, which a trigger deletes.
func updatePicture(ctx context.Context, tx pgx.Tx, member, id, file uuid.UUID) (replaced []uuid.UUID, err error) {
	var old *uuid.UUID
	err = tx.QueryRow(ctx, `
		SELECT image_id
		FROM shareable_moments
		WHERE id = $1
			AND user_id = $2
		FOR NO KEY UPDATE`, id, member).Scan(&old)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, notFound()
	}
	if err != nil {
		return nil, err
	}
	if old != nil {
		replaced = append(replaced, *old)
	}
	_, err = tx.Exec(ctx, `UPDATE shareable_moments SET image_id = $2 WHERE id = $1`, id, file)
	return replaced, err
}

// insertShare stores a share and returns the count of the moment. The row of the moment is locked
// first, so that the count is that of the rows.
func insertShare(ctx context.Context, tx pgx.Tx, member, id, clientID uuid.UUID, channel string) (count int, repeated bool, err error) {
	err = tx.QueryRow(ctx, `
		SELECT share_count
		FROM shareable_moments
		WHERE id = $1
			AND user_id = $2
		FOR NO KEY UPDATE`, id, member).Scan(&count)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, false, notFound()
	}
	if err != nil {
		return 0, false, err
	}
	tag, err := tx.Exec(ctx, `
		INSERT INTO moment_shares (moment_id, client_id, channel)
		VALUES ($1, $2, $3)
		ON CONFLICT DO NOTHING`, id, clientID, channel)
	if err != nil || tag.RowsAffected() == 0 {
		return count, true, err
	}
	err = tx.QueryRow(ctx, `UPDATE shareable_moments SET share_count = share_count + 1 WHERE id = $1 RETURNING share_count`, id).Scan(&count)
	return count, false, err
}

// selectPeer returns the other member of the open match of a moment.
func selectPeer(ctx context.Context, tx pgx.Tx, member, id uuid.UUID) (peer uuid.UUID, err error) {
	err = tx.QueryRow(ctx, `
		SELECT m.peer_id
		FROM shareable_moments s
		JOIN match_sides m ON m.match_id = s.subject_id AND m.member_id = s.user_id AND m.unmatched_at IS NULL
		JOIN profiles u ON u.id = m.peer_id AND u.profile_status = 'active'
		WHERE s.id = $1
			AND s.user_id = $2
			AND s.moment_type = 'match'`, id, member).Scan(&peer)
	return peer, err
}

// openConsents is the end of a query of the requests c to member $1 whose match is open. A further condition can follow.
const openConsents = `
	FROM moment_consents c
	JOIN shareable_moments s ON s.id = c.moment_id
	JOIN match_sides m ON m.match_id = s.subject_id AND m.member_id = c.peer_id AND m.peer_id = s.user_id AND m.unmatched_at IS NULL
	JOIN profiles u ON u.id = s.user_id AND u.profile_status = 'active'
	WHERE c.peer_id = $1`

func selectConsents(ctx context.Context, db pg.DB, member uuid.UUID) ([]Consent, error) {
	rows, _ := db.Query(ctx, `
		SELECT c.moment_id, s.user_id, c.answer = 'given', c.asked_at`+openConsents+`
			AND c.answer <> 'declined'
		ORDER BY c.asked_at DESC, c.moment_id DESC
		LIMIT 50`, member)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (c Consent, err error) {
		err = row.Scan(&c.MomentID, &c.From.ID, &c.Given, &c.AskedAt)
		return c, err
	})
}

// updateConsent stores an answer, and returns the owner of the moment.
func updateConsent(ctx context.Context, db pg.DB, member, moment uuid.UUID, answer string) (owner uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		UPDATE moment_consents SET
			answer = $3,
			answered_at = clock_timestamp()
		FROM (
			SELECT
				c.moment_id,
				s.user_id`+openConsents+`
				AND c.moment_id = $2
		) found
		WHERE moment_consents.moment_id = found.moment_id
		RETURNING found.user_id`, member, moment, answer).Scan(&owner)
	if errors.Is(err, pgx.ErrNoRows) {
		return owner, notFound()
	}
	return owner, pg.Fault(err)
}
