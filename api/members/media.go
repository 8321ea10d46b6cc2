package members

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
)

// Slot is a part of the profile that holds pictures or recordings.
type Slot struct {
	name string // as in the table
	max  int    // the maximum number of files
	full string // the error when the slot is full; empty for a slot whose only file is replaced
}

// Name returns the name of the slot in the table.
func (s Slot) Name() string { return s.name }

// Slots of a profile.
var (
	PhotoSlot         = Slot{"photo", 6, "You have six photos already. Please delete one first."}
	BannerSlot        = Slot{"header_banner", 1, ""}
	AudioGreetingSlot = Slot{"audio_greeting", 1, ""}
	VideoGreetingSlot = Slot{"video_greeting", 1, ""}
	GalleryImageSlot  = Slot{"gallery_image", 12, "Your gallery holds twelve pictures already. Please delete one first."}
	GalleryVideoSlot  = Slot{"gallery_video", 4, "Your gallery holds four videos already. Please delete one first."}
)

// mediaRow is a picture or recording as mediaFileColumns, with its slot and caption, and in JSON mediaOf select it.
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

// mediaFileColumns are the columns of mediaRow of a file f.
const mediaFileColumns = `
	f.id,
	f.placeholder,
	f.width,
	f.height,
	f.content_type AS mime_type,
	f.duration_ms,
	f.waveform`

func mediaFrom(rows []mediaRow) Media {
	m := Media{GalleryImages: []Photo{}, GalleryVideos: []Recording{}}
	for _, row := range rows {
		switch row.Slot {
		case BannerSlot.name:
			m.HeaderBannerImage = new(row.photo())
		case AudioGreetingSlot.name:
			m.AudioGreeting = new(row.recording())
		case VideoGreetingSlot.name:
			m.VideoGreeting = new(row.recording())
		case GalleryImageSlot.name:
			m.GalleryImages = append(m.GalleryImages, row.photo())
		case GalleryVideoSlot.name:
			m.GalleryVideos = append(m.GalleryVideos, row.recording())
		}
	}
	return m
}

func (r mediaRow) photo() Photo {
	p := Photo{ID: r.ID, Placeholder: r.Placeholder, Caption: r.Caption, Width: orZero(r.Width), Height: orZero(r.Height)}
	setURLs(&p)
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

// AddToSlot adds a file of the member to the slot, after the others, and calls the
// Watcher. In a slot for one file it replaces the present one, which it deletes and
// returns. It returns Conflict when the slot is full. The caller must hold the lock of
// the member's row, and removes the blobs of deleted files after the commit.
func (s *Service) AddToSlot(ctx context.Context, tx pgx.Tx, member, file uuid.UUID, in Slot) (deleted []uuid.UUID, err error) {
	if deleted, err = insertIntoSlot(ctx, tx, member, file, in); err != nil {
		return nil, err
	}
	if in == PhotoSlot {
		if err := applyPhotoRules(ctx, tx, member); err != nil {
			return nil, err
		}
	}
	return deleted, s.notifyWatcher(ctx, tx, member)
}

func insertIntoSlot(ctx context.Context, tx pgx.Tx, member, id uuid.UUID, in Slot) (replaced []uuid.UUID, err error) {
	if in.max == 1 {
		rows, _ := tx.Query(ctx, `DELETE FROM files USING member_media m
			WHERE m.file_id = files.id AND m.user_id = $1 AND m.slot = $2 RETURNING files.id`, member, in.name)
		if replaced, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID]); err != nil {
			return nil, err
		}
	}
	accepted := true
	if in == PhotoSlot {
		site, err := LockSite(ctx, tx)
		if err != nil {
			return nil, err
		}
		accepted = !site.ProfileReview
	}
	// A removed file keeps its place, except the only one of its slot.
	removed := 0
	if in.max > 1 {
		if removed, err = countRemoved(ctx, tx, member, in); err != nil {
			return nil, err
		}
	}
	tag, err := tx.Exec(ctx, `
		INSERT INTO member_media (file_id, user_id, slot, position, accepted)
		SELECT $1, $2, $3, count(*) + 1, $5
		FROM member_media
		WHERE user_id = $2
			AND slot = $3
		HAVING count(*) < $4`, id, member, in.name, in.max-removed, accepted)
	if err == nil && tag.RowsAffected() == 0 {
		if removed > 0 {
			return nil, fault.New(fault.Conflict, "What a moderator removed keeps its place until the decision is final. Please delete one first.")
		}
		return nil, fault.New(fault.Conflict, in.full)
	}
	return replaced, err
}

// FindPicture returns the picture file in the slot of the member's profile. It returns
// NotFound when it is not there.
func (s *Service) FindPicture(ctx context.Context, member, file uuid.UUID, in Slot) (Photo, error) {
	row, err := s.findInSlot(ctx, member, file, in)
	return row.photo(), err
}

// FindRecording is FindPicture for recordings.
func (s *Service) FindRecording(ctx context.Context, member, file uuid.UUID, in Slot) (Recording, error) {
	row, err := s.findInSlot(ctx, member, file, in)
	return row.recording(), err
}

func (s *Service) findInSlot(ctx context.Context, member, file uuid.UUID, in Slot) (mediaRow, error) {
	rows, _ := s.pool.Query(ctx, `
		SELECT
			m.slot,
			m.caption,
			`+mediaFileColumns+`
		FROM member_media m
		JOIN files f ON f.id = m.file_id
		WHERE m.user_id = $1
			AND m.file_id = $2
			AND m.slot = $3`, member, file, in.name)
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[mediaRow])
	return row, pg.Fault(err)
}

// DeleteMedia deletes a picture or recording of the member's profile with its blobs, and
// moves up the later files of its slot. It returns NotFound if the member has no such
// file.
func (s *Service) DeleteMedia(ctx context.Context, member, id uuid.UUID) error {
	return s.deleteMedia(ctx, member, id, "")
}

// DeletePhoto is DeleteMedia for photos only.
func (s *Service) DeletePhoto(ctx context.Context, member, id uuid.UUID) error {
	return s.deleteMedia(ctx, member, id, PhotoSlot.name)
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
		if err != nil {
			return err
		}
		return applyPhotoRules(ctx, tx, member)
	})
	if err != nil {
		return err
	}
	s.blobs.RemoveNow(ctx, id)
	if s.onMediaDeleted != nil {
		s.onMediaDeleted(ctx, member)
	}
	return nil
}

// SetCaption changes the caption of a picture or recording of the member's profile. It
// returns NotFound if the member has no such file.
func (s *Service) SetCaption(ctx context.Context, member, id uuid.UUID, caption string) (Me, error) {
	clean, err := text.Line("caption", caption, 200)
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

// HasPhotoAndPrompt reports whether the photo or picture of the gallery, and the answer
// to the question, are on the member's profile.
func HasPhotoAndPrompt(ctx context.Context, db pg.DB, member, photo uuid.UUID, question string) (hasPhoto, hasAnswer bool, err error) {
	err = db.QueryRow(ctx, `
		SELECT
			EXISTS (
				SELECT FROM member_media m
				WHERE m.user_id = $1
					AND m.file_id = $2
					AND m.slot IN ('photo', 'gallery_image')
					AND NOT `+heldPhoto+`
			),
			EXISTS (
				SELECT FROM member_prompts
				WHERE user_id = $1
					AND question = $3
			)`, member, photo, question).Scan(&hasPhoto, &hasAnswer)
	return hasPhoto, hasAnswer, err
}
