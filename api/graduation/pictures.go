package graduation

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// CouplePicture is a picture of a couple.
type CouplePicture struct {
	ID          uuid.UUID `json:"id"`
	URL         string    `json:"url" doc:"Readable by everyone while the couple is on the wall and both agree to the picture"`
	ThumbURL    string    `json:"thumbUrl" doc:"At most 480 px"`
	Placeholder string    `json:"placeholder" doc:"A blurred picture as a data: URL"`
	Width       int       `json:"width"`
	Height      int       `json:"height"`
	IsAgreed    bool      `json:"isAgreed" doc:"Whether the partner of its owner wants it on the wall, too; the wall shows only such pictures"`

	owner uuid.UUID
}

func pictureURL(id uuid.UUID, variant string) string {
	return "/api/legacy-wall/pictures/" + id.String() + "/" + variant
}

// selectPictures returns the pictures of couples by couple, first those of the member who asked: all, or
// only those that the wall shows.
func selectPictures(ctx context.Context, db pg.DB, couples []uuid.UUID, onlyAgreed bool) (map[uuid.UUID][]CouplePicture, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			p.couple_id,
			p.user_id,
			f.id,
			coalesce(f.placeholder, '') AS placeholder,
			coalesce(f.width, 1) AS width,
			coalesce(f.height, 1) AS height,
			p.is_agreed
		FROM couple_pictures p
		JOIN graduated_couples c ON c.id = p.couple_id
		JOIN stored_files f ON f.id = p.file_id
		WHERE p.couple_id = ANY ($1)
			AND (p.is_agreed OR NOT $2)
		ORDER BY p.user_id <> c.user_one_id, p.position`, couples, onlyAgreed)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[pictureRow])
	byCouple := map[uuid.UUID][]CouplePicture{}
	for _, row := range found {
		byCouple[row.CoupleID] = append(byCouple[row.CoupleID], row.picture())
	}
	return byCouple, err
}

// pictureRow is a CouplePicture as it is stored.
type pictureRow struct {
	CoupleID    uuid.UUID
	UserID      uuid.UUID // the owner
	ID          uuid.UUID
	Placeholder string
	Width       int
	Height      int
	IsAgreed    bool
}

func (r pictureRow) picture() CouplePicture {
	return CouplePicture{
		ID: r.ID, URL: pictureURL(r.ID, blobs.Full), ThumbURL: pictureURL(r.ID, blobs.Thumb),
		Placeholder: r.Placeholder, Width: r.Width, Height: r.Height, IsAgreed: r.IsAgreed, owner: r.UserID,
	}
}

// ownedBy returns the pictures of one member, never nil.
func ownedBy(pictures []CouplePicture, member uuid.UUID) []CouplePicture {
	own := []CouplePicture{}
	for _, p := range pictures {
		if p.owner == member {
			own = append(own, p)
		}
	}
	return own
}

// namedPictures is which of the partner's pictures an agreement has to name.
type namedPictures bool

const (
	somePictures namedPictures = false
	allPictures  namedPictures = true
)

// agree stores to which of the partner's pictures the member agrees. It returns Conflict if one of them
// is not the partner's any more, and with allPictures if it names fewer than there are.
func agree(ctx context.Context, tx pgx.Tx, couple, member uuid.UUID, pictures []uuid.UUID, which namedPictures) error {
	var count, found int
	err := tx.QueryRow(ctx, `
		SELECT
			count(*),
			count(*) FILTER (WHERE file_id = ANY ($3))
		FROM couple_pictures
		WHERE couple_id = $1
			AND user_id <> $2`, couple, member, pictures).Scan(&count, &found)
	if err != nil {
		return err
	}
	if found != len(pictures) || which == allPictures && count != found {
		return fault.New(fault.Conflict, "The pictures have changed. Please look at them again.")
	}
	_, err = tx.Exec(ctx, `
		UPDATE couple_pictures
		SET is_agreed = coalesce(file_id = ANY ($3), false)
		WHERE couple_id = $1
			AND user_id <> $2`, couple, member, pictures)
	return err
}

// OpenPicture returns a picture of a couple: on the wall to everyone; before that to its owner, to
// the partner who was asked, and to a moderator who has opened the couple within the last day while it
// waits. It returns NotFound for any other file.
func (s *Service) OpenPicture(ctx context.Context, viewer web.Actor, id uuid.UUID, variant string, c blobs.Conditions) (blobs.File, error) {
	var readable, waits bool
	var couple uuid.UUID
	err := s.pool.QueryRow(ctx, `
		SELECT
			p.is_agreed AND EXISTS (SELECT FROM legacy_wall w WHERE w.id = c.id)
				OR coalesce($2 IN (p.user_id, c.user_one_id, c.user_two_id), false),
			c.status = 'pending',
			c.id
		FROM couple_pictures p
		JOIN graduated_couples c ON c.id = p.couple_id
		WHERE p.file_id = $1`, id, viewer.ID).Scan(&readable, &waits, &couple)
	if err != nil {
		return blobs.File{}, pg.Fault(err)
	}
	if !readable && waits && viewer.Moderator {
		opened, err := moderation.OpenedLately(ctx, s.pool, viewer.ID, "graduation.open", "couple")
		if err != nil {
			return blobs.File{}, err
		}
		readable = opened[couple]
	}
	if !readable {
		return blobs.File{}, blobs.NotFound()
	}
	return s.blobs.OpenPicture(ctx, id, variant, c)
}
