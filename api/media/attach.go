package media

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
)

// MaxPictures is the maximum number of pictures in a message. A message has at
// most one recording.
const MaxPictures = 10

// attachSQL attaches unsent files to a message, all or none. A concurrent message with one
// of the files waits for the row of the upload, which is then deleted. The rows are locked
// in the order of their ids against deadlocks.
const attachSQL = `
WITH wanted AS (
	SELECT id, ordinal
	FROM unnest($2::uuid[]) WITH ORDINALITY w(id, ordinal)
), ready AS MATERIALIZED (
	SELECT ` + rowColumns + `,
		w.ordinal
	FROM wanted w
	JOIN uploads u ON u.id = w.id
	JOIN stored_files f ON f.id = w.id
	WHERE u.owner_id = $1
		AND f.owner_id = $1
		AND f.content_type LIKE $3 || '/%'
	ORDER BY u.id
	FOR UPDATE OF u
), complete AS (
	SELECT *
	FROM ready
	WHERE (SELECT count(*) FROM ready) = cardinality($2::uuid[])
), sent AS (
	DELETE FROM uploads u
	USING complete c
	WHERE u.id = c.id
), attached AS (
	INSERT INTO message_files (file_id, conversation_id, seq, position)
	SELECT id, $4, $5, ordinal - 1
	FROM complete
)
SELECT ` + rowColumns + `
FROM complete f
ORDER BY f.ordinal`

// AttachTx attaches files to the message that tx has stored at seq of the
// conversation, in the order of fileIDs, and returns them. Each must be the owner's,
// of the kind (image, audio or video) and unsent.
//
// It returns Invalid with the field fileIds when one is not, or when their number
// does not fit the kind. Nothing is changed then and tx can continue, but the caller
// must not commit the message.
func AttachTx(ctx context.Context, tx pgx.Tx, owner uuid.UUID, fileIDs []uuid.UUID, kind string, conversation uuid.UUID, seq int64) ([]Attachment, error) {
	if err := CheckFiles(fileIDs, kind); err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, attachSQL, owner, fileIDs, kind, conversation, seq)
	if err != nil {
		return nil, err
	}
	attached, err := pgx.CollectRows(rows, pgx.RowToStructByName[Row])
	if err != nil {
		return nil, err
	}
	if len(attached) != len(fileIDs) {
		return nil, fault.InvalidField("fileIds", "One of these files is no longer there. Please add it again.")
	}
	return ToAttachments(attached), nil
}

// DeleteTx deletes the files of the message at seq of the conversation.
func DeleteTx(ctx context.Context, tx pgx.Tx, conversation uuid.UUID, seq int64) error {
	_, err := tx.Exec(ctx, `
		DELETE FROM message_files
		WHERE conversation_id = $1
			AND seq = $2`, conversation, seq) // a trigger deletes the files
	return err
}

// CheckFiles validates the number and uniqueness of the files for a message of the
// kind, without a query. It returns Invalid with the field fileIds.
func CheckFiles(fileIDs []uuid.UUID, kind string) error {
	limit := 0
	switch kind {
	case "image":
		limit = MaxPictures
	case "audio", "video":
		limit = 1
	}
	switch {
	case limit == 0 && len(fileIDs) > 0:
		return fault.InvalidField("fileIds", "This kind of message has no files.")
	case limit > 0 && len(fileIDs) == 0:
		return fault.InvalidField("fileIds", "This message needs its file.")
	case limit == 1 && len(fileIDs) > 1:
		return fault.InvalidField("fileIds", "A message has one recording.")
	case len(fileIDs) > limit:
		return fault.InvalidField("fileIds", "A message has at most ten pictures.")
	}
	seen := map[uuid.UUID]bool{}
	for _, id := range fileIDs {
		if seen[id] {
			return fault.InvalidField("fileIds", "The same file is named twice.")
		}
		seen[id] = true
	}
	return nil
}
