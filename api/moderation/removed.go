package moderation

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/blobs"
	"heartward/api/platform/pg"
)

// RemovedContent is a part of a profile that a decision removed.
type RemovedContent struct {
	Part     string     `json:"part" enum:"photo,header_banner,audio_greeting,video_greeting,gallery_image,gallery_video,prompt,bio,love_reflection,occupation"`
	Question string     `json:"question" doc:"Of a prompt"`
	Text     string     `json:"text" doc:"The text or answer, or the caption of a file"`
	FileID   *uuid.UUID `json:"fileId" nullable:"true"`
	MimeType *string    `json:"mimeType" nullable:"true"`
	URL      *string    `json:"url" nullable:"true" doc:"For a day after the appeal was opened; each request is recorded in the audit log"`
}

// selectRemoved returns the parts of the profile that a decision removed and that are still stored.
func selectRemoved(ctx context.Context, db pg.DB, decision uuid.UUID) ([]RemovedContent, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			part,
			question,
			content,
			file_id,
			content_type
		FROM removed_contents
		WHERE sanction_id = $1
		ORDER BY part, position`, decision)
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c RemovedContent, err error) {
		err = row.Scan(&c.Part, &c.Question, &c.Text, &c.FileID, &c.MimeType)
		if c.FileID != nil && c.MimeType != nil {
			c.URL = new(evidenceURL("appeals", decision, *c.FileID, *c.MimeType))
		}
		return c, err
	})
	return append([]RemovedContent{}, list...), err
}

// OpenRemovedFile opens a file that the appealed decision removed for an admin who opened the appeal within the last day, and
// records the access with the reason of that in the audit log. It returns NotFound when the appeal is decided or unknown, has no
// such file, or is one that the admin may not see, and Conflict when the admin has not opened it.
func (s *Service) OpenRemovedFile(ctx context.Context, admin, appeal, id uuid.UUID, variant string) (blobs.File, error) {
	find := func(db pg.DB) (string, *uuid.UUID, error) { return selectRemovedFile(ctx, db, admin, appeal, id) }
	return s.openEvidence(ctx, id, variant, find, func(tx pgx.Tx, member uuid.UUID) error {
		reason, err := openedReason(ctx, tx, admin, "appeal.open", "sanction", appeal)
		if err != nil {
			return err
		}
		return Audit(ctx, tx, admin, "appeal.file", member, reason, map[string]any{"sanction": appeal, "file": id, "variant": variant})
	})
}

// selectRemovedFile returns the content type and the member of a removed file, or NotFound like OpenRemovedFile.
func selectRemovedFile(ctx context.Context, db pg.DB, admin, appeal, id uuid.UUID) (contentType string, member *uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		SELECT r.content_type, r.user_id
		FROM removed_contents r
		JOIN appeals a ON a.sanction_id = r.sanction_id
		JOIN sanctions s ON s.id = a.sanction_id
		WHERE r.sanction_id = @appeal
			AND r.file_id = @id
			AND a.outcome IS NULL
			AND `+maySeeAppeal, pgx.NamedArgs{"appeal": appeal, "id": id, "admin": admin}).Scan(&contentType, &member)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil, errNoCase
	}
	return contentType, member, pg.Fault(err)
}
