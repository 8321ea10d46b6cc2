package members

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// slot is a part of the profile for pictures or recordings.
type slot struct {
	name string // in the table
	most int    // maximum number of files
	full string // error if the slot is full; in a slot for one file, the file is replaced
}

var (
	photoSlot         = slot{"photo", 6, "You have six photos already. Please delete one first."}
	bannerSlot        = slot{"header_banner", 1, ""}
	audioGreetingSlot = slot{"audio_greeting", 1, ""}
	videoGreetingSlot = slot{"video_greeting", 1, ""}
	galleryImageSlot  = slot{"gallery_image", 12, "Your gallery holds twelve pictures already. Please delete one first."}
	galleryVideoSlot  = slot{"gallery_video", 4, "Your gallery holds four videos already. Please delete one first."}
)

// mediaRow is a picture or recording as selected by mediaOf.
type mediaRow struct {
	Slot        string    `json:"slot"`
	ID          uuid.UUID `json:"id"`
	Placeholder string    `json:"placeholder"`
	Width       *int      `json:"width"`
	Height      *int      `json:"height"`
	Caption     string    `json:"caption"`
	MimeType    string    `json:"mimeType"`
	DurationMs  *int      `json:"durationMs"`
	Waveform    []int     `json:"waveform"`
}

func mediaFrom(rows []mediaRow) Media {
	m := Media{GalleryImages: []Photo{}, GalleryVideos: []Recording{}}
	for _, row := range rows {
		switch row.Slot {
		case bannerSlot.name:
			m.HeaderBannerImage = new(row.photo())
		case audioGreetingSlot.name:
			m.AudioGreeting = new(row.recording())
		case videoGreetingSlot.name:
			m.VideoGreeting = new(row.recording())
		case galleryImageSlot.name:
			m.GalleryImages = append(m.GalleryImages, row.photo())
		case galleryVideoSlot.name:
			m.GalleryVideos = append(m.GalleryVideos, row.recording())
		}
	}
	return m
}

func (r mediaRow) photo() Photo {
	p := Photo{ID: r.ID, Placeholder: r.Placeholder, Caption: r.Caption, Width: orZero(r.Width), Height: orZero(r.Height)}
	address(&p)
	return p
}

func (r mediaRow) recording() Recording {
	rec := Recording{
		ID: r.ID, URL: fileURL(r.ID, blobs.Original), MimeType: r.MimeType, DurationMs: orZero(r.DurationMs),
		Waveform: r.Waveform, Placeholder: r.Placeholder, Caption: r.Caption,
	}
	if rec.Waveform == nil {
		rec.Waveform = []int{}
	}
	if r.Width != nil { // of the poster
		rec.PosterURL = new(fileURL(r.ID, blobs.Poster))
	}
	return rec
}

func orZero(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// addToSlot adds a stored file to the end of the slot. In a slot for one file it replaces
// the previous one, whose id it returns. It returns Conflict if the slot is full. The caller
// must hold the lock of the member's row.
func addToSlot(ctx context.Context, tx pgx.Tx, member, id uuid.UUID, in slot) (replaced []uuid.UUID, err error) {
	if in.most == 1 {
		rows, _ := tx.Query(ctx, `DELETE FROM files USING member_media m
			WHERE m.file_id = files.id AND m.user_id = $1 AND m.slot = $2 RETURNING files.id`, member, in.name)
		if replaced, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID]); err != nil {
			return nil, err
		}
	}
	tag, err := tx.Exec(ctx, `INSERT INTO member_media (file_id, user_id, slot, position)
		SELECT $1, $2, $3, count(*) + 1 FROM member_media WHERE user_id = $2 AND slot = $3 HAVING count(*) < $4`,
		id, member, in.name, in.most)
	if err == nil && tag.RowsAffected() == 0 {
		return nil, fault.New(fault.Conflict, in.full)
	}
	return replaced, err
}

// DeleteMedia deletes a picture or recording of the member's profile with its blobs, and
// closes the gap in the positions of its slot. It returns NotFound if the member has no such
// file.
func (s *Service) DeleteMedia(ctx context.Context, member, id uuid.UUID) error {
	return s.deleteMedia(ctx, member, id, "")
}

// DeletePhoto is DeleteMedia for photos only.
func (s *Service) DeletePhoto(ctx context.Context, member, id uuid.UUID) error {
	return s.deleteMedia(ctx, member, id, photoSlot.name)
}

func (s *Service) deleteMedia(ctx context.Context, member, id uuid.UUID, only string) error {
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := Lock(ctx, tx, member); err != nil {
			return err
		}
		var slot string
		var position int
		err := tx.QueryRow(ctx, `DELETE FROM member_media WHERE file_id = $1 AND user_id = $2 AND ($3 = '' OR slot = $3)
			RETURNING slot, position`, id, member, only).Scan(&slot, &position)
		if err != nil {
			return err
		}
		if err := DeleteFiles(ctx, tx, id); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE member_media SET position = position - 1
			WHERE user_id = $1 AND slot = $2 AND position > $3`, member, slot, position)
		return err
	})
	if err != nil {
		return err
	}
	s.blobs.RemoveNow(ctx, id)
	return nil
}

// Caption changes the caption of a picture or recording of the member's profile. It returns
// NotFound if the member has no such file.
func (s *Service) Caption(ctx context.Context, member, id uuid.UUID, caption string) (Me, error) {
	clean, err := cleanText("caption", caption, 200, false)
	if err != nil {
		return Me{}, err
	}
	tag, err := s.pool.Exec(ctx, `UPDATE member_media SET caption = $3 WHERE file_id = $1 AND user_id = $2`, id, member, clean)
	if err != nil {
		return Me{}, pg.Fault(err)
	}
	if tag.RowsAffected() == 0 {
		return Me{}, fault.New(fault.NotFound, "We could not find that.")
	}
	return s.Me(ctx, member)
}

// Shows reports whether the photo or picture of the gallery, and the answer to the
// question, are on the member's profile.
func Shows(ctx context.Context, db pg.DB, member, photo uuid.UUID, question string) (hasPhoto, hasAnswer bool, err error) {
	err = db.QueryRow(ctx, `
		SELECT
			EXISTS (
				SELECT FROM member_media
				WHERE user_id = $1
					AND file_id = $2
					AND slot IN ('photo', 'gallery_image')
			),
			EXISTS (
				SELECT FROM member_prompts
				WHERE user_id = $1
					AND question = $3
			)`, member, photo, question).Scan(&hasPhoto, &hasAnswer)
	return hasPhoto, hasAnswer, err
}
