package moderation

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/blobs"
	"heartward/api/platform/images"
	"heartward/api/platform/pg"
)

// FlaggedFile is a file of a flagged message.
type FlaggedFile struct {
	ID       uuid.UUID `json:"id"`
	MimeType string    `json:"mimeType"`
	URL      string    `json:"url" doc:"For a day after the flag was opened; each request is recorded in the audit log. A normalised recording is also at media.mp4, the poster of a video at poster.webp"`
}

// evidenceFiles is the largest number of files of messages in the evidence of a report.
const evidenceFiles = 20

// storeFiles adds the files of the reported member's profile, and the newest files of their
// messages, at most evidenceFiles, to the evidence of the report. They do not count towards
// a quota. The member and the conversation must be locked, so that the files are not deleted
// meanwhile.
func storeFiles(ctx context.Context, tx pgx.Tx, report, reported uuid.UUID, messages []MessageCopy) error {
	var ids []uuid.UUID
	files := 0
	for _, m := range slices.Backward(messages) {
		if m.SenderID != reported || m.Files == 0 {
			continue
		}
		if files += m.Files; files > evidenceFiles {
			break
		}
		ids = append(ids, m.ID)
	}
	if _, err := tx.Exec(ctx, `SELECT store_profile_evidence($1, $2)`, report, reported); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `SELECT store_evidence_files($1, $2)`, report, ids)
	return err
}

// selectFlagFiles returns the evidence files of a flag in their order.
func selectFlagFiles(ctx context.Context, db pg.DB, flag uuid.UUID) ([]FlaggedFile, error) {
	rows, _ := db.Query(ctx, `
		SELECT file_id, content_type
		FROM evidence_files
		WHERE subject_id = $1
		ORDER BY position`, flag)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (f FlaggedFile, err error) {
		err = row.Scan(&f.ID, &f.MimeType)
		f.URL = evidenceURL("flags", flag, f.ID, f.MimeType)
		return f, err
	})
}

// OpenFlaggedFile opens a file of an open flag for an admin who opened the flag within the
// last day, and records the access with the reason of that in the audit log. It returns
// NotFound when the flag is closed, has no such file, or is one on which the admin may not
// decide, and Conflict when the admin has not opened it.
func (s *Service) OpenFlaggedFile(ctx context.Context, admin, flag, id uuid.UUID, variant string) (blobs.File, error) {
	find := func(db pg.DB) (string, *uuid.UUID, error) { return selectFlaggedFile(ctx, db, admin, flag, id) }
	return s.openEvidence(ctx, id, variant, find, func(tx pgx.Tx, sender uuid.UUID) error {
		reason, err := openedReason(ctx, tx, admin, "flag.open", "message", flag)
		if err != nil {
			return err
		}
		return Audit(ctx, tx, admin, "flag.file", sender, reason, map[string]any{"message": flag, "file": id, "variant": variant})
	})
}

// openEvidence opens a file of evidence, even if its message was deleted, and calls audit in
// a transaction with the member concerned, or Nil if the account was deleted. find returns
// the content type and the member. It returns NotFound for an unknown variant.
func (s *Service) openEvidence(ctx context.Context, id uuid.UUID, variant string,
	find func(pg.DB) (contentType string, member *uuid.UUID, err error), audit func(tx pgx.Tx, member uuid.UUID) error,
) (blobs.File, error) {
	contentType, member, err := find(s.pool)
	if err != nil {
		return blobs.File{}, err
	}
	var recordingType *string
	if contentType != images.ContentType {
		recordingType = &contentType
	}
	// Open the file before the transaction, so that no row is locked while the file store
	// responds.
	file, err := s.blobs.Open(ctx, id, variant, recordingType)
	if err != nil {
		return blobs.File{}, err
	}
	err = pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		// Another admin may have decided since.
		if _, _, err := find(tx); err != nil {
			return err
		}
		return audit(tx, orNil(member))
	})
	if err != nil {
		return blobs.File{}, err
	}
	return file, nil
}

// orNil returns the id, or Nil for nil.
func orNil(id *uuid.UUID) uuid.UUID {
	if id == nil {
		return uuid.Nil
	}
	return *id
}

// orNull returns a pointer to the id, or nil for Nil.
func orNull(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}

// evidenceURL returns the URL of a file of evidence below the one of its flag or report.
func evidenceURL(list string, subject, id uuid.UUID, contentType string) string {
	variant := blobs.Original
	if strings.HasPrefix(contentType, "image/") {
		variant = blobs.Full
	}
	return "/api/admin/" + list + "/" + subject.String() + "/files/" + id.String() + "/" + variant
}

// selectFlaggedFile returns the content type of a file of an open flag, and the sender of
// the flagged message, or nil if the account was deleted. It returns NotFound like
// OpenFlaggedFile.
func selectFlaggedFile(ctx context.Context, db pg.DB, admin, flag, id uuid.UUID) (contentType string, sender *uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		SELECT e.content_type, f.sender_id
		FROM message_flags f
		JOIN evidence_files e ON e.subject_id = f.message_id
		WHERE f.message_id = @flag
			AND e.file_id = @id
			AND `+mayDecideFlag, pgx.NamedArgs{"flag": flag, "id": id, "admin": admin}).Scan(&contentType, &sender)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil, errNoCase
	}
	return contentType, sender, pg.Fault(err)
}
