package members

import (
	"cmp"
	"context"
	"reflect"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// standInMatch is the id of a viewer who stands in for a match of any member. No member has it.
var standInMatch = uuid.Max

// nameForViewer is the name that @viewer sees of member u: without a match it is the first
// name, if the member wishes so. Moderators, for whom @viewer is NULL, see the full name, and so does standInMatch.
const nameForViewer = `CASE
		WHEN @viewer::uuid IS NULL OR u.id = @viewer OR @viewer = 'ffffffff-ffff-ffff-ffff-ffffffffffff' OR NOT u.first_name_only OR EXISTS (
			SELECT FROM match_sides m
			WHERE m.member_id = @viewer
				AND m.peer_id = u.id
				AND m.unmatched_at IS NULL)
		THEN u.full_name
		ELSE u.first_name
	END`

const (
	photosOf = `(` + selectPhotos + `)`

	// shownPhotosOf are the photos that @viewer sees.
	shownPhotosOf = `(` + selectPhotos + ` AND ` + shownPhoto + `)`

	// cardPhotosOf are the photos of a CandidateCard.
	cardPhotosOf = `(` + selectPhotos + ` AND m.position <= 2 AND ` + shownPhoto + `)`

	selectPhotos = `SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'placeholder', f.placeholder,
			'width', f.width, 'height', f.height, 'caption', m.caption) ORDER BY m.position), '[]')
		FROM member_media m JOIN files f ON f.id = m.file_id WHERE m.user_id = u.id AND m.slot = 'photo'`

	mediaOf = `(SELECT coalesce(jsonb_agg(jsonb_build_object('slot', m.slot, 'id', f.id, 'placeholder', f.placeholder,
			'width', f.width, 'height', f.height, 'caption', m.caption, 'mimeType', f.content_type,
			'durationMs', f.duration_ms, 'waveform', f.waveform) ORDER BY m.position), '[]')
		FROM member_media m JOIN files f ON f.id = m.file_id WHERE m.user_id = u.id AND m.slot <> 'photo')`

	promptsOf = `(SELECT coalesce(jsonb_agg(jsonb_build_object('question', p.question, 'answer', p.answer,
			'voice', CASE WHEN f.id IS NOT NULL THEN jsonb_build_object('id', f.id, 'mimeType', f.content_type,
				'durationMs', coalesce(f.duration_ms, 0), 'waveform', f.waveform) END) ORDER BY p.position), '[]')
		FROM member_prompts p LEFT JOIN files f ON f.id = p.voice_id WHERE p.user_id = u.id)`
)

// isPremium is whether member u has Premium, and showsPremium whether others see it.
const (
	isPremium    = `coalesce(u.premium_until > now(), false)`
	showsPremium = `(` + isPremium + ` AND NOT u.hide_premium)`
)

// computed is the SQL of the fields of a profile that are not columns of users u. last_active_at is of member_activities a.
var computed = map[string]string{
	"age":          `age_of(u.birth_date)`,
	"birth_date":   `CASE WHEN u.birth_date_exact THEN to_char(u.birth_date, 'YYYY-MM-DD') END`,
	"prompts":      promptsOf,
	"photos":       photosOf,
	"stored_media": mediaOf,
	"paused":       `is_paused(u.paused_at, u.paused_until)`,
	"paused_until": `CASE WHEN is_paused(u.paused_at, u.paused_until) THEN u.paused_until END`,
	"visit": `CASE WHEN u.visit_until > now() THEN jsonb_build_object('city', u.visit_city, 'state', u.visit_state,
		'until', to_char(u.visit_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) END`,
	"town_known":    `(u.city = '' OR u.town_lat IS NOT NULL)`,
	"welcomed":      `u.welcomed_at IS NOT NULL`,
	"is_verified":   `u.verified_at IS NOT NULL`,
	"is_premium":    isPremium,
	"profile_theme": `CASE WHEN ` + isPremium + ` THEN u.profile_theme END`,
	"profile_frame": `CASE WHEN ` + isPremium + ` THEN u.profile_frame END`,
	"badge_tier": `CASE WHEN u.hide_premium THEN 0
		ELSE (SELECT coalesce(max(t.level), 0) FROM reached_tiers t WHERE t.user_id = u.id AND t.level >= 2) END`,
	"compared_photos": `ARRAY(SELECT m.file_id FROM member_media m WHERE m.user_id = u.id AND m.slot = 'photo' AND m.compared)`,
	"photo_held":      `EXISTS (SELECT FROM member_media m WHERE m.user_id = u.id AND ` + heldPhoto + `)`,
	"has_password":    `u.password_hash IS NOT NULL`,
	"last_active_at":  `a.last_active_at`,
	"match_count": `(SELECT count(*)
		FROM match_sides m
		JOIN users o ON o.id = m.peer_id
		WHERE m.member_id = u.id
			AND m.unmatched_at IS NULL
			AND o.profile_status = 'active')`,
	"message_count": `(SELECT coalesce(sum(c.last_seq), 0)::bigint
		FROM conversation_sides c
		JOIN users o ON o.id = c.peer_id
		WHERE c.member_id = u.id
			AND c.closed_at IS NULL
			AND c.requested_by IS NULL
			AND o.profile_status = 'active')`,
	"referral_count":  `(SELECT count(*) FROM joined_referrals friend WHERE friend.referrer_id = u.id)`,
	"new_badge_count": `(SELECT count(*) FROM earned_badges e WHERE e.user_id = u.id AND NOT e.is_notified)`,
}

// selectList returns the columns for pgx.RowToStructByName[T]: for each field of T and its
// embedded structs, the SQL in own or computed, or the column of users with its name. It
// omits fields with db:"-".
func selectList[T any](own map[string]string) string {
	var columns []string
	for _, structField := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if structField.Anonymous || structField.Tag.Get("db") == "-" {
			continue
		}
		name := snakeCase(jsonName(structField))
		sql := cmp.Or(own[name], computed[name], "u."+name)
		columns = append(columns, sql+" AS "+name)
	}
	return strings.Join(columns, ",\n\t")
}

var (
	publicColumns = selectList[publicRow](map[string]string{"full_name": nameForViewer, "photos": shownPhotosOf, "is_premium": showsPremium})
	cardColumns   = selectList[CandidateCard](map[string]string{"full_name": nameForViewer, "photos": cardPhotosOf, "is_premium": showsPremium})
	meColumns     = selectList[meRow](nil)
)

type publicRow struct {
	PublicMember
	StoredMedia []mediaRow `json:"storedMedia"`
}

type meRow struct {
	Me
	StoredMedia   []mediaRow `json:"storedMedia"`
	MatchCount    int        `json:"matchCount"`
	MessageCount  int        `json:"messageCount"`
	ReferralCount int        `json:"referralCount"`
	NewBadgeCount int        `json:"newBadgeCount"`
}

func publicMember(collectable pgx.CollectableRow) (PublicMember, error) {
	row, err := pgx.RowToStructByName[publicRow](collectable)
	if err != nil {
		return PublicMember{}, err
	}
	return row.member(), nil
}

// member returns the profile with the addresses of its files.
func (row publicRow) member() PublicMember {
	m := row.PublicMember
	m.ProfilePhotos = []string{}
	for i := range m.Photos {
		setURLs(&m.Photos[i])
		m.ProfilePhotos = append(m.ProfilePhotos, m.Photos[i].URL)
	}
	m.ProfileImageURL = firstThumb(m.Photos)
	m.Media = mediaFrom(row.StoredMedia)
	setVoiceURLs(m.Prompts)
	return m
}

func selectVisible(ctx context.Context, db pg.DB, viewer, id uuid.UUID) (PublicMember, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+publicColumns+`
		FROM users u
		WHERE u.id = @id
			AND EXISTS (SELECT FROM visible_members(@viewer) v WHERE v.id = u.id)`,
		pgx.NamedArgs{"id": id, "viewer": viewer})
	m, err := pgx.CollectExactlyOneRow(rows, publicMember)
	return m, pg.Fault(err)
}

// strangerRow is the profile of selectAsViewer: what a stranger, or a match, gets.
type strangerRow struct {
	publicRow
	ShownTo string `json:"shownTo"`
}

// shownTo is StrangerView.ShownTo.
const shownTo = `CASE
		WHEN NOT is_searched(u.profile_status, u.is_approved, u.is_graduated, u.paused_at, u.paused_until) THEN 'matches'
		WHEN u.incognito THEN 'liked'
		ELSE 'everyone'
	END`

// selectAsViewer returns the member as a viewer who stands in for others gets the profile: standInMatch, or Nil for a
// stranger, which is the id of no member, so it has no match, like or conversation.
func selectAsViewer(ctx context.Context, db pg.DB, id, viewer uuid.UUID) (StrangerView, error) {
	rows, _ := db.Query(ctx, `SELECT `+publicColumns+`, `+shownTo+` AS shown_to FROM users u WHERE u.id = @id`,
		pgx.NamedArgs{"id": id, "viewer": viewer})
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[strangerRow])
	return StrangerView{Member: row.member(), ShownTo: row.ShownTo}, pg.Fault(err)
}

// PublicForModerators returns the public profiles of the members ids that exist, with full
// names.
func PublicForModerators(ctx context.Context, db pg.DB, ids []uuid.UUID) (map[uuid.UUID]PublicMember, error) {
	rows, _ := db.Query(ctx, `SELECT `+publicColumns+` FROM users u WHERE u.id = ANY(@ids)`,
		pgx.NamedArgs{"ids": ids, "viewer": nil})
	members, err := pgx.CollectRows(rows, publicMember)
	if err != nil {
		return nil, pg.Fault(err)
	}
	byID := make(map[uuid.UUID]PublicMember, len(members))
	for _, m := range members {
		byID[m.ID] = m
	}
	return byID, nil
}

// Cards returns the cards of the members ids that exist, as viewer sees them. It does
// not check whether the viewer may see them; the caller must select ids by VisibleIDs or is_shown.
func Cards(ctx context.Context, db pg.DB, viewer uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]UserCard, error) {
	return selectCards(ctx, db, &viewer, ids)
}

// CardsForModerators is Cards for moderators, who see full names.
func CardsForModerators(ctx context.Context, db pg.DB, ids []uuid.UUID) (map[uuid.UUID]UserCard, error) {
	return selectCards(ctx, db, nil, ids)
}

// QueueCards is CardsForModerators with the names, the age and the town only, for queues, which show
// no other contents.
func QueueCards(ctx context.Context, db pg.DB, ids []uuid.UUID) (map[uuid.UUID]UserCard, error) {
	cards, err := CardsForModerators(ctx, db, ids)
	for id, card := range cards {
		cards[id] = UserCard{ID: id, FirstName: card.FirstName, FullName: card.FullName, Age: card.Age, City: card.City}
	}
	return cards, err
}

// userCardRow is a UserCard as it is stored.
type userCardRow struct {
	UserCard
	PhotoID *uuid.UUID // nil without a photo that the viewer may see
}

func selectCards(ctx context.Context, db pg.DB, viewer *uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]UserCard, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			u.id,
			u.first_name,
			`+nameForViewer+` AS full_name,
			age_of(u.birth_date) AS age,
			u.city,
			u.bio,
			u.verified_at IS NOT NULL AS is_verified,
			f.id AS photo_id,
			coalesce(f.placeholder, '') AS placeholder
		FROM users u
		LEFT JOIN LATERAL (
			SELECT m.file_id
			FROM member_media m
			WHERE m.user_id = u.id
				AND m.slot = 'photo'
				AND `+shownPhoto+`
			ORDER BY m.position
			LIMIT 1
		) m ON true
		LEFT JOIN files f ON f.id = m.file_id
		WHERE u.id = ANY(@ids)`, pgx.NamedArgs{"ids": ids, "viewer": viewer})
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[userCardRow])
	if err != nil {
		return nil, pg.Fault(err)
	}
	byID := make(map[uuid.UUID]UserCard, len(found))
	for _, row := range found {
		if row.PhotoID != nil {
			row.ProfileImageURL = new(fileURL(*row.PhotoID, blobs.Thumb))
		}
		byID[row.ID] = row.UserCard
	}
	return byID, nil
}

func selectMe(ctx context.Context, db pg.DB, id uuid.UUID) (Me, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+meColumns+`
		FROM users u
		JOIN member_activities a ON a.user_id = u.id
		WHERE u.id = $1`, id)
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[meRow])
	if err != nil {
		return Me{}, pg.Fault(err)
	}
	me := row.Me
	me.Media = mediaFrom(row.StoredMedia)
	setVoiceURLs(me.Prompts)
	me.Counts = Counts{Matches: row.MatchCount, Messages: row.MessageCount, Referrals: row.ReferralCount, NewBadges: row.NewBadgeCount}
	for i := range me.Photos {
		setURLs(&me.Photos[i])
	}
	me.CreatedAt, me.LastActiveAt = web.Time(me.CreatedAt), web.Time(me.LastActiveAt)
	for _, at := range []*time.Time{me.PausedUntil, me.DeletionDueAt} {
		if at != nil {
			*at = web.Time(*at)
		}
	}
	me.ProfileImageURL = firstThumb(me.Photos)
	if len(me.Photos) > 0 {
		me.ProfilePhoto = &me.Photos[0].URL
	}
	return me, nil
}

// Lock locks the member's row until the end of the transaction, which serializes calls that
// count rows of the member before a write.
func Lock(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	tag, err := tx.Exec(ctx, `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`, id)
	if err == nil && tag.RowsAffected() == 0 {
		return fault.New(fault.NotFound, "We could not find that.")
	}
	return err
}

// ThumbURL returns the URL of the thumbnail of a picture.
func ThumbURL(picture uuid.UUID) string { return fileURL(picture, blobs.Thumb) }

// PictureURL returns the URL of the full size of a picture.
func PictureURL(picture uuid.UUID) string { return fileURL(picture, blobs.Full) }

func fileURL(id uuid.UUID, variant string) string { return "/files/" + id.String() + "/" + variant }

func setURLs(p *Photo) {
	p.URL, p.ThumbURL = fileURL(p.ID, blobs.Full), fileURL(p.ID, blobs.Thumb)
}

func firstThumb(photos []Photo) *string {
	if len(photos) == 0 {
		return nil
	}
	return &photos[0].ThumbURL
}
