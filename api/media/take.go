package media

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
)

// MostPictures is how many pictures one message may have; of recordings it has one.
const MostPictures = 10

// takeSQL gives files that are ready and unsent to a message, all or none. Whoever
// is second to send one waits for the row of the upload and then does not find it;
// all lock them in one order, so that no two wait for each other.
const takeSQL = `
WITH wanted AS (
	SELECT id, place FROM unnest($2::uuid[]) WITH ORDINALITY w(id, place)
), ready AS MATERIALIZED (
	SELECT f.id, f.content_type, f.bytes - coalesce(f.copy_bytes, 0) AS bytes, f.width, f.height, f.duration_ms, f.waveform, f.placeholder, w.place
	FROM wanted w JOIN uploads u ON u.id = w.id JOIN files f ON f.id = w.id
	WHERE u.owner_id = $1 AND f.owner_id = $1 AND f.content_type LIKE $3 || '/%'
	ORDER BY u.id FOR UPDATE OF u
), whole AS (
	SELECT * FROM ready WHERE (SELECT count(*) FROM ready) = cardinality($2::uuid[])
), sent AS (
	DELETE FROM uploads u USING whole w WHERE u.id = w.id
), placed AS (
	INSERT INTO message_files (file_id, conversation_id, seq, position) SELECT id, $4, $5, place - 1 FROM whole
)
SELECT id, content_type, bytes, width, height, duration_ms, waveform, placeholder FROM whole ORDER BY place`

// TakeTx gives the files to the message that tx has stored at seq of the
// conversation, in the order of fileIDs, and answers with them as both sides see
// them. They are its sender's to send once: files of the owner that are ready, of
// the kind (image, audio or video), and in no message yet.
//
// Invalid, naming fileIds, when one of them is not, when there is none or more
// than the kind allows. Then nothing was changed, and tx can go on; but the
// message must not stay.
func TakeTx(ctx context.Context, tx pgx.Tx, owner uuid.UUID, fileIDs []uuid.UUID, kind string, conversation uuid.UUID, seq int64) ([]Attachment, error) {
	if err := CheckFiles(fileIDs, kind); err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, takeSQL, owner, fileIDs, kind, conversation, seq)
	if err != nil {
		return nil, err
	}
	taken, err := pgx.CollectRows(rows, pgx.RowToStructByName[Row])
	if err != nil {
		return nil, err
	}
	if len(taken) != len(fileIDs) {
		return nil, fault.InvalidField("fileIds", "One of these files is not there any more. Please add it again.")
	}
	return Present(taken), nil
}

// CheckFiles says what is wrong with the files named for a message of the kind,
// as far as can be told without looking for them. Invalid, naming fileIds.
func CheckFiles(fileIDs []uuid.UUID, kind string) error {
	most := 0
	switch kind {
	case "image":
		most = MostPictures
	case "audio", "video":
		most = 1
	}
	switch {
	case most == 0 && len(fileIDs) > 0:
		return fault.InvalidField("fileIds", "This kind of message has no files.")
	case most > 0 && len(fileIDs) == 0:
		return fault.InvalidField("fileIds", "This message needs its file.")
	case most == 1 && len(fileIDs) > 1:
		return fault.InvalidField("fileIds", "A message has one recording.")
	case len(fileIDs) > most:
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
