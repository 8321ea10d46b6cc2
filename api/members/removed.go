package members

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/feature"
	"heartward/api/platform/pg"
)

// removedDays is for how many days removed parts are stored, unless an appeal waits.
const removedDays = 180

// ProfilePart names a part of a profile as a moderator saw it.
type ProfilePart struct {
	Part     string     `json:"part" enum:"photo,header_banner,audio_greeting,video_greeting,gallery_image,gallery_video,prompt,bio,love_reflection,occupation"`
	FileID   *uuid.UUID `json:"fileId,omitempty" format:"uuid" doc:"The picture or recording; for a prompt its question is enough"`
	Question string     `json:"question,omitempty" maxLength:"120" doc:"Of a prompt"`
	Text     string     `json:"text,omitempty" maxLength:"1000" doc:"The text or answer as the moderator saw it: one that has changed since stays"`
}

// slotOfPart has the slots of files by their names.
var slotOfPart = map[string]Slot{
	PhotoSlot.name: PhotoSlot, BannerSlot.name: BannerSlot, AudioGreetingSlot.name: AudioGreetingSlot, VideoGreetingSlot.name: VideoGreetingSlot,
	GalleryImageSlot.name: GalleryImageSlot, GalleryVideoSlot.name: GalleryVideoSlot,
}

// textParts are the columns of users that a moderator can empty, with their names.
var textParts = map[string]string{"bio": "bio", "love_reflection": "what love means to you", "occupation": "your work"}

// slotNames are the names of slots for the member; those of slots for several files get the position.
var slotNames = map[string]string{
	"photo": "photo", "header_banner": "banner", "audio_greeting": "audio greeting", "video_greeting": "video greeting",
	"gallery_image": "gallery picture", "gallery_video": "gallery video",
}

// nameOfPart returns a part as the statement of reasons names it.
func nameOfPart(part, question string, position int) string {
	switch {
	case part == "prompt":
		return fmt.Sprintf("the answer to “%s”", question)
	case textParts[part] != "":
		return textParts[part]
	case slotOfPart[part].max == 1:
		return slotNames[part]
	}
	return fmt.Sprintf("%s %d", slotNames[part], position)
}

// RemoveParts takes parts off the profile of a member for a decision, and returns the names of those that were there. Nobody sees
// them from the commit on. They are stored until 180 days have passed, longer while an appeal waits. The caller must hold the
// lock of the member's row, and stores the decision in the same transaction.
func RemoveParts(ctx context.Context, tx pgx.Tx, member, decision uuid.UUID, parts []ProfilePart) (names []string, err error) {
	for _, p := range parts {
		name, err := removePart(ctx, tx, member, decision, p)
		if errors.Is(err, pgx.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, nil
	}
	return names, applyPhotoRules(ctx, tx, member)
}

// removePart returns the name of the part, or pgx.ErrNoRows if it is not on the profile.
func removePart(ctx context.Context, tx pgx.Tx, member, decision uuid.UUID, p ProfilePart) (string, error) {
	var position int
	var err error
	switch _, isFile := slotOfPart[p.Part]; {
	case isFile:
		position, err = removeFile(ctx, tx, member, decision, p)
	case p.Part == "prompt":
		err = tx.QueryRow(ctx, `
			WITH gone AS (
				DELETE FROM member_prompts
				WHERE user_id = $1
					AND question = $3
					AND answer = $4
				RETURNING *
			)
			INSERT INTO removed_parts (user_id, sanction_id, part, position, file_id, question, content, expires_at)
			SELECT user_id, $2, 'prompt', position, voice_id, question, answer, now() + make_interval(days => $5)
			FROM gone
			RETURNING position`, member, decision, p.Question, p.Text, removedDays).Scan(&position)
	case textParts[p.Part] != "":
		// The column is one of textParts.
		err = tx.QueryRow(ctx, `
			WITH gone AS (
				UPDATE users
				SET
					`+p.Part+` = '',
					updated_at = now()
				WHERE id = $1
					AND `+p.Part+` = $4
					AND `+p.Part+` <> ''
				RETURNING id
			)
			INSERT INTO removed_parts (user_id, sanction_id, part, position, content, expires_at)
			SELECT id, $2, $3, 0, $4, now() + make_interval(days => $5)
			FROM gone
			RETURNING position`, member, decision, p.Part, p.Text, removedDays).Scan(&position)
	default:
		err = fault.InvalidField("parts", "Please choose parts of the profile.")
	}
	return nameOfPart(p.Part, p.Question, position), err
}

// removeFile takes a picture or recording off the profile, moves up the later ones of its slot, and returns its position.
func removeFile(ctx context.Context, tx pgx.Tx, member, decision uuid.UUID, p ProfilePart) (position int, err error) {
	if p.FileID == nil {
		return 0, fault.InvalidField("parts", "Please name the picture or recording.")
	}
	err = tx.QueryRow(ctx, `
		WITH gone AS (
			DELETE FROM member_media
			WHERE file_id = $1
				AND user_id = $2
				AND slot = $3
			RETURNING *
		)
		INSERT INTO removed_parts (user_id, sanction_id, part, position, file_id, content, compared, accepted, expires_at)
		SELECT user_id, $4, slot, position, file_id, caption, compared, accepted, now() + make_interval(days => $5)
		FROM gone
		RETURNING position`, p.FileID, member, p.Part, decision, removedDays).Scan(&position)
	if err != nil {
		return 0, err
	}
	_, err = tx.Exec(ctx, `UPDATE member_media SET position = position - 1 WHERE user_id = $1 AND slot = $2 AND position > $3`, member, p.Part, position)
	return position, err
}

// StoreRemovedParts keeps the parts that a decision removed until ReleaseRemovedParts or RestoreParts, because an appeal waits.
func StoreRemovedParts(ctx context.Context, tx pgx.Tx, decision uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE removed_parts SET expires_at = NULL WHERE sanction_id = $1`, decision)
	return err
}

// ReleaseRemovedParts lets the next clean-up delete the parts that a decision removed, because it is final.
func ReleaseRemovedParts(ctx context.Context, tx pgx.Tx, decision uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE removed_parts SET expires_at = now() WHERE sanction_id = $1`, decision)
	return err
}

// removedPart is a part to put back.
type removedPart struct {
	id       uuid.UUID
	part     string
	position int
	question string
}

// RestoreParts puts the parts that decisions removed back on the member's profile, and returns their names. A file has its former place. A
// part whose only place the member has filled meanwhile is not put back; it stays in the export for 30 days. The caller must hold
// the lock of the member's row.
func RestoreParts(ctx context.Context, tx pgx.Tx, member uuid.UUID, decisions ...uuid.UUID) (names []string, err error) {
	rows, _ := tx.Query(ctx, `
		SELECT id, part, position, question
		FROM removed_parts
		WHERE user_id = $1
			AND sanction_id = ANY ($2)
		ORDER BY part, position, removed_at`, member, decisions)
	parts, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (p removedPart, err error) {
		err = row.Scan(&p.id, &p.part, &p.position, &p.question)
		return p, err
	})
	if err != nil || len(parts) == 0 {
		return nil, err
	}
	for _, p := range parts {
		restored, err := restorePart(ctx, tx, p)
		if err != nil {
			return nil, err
		}
		if !restored {
			_, err = tx.Exec(ctx, `UPDATE removed_parts SET expires_at = now() + interval '30 days' WHERE id = $1`, p.id)
		} else if _, err = tx.Exec(ctx, `DELETE FROM removed_parts WHERE id = $1`, p.id); err == nil {
			names = append(names, nameOfPart(p.part, p.question, p.position))
		}
		if err != nil {
			return nil, err
		}
	}
	return names, applyPhotoRules(ctx, tx, member)
}

// restorePart puts a part back on the profile, and reports whether it could: a prompt not if the member has answered three, or
// the same one, since; a text not if there is another one now.
func restorePart(ctx context.Context, tx pgx.Tx, p removedPart) (restored bool, err error) {
	var sql string
	slot, isFile := slotOfPart[p.part]
	switch {
	case isFile:
		return restoreFile(ctx, tx, p, slot)
	case p.part == "prompt":
		sql = `
			INSERT INTO member_prompts (user_id, position, question, answer, voice_id)
			SELECT r.user_id, free.position, r.question, r.content, r.file_id
			FROM removed_parts r
			CROSS JOIN LATERAL (
				SELECT n AS position
				FROM generate_series(1, 3) n
				WHERE NOT EXISTS (SELECT FROM member_prompts p WHERE p.user_id = r.user_id AND p.position = n)
				ORDER BY n <> r.position, n
				LIMIT 1
			) free
			WHERE r.id = $1
				AND NOT EXISTS (SELECT FROM member_prompts p WHERE p.user_id = r.user_id AND p.question = r.question)`
	default:
		// The column is one of textParts.
		sql = `
			UPDATE users u
			SET
				` + p.part + ` = r.content,
				updated_at = now()
			FROM removed_parts r
			WHERE r.id = $1
				AND u.id = r.user_id
				AND u.` + p.part + ` = ''`
	}
	tag, err := tx.Exec(ctx, sql, p.id)
	return err == nil && tag.RowsAffected() > 0, err
}

// restoreFile puts a file back at its former position, or at the end if there are fewer now.
func restoreFile(ctx context.Context, tx pgx.Tx, p removedPart, slot Slot) (restored bool, err error) {
	var position int
	err = tx.QueryRow(ctx, `
		SELECT least(r.position, 1 + (SELECT count(*) FROM member_media m WHERE m.user_id = r.user_id AND m.slot = r.part))
		FROM removed_parts r
		WHERE r.id = $1
			AND (SELECT count(*) FROM member_media m WHERE m.user_id = r.user_id AND m.slot = r.part) < $2`, p.id, slot.max).Scan(&position)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = tx.Exec(ctx, `
		UPDATE member_media m
		SET position = m.position + 1
		FROM removed_parts r
		WHERE r.id = $1
			AND m.user_id = r.user_id
			AND m.slot = r.part
			AND m.position >= $2`, p.id, position)
	if err != nil {
		return false, err
	}
	_, err = tx.Exec(ctx, `
		INSERT INTO member_media (file_id, user_id, slot, position, caption, compared, accepted)
		SELECT file_id, user_id, part, $2, content, compared, accepted
		FROM removed_parts
		WHERE id = $1`, p.id, position)
	return err == nil, err
}

// countRemoved returns how many files of the slot a decision took off the member's profile. They keep their places, so that they
// can be put back.
func countRemoved(ctx context.Context, tx pgx.Tx, member uuid.UUID, in Slot) (n int, err error) {
	err = tx.QueryRow(ctx, `SELECT count(*) FROM removed_parts WHERE user_id = $1 AND part = $2`, member, in.name).Scan(&n)
	return n, err
}

// removedEnd is when removed parts are deleted.
var removedEnd = feature.At("expires_at", "180 days after the decision, when an appeal against it was refused, or 30 days after one was granted if the place was taken")

// DeleteRemovedParts deletes at most limit removed parts whose time is over, with their files, and returns their number.
func DeleteRemovedParts(ctx context.Context, db pg.DB, limit int) (n int, err error) {
	err = db.QueryRow(ctx, `
		WITH due AS (
			SELECT id, file_id
			FROM removed_parts
			WHERE `+removedEnd.Due()+`
			LIMIT $1
			FOR UPDATE SKIP LOCKED
		), gone AS (
			DELETE FROM removed_parts r
			USING due
			WHERE r.id = due.id
			RETURNING r.file_id
		), files_gone AS (
			DELETE FROM files f
			USING gone
			WHERE f.id = gone.file_id
		)
		SELECT count(*)
		FROM gone`, limit).Scan(&n)
	return n, pg.Fault(err)
}
