package pulse

import (
	"context"
	"errors"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Together is the space of a graduated couple.
type Together struct {
	Partner       members.UserCard `json:"partner"`
	MatchedAt     time.Time        `json:"matchedAt" doc:"When the two found each other here"`
	GraduatedAt   time.Time        `json:"graduatedAt"`
	LegacyMessage string           `json:"legacyMessage" doc:"The words of the request to graduate; may be empty"`
	Shares        bool             `json:"shares" doc:"Whether the caller wants to share the Love Pulse"`
	PartnerShares bool             `json:"partnerShares" doc:"Both read each other's entries while both want it"`
	SharedSince   *time.Time       `json:"sharedSince" nullable:"true" doc:"Entries saved from then on are shared; null unless both want it"`
}

// SharedEntry is an entry as the partner reads it.
type SharedEntry struct {
	Mood       Mood   `json:"mood"`
	Reflection string `json:"reflection"`
}

// SharedDay is what two members wrote on a day while both shared.
type SharedDay struct {
	Date     string       `json:"date" format:"date"`
	Question Question     `json:"question"`
	Mine     *SharedEntry `json:"mine" doc:"null if the caller wrote nothing"`
	Theirs   *SharedEntry `json:"theirs" doc:"null if the partner wrote nothing"`
	SameMood bool         `json:"sameMood" doc:"Whether both felt the same"`
}

// TransformSchema makes the entries nullable.
func (SharedDay) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "mine", "theirs")
}

func noCouple() error {
	return fault.New(fault.NotFound, "This space opens when you graduate together.")
}

// Together returns the space of actor's couple. It returns NotFound without a couple that has graduated
// and whose members are active.
func (s *Service) Together(ctx context.Context, actor uuid.UUID) (Together, error) {
	together, _, err := selectTogether(ctx, s.pool, actor)
	return together, pg.Fault(err)
}

// startsPerMember limits how often a member starts to share. Stopping is possible at any time.
var startsPerMember = limits.Rule{Name: "pulse_sharing", Count: 20, Per: time.Hour,
	Message: "You have switched this many times. Please try again a little later."}

// Share sets whether actor wants to share the Love Pulse, and returns the new state. Entries are shared
// while both members of the couple want it, and only those saved in that time: sharing again after an end shares nothing
// older. It returns NotFound like Together, and RateLimited after 20 starts an hour.
func (s *Service) Share(ctx context.Context, actor uuid.UUID, shares bool) (Together, error) {
	together, couple, err := selectTogether(ctx, s.pool, actor)
	if err != nil {
		return together, pg.Fault(err)
	}
	if shares {
		if err := limits.Allow(ctx, s.pool, startsPerMember, actor.String()); err != nil {
			return together, err
		}
		err = s.beginSharing(ctx, actor, couple, together.Partner.ID)
	} else {
		_, err = s.pool.Exec(ctx, `DELETE FROM pulse_sharing WHERE user_id = $1`, actor)
	}
	if err != nil {
		return together, pg.Fault(err)
	}
	s.notifyChanged(ctx, actor, together.Partner.ID)
	return s.Together(ctx, actor)
}

// beginSharing stores the member's consent, and enqueues the notification of the partner. It does nothing if the
// couple has ended meanwhile, or the member shares already.
func (s *Service) beginSharing(ctx context.Context, member, couple, partner uuid.UUID) error {
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		inserted, err := insertSharing(ctx, tx, member, couple)
		if err != nil || !inserted {
			return err
		}
		_, err = s.jobs.InsertTx(ctx, tx, NotifyArgs{CoupleID: couple, MemberID: partner}, nil)
		return err
	})
	if pg.ViolatesConstraint(err, "pulse_sharing_member") {
		return nil // the couple has ended since the statement began
	}
	return err
}

func insertSharing(ctx context.Context, tx pgx.Tx, member, couple uuid.UUID) (inserted bool, err error) {
	tag, err := tx.Exec(ctx, `
		INSERT INTO pulse_sharing (user_id, couple_id)
		SELECT
			member_id,
			couple_id
		FROM graduated_partners
		WHERE member_id = $1
			AND couple_id = $2
		ON CONFLICT (user_id) DO NOTHING`, member, couple)
	return tag.RowsAffected() == 1, err
}

// togetherRow is a Together in the database.
type togetherRow struct {
	CoupleID, PartnerID    uuid.UUID
	MatchedAt, GraduatedAt time.Time
	LegacyMessage          string
	Shares, PartnerShares  bool
	SharedSince            *time.Time // nil if neither shares; without a meaning if only one does
}

func selectTogether(ctx context.Context, db pg.DB, member uuid.UUID) (t Together, couple uuid.UUID, err error) {
	rows, _ := db.Query(ctx, `
		SELECT
			g.couple_id,
			g.partner_id,
			m.created_at AS matched_at,
			g.graduated_at,
			g.legacy_message,
			mine.user_id IS NOT NULL AS shares,
			theirs.user_id IS NOT NULL AS partner_shares,
			greatest(mine.since, theirs.since) AS shared_since
		FROM graduated_partners g
		JOIN match_sides m ON m.member_id = g.member_id AND m.peer_id = g.partner_id AND m.unmatched_at IS NULL
		LEFT JOIN pulse_sharing mine ON mine.user_id = g.member_id AND mine.couple_id = g.couple_id
		LEFT JOIN pulse_sharing theirs ON theirs.user_id = g.partner_id AND theirs.couple_id = g.couple_id
		WHERE g.member_id = $1`, member)
	row, err := pgx.CollectOneRow(rows, pgx.RowToStructByName[togetherRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return t, couple, noCouple()
	}
	if err != nil {
		return t, couple, err
	}
	cards, err := members.Cards(ctx, db, member, []uuid.UUID{row.PartnerID})
	t = Together{
		Partner: cards[row.PartnerID], MatchedAt: web.Time(row.MatchedAt), GraduatedAt: web.Time(row.GraduatedAt),
		LegacyMessage: row.LegacyMessage, Shares: row.Shares, PartnerShares: row.PartnerShares,
	}
	if row.Shares && row.PartnerShares {
		t.SharedSince = new(web.Time(*row.SharedSince))
	}
	return t, row.CoupleID, err
}

// SharedDays returns a page of the days on which actor or the partner wrote while both shared, the
// newest first. It is empty unless both share. It returns NotFound like Together, and Invalid for an
// invalid cursor.
func (s *Service) SharedDays(ctx context.Context, actor uuid.UUID, page web.Page) ([]SharedDay, string, error) {
	list := web.List{Name: "together", Member: actor}
	before := dateCursor{lastDate}
	if err := web.DecodeCursor(list, page.Cursor, &before); err != nil {
		return nil, "", err
	}
	if _, _, err := selectTogether(ctx, s.pool, actor); err != nil {
		return nil, "", pg.Fault(err)
	}
	days, err := selectSharedDays(ctx, s.pool, actor, before.Date, page.Limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	days, next := web.Paginate(list, days, page.Limit, func(d SharedDay) dateCursor { return dateCursor{d.Date} })
	return days, next, nil
}

// sharedDaysSQL takes the member, the date of the last day and the limit.
const sharedDaysSQL = `
	WITH couple AS (
		SELECT
			member_id,
			partner_id,
			since
		FROM sharing_couples
		WHERE member_id = $1
	), written AS (
		SELECT DISTINCT d.date
		FROM couple c
		CROSS JOIN LATERAL (VALUES (c.member_id), (c.partner_id)) AS side (user_id)
		CROSS JOIN LATERAL (
			SELECT p.date
			FROM love_pulse p
			WHERE p.user_id = side.user_id
				AND p.date < $2
				AND p.date >= (c.since - interval '2 days')::date
				AND p.edited_at >= c.since
			ORDER BY p.date DESC
			LIMIT $3
		) d
		ORDER BY d.date DESC
		LIMIT $3
	)
	SELECT
		d.date,
		mine.mood,
		mine.reflection,
		theirs.mood,
		theirs.reflection
	FROM written d
	CROSS JOIN couple c
	LEFT JOIN love_pulse mine ON mine.user_id = c.member_id AND mine.date = d.date AND mine.edited_at >= c.since
	LEFT JOIN love_pulse theirs ON theirs.user_id = c.partner_id AND theirs.date = d.date AND theirs.edited_at >= c.since
	ORDER BY d.date DESC`

func selectSharedDays(ctx context.Context, db pg.DB, member uuid.UUID, before string, limit int) ([]SharedDay, error) {
	rows, _ := db.Query(ctx, sharedDaysSQL, member, before, limit)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (d SharedDay, err error) {
		var date time.Time
		var mine, theirs struct {
			mood       *Mood
			reflection *string
		}
		if err := row.Scan(&date, &mine.mood, &mine.reflection, &theirs.mood, &theirs.reflection); err != nil {
			return d, err
		}
		d.Date, d.Question = date.Format(dateLayout), QuestionOf(date)
		if mine.mood != nil {
			d.Mine = &SharedEntry{*mine.mood, *mine.reflection}
		}
		if theirs.mood != nil {
			d.Theirs = &SharedEntry{*theirs.mood, *theirs.reflection}
		}
		d.SameMood = d.Mine != nil && d.Theirs != nil && d.Mine.Mood == d.Theirs.Mood
		return d, nil
	})
}

// selectReaders returns who reads the member's entries: the member, and the partner if both share.
func selectReaders(ctx context.Context, db pg.DB, member uuid.UUID) ([]uuid.UUID, error) {
	rows, _ := db.Query(ctx, `
		SELECT $1::uuid
		UNION ALL
		SELECT partner_id
		FROM sharing_couples
		WHERE member_id = $1`, member)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}
