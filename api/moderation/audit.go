package moderation

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/text"
)

const maxReason = 500

// CleanReason returns an admin's reason in its stored form, or Invalid if it is empty or longer than 500 characters.
func CleanReason(reason string) (string, error) {
	const sentence = "Please give a reason of at most 500 characters."
	return text.Clean("reason", reason, text.Rule{Max: maxReason, Lines: true, TooLong: sentence, Empty: sentence})
}

// Audit inserts a row into the audit log: the admin, the action, its subject (a member or
// Nil), the reason, and details, which must be nil or encode to a JSON object. The admin is Nil
// on the command line. The row keeps the admin's present name, also when the account is deleted, and no name of the
// subject. Rows are never changed or deleted. Audit should be the last statement
// of its transaction, because it locks the log until the transaction ends. It returns Invalid for
// a reason that is empty or longer than 500 characters.
func Audit(ctx context.Context, tx pgx.Tx, admin uuid.UUID, action string, subject uuid.UUID, reason string, detail any) error {
	reason, err := CleanReason(reason)
	if err != nil {
		return err
	}
	if detail == nil {
		detail = struct{}{}
	}
	encoded, err := json.Marshal(detail)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		INSERT INTO audit_log (admin_id, action, subject_id, reason, detail)
		VALUES ($1, $2, $3, $4, $5)`,
		admin, action, orNull(subject), reason, encoded)
	return err
}

// openedSpan is for how long after an opening a moderator may decide on what they opened, and read its files.
const openedSpan = 24 * time.Hour

// openedReason returns the reason with which the moderator last opened a case within openedSpan: that of the audit log's newest row of
// action with the id in field of its details. Without one it returns Conflict with the code open_first.
func openedReason(ctx context.Context, db pg.DB, moderator uuid.UUID, action, field string, id uuid.UUID) (reason string, err error) {
	err = db.QueryRow(ctx, `
		SELECT reason
		FROM audit_log
		WHERE admin_id = $1
			AND action = $2
			AND detail->>$3 = $4
			AND created_at > now() - $5 * interval '1 second'
		ORDER BY id DESC
		LIMIT 1`, moderator, action, field, id.String(), openedSpan.Seconds()).Scan(&reason)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrOpenFirst
	}
	return reason, pg.Fault(err)
}

// RequireOpened returns Conflict with the code open_first unless the moderator opened a case with a reason within the last day, as
// openedReason does. It returns nil if that is not demanded.
func RequireOpened(ctx context.Context, db pg.DB, isDemanded bool, moderator uuid.UUID, action, field string, id uuid.UUID) error {
	if !isDemanded {
		return nil
	}
	_, err := openedReason(ctx, db, moderator, action, field, id)
	return err
}

// OpenedLately returns the ids of what the moderator opened with a reason within the last day: those of the audit
// log's rows of action, from field of their details.
func OpenedLately(ctx context.Context, db pg.DB, moderator uuid.UUID, action, field string) (map[uuid.UUID]bool, error) {
	rows, _ := db.Query(ctx, `
		SELECT DISTINCT (detail->>$3)::uuid
		FROM audit_log
		WHERE admin_id = $1
			AND action = $2
			AND created_at > now() - $4 * interval '1 second'
			AND detail ? $3`, moderator, action, field, openedSpan.Seconds())
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, pg.Fault(err)
	}
	opened := make(map[uuid.UUID]bool, len(ids))
	for _, id := range ids {
		opened[id] = true
	}
	return opened, nil
}
