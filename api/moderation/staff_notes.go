package moderation

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/feature"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

const maxStaffNote = 2000

// StaffNote is what a moderator wrote for others about an account or a case. No member sees it.
type StaffNote struct {
	ID        uuid.UUID  `json:"id"`
	CaseKind  *string    `json:"caseKind" nullable:"true" enum:"report,flag,appeal" doc:"Null for a note on the account"`
	CaseID    *uuid.UUID `json:"caseId" nullable:"true"`
	Author    string     `json:"author" doc:"The name at that time"`
	Text      string     `json:"text"`
	CreatedAt time.Time  `json:"createdAt"`
}

// NoteSubject is what notes are about: a member, or a report, a flag or an appeal with its member.
type NoteSubject struct {
	Kind string // member, report, flag or appeal
	ID   uuid.UUID
}

// StaffNotes returns a page of the notes about a subject, the newest first, and the cursor of the next page. Those of a case
// include all about its member. It returns NotFound for an unknown subject and for one that the moderator may not see, and Invalid
// for an invalid cursor.
func (s *Service) StaffNotes(ctx context.Context, moderator uuid.UUID, of NoteSubject, page web.Page) ([]StaffNote, string, error) {
	list, after := web.List{Name: "staff-notes-" + of.Kind + "-" + of.ID.String(), Member: moderator}, web.StartCursor
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	member, err := selectNoteMember(ctx, s.pool, moderator, of)
	if err != nil {
		return nil, "", err
	}
	rows, _ := s.pool.Query(ctx, `
		SELECT
			id,
			case_kind,
			case_id,
			author_name AS author,
			content AS text,
			created_at
		FROM staff_notes
		WHERE (user_id = $1 OR case_kind = $2 AND case_id = $3)
			AND (created_at, id) < ($4, $5)
		ORDER BY created_at DESC, id DESC
		LIMIT $6`, member, of.Kind, of.ID, after.At, after.ID, page.Limit+1)
	notes, err := pgx.CollectRows(rows, pgx.RowToStructByName[StaffNote])
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	notes, next := web.Paginate(list, notes, page.Limit, func(n StaffNote) web.Cursor { return web.Cursor{At: n.CreatedAt, ID: n.ID} })
	for i := range notes {
		notes[i].CreatedAt = web.Time(notes[i].CreatedAt)
	}
	return notes, next, nil
}

// AddStaffNote stores a note, whose id the client chooses, and records that it was written, without its words, in the audit
// log. A repetition changes nothing.
//
// Errors: Invalid for an empty or invalid text; NotFound for an unknown subject and for the moderator's own; Conflict for an id
// that another note has.
func (s *Service) AddStaffNote(ctx context.Context, moderator, id uuid.UUID, of NoteSubject, content string) error {
	content, err := text.Lines("text", content, maxStaffNote)
	if err != nil {
		return err
	}
	if content == "" {
		return fault.InvalidField("text", "Please write the note.")
	}
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		member, err := selectNoteMember(ctx, tx, moderator, of)
		if err != nil {
			return err
		}
		cards, err := members.CardsForModerators(ctx, tx, []uuid.UUID{moderator})
		if err != nil {
			return err
		}
		inserted, err := insertStaffNote(ctx, tx, moderator, cards[moderator].FullName, id, member, of, content)
		if err != nil || !inserted {
			return err
		}
		return Audit(ctx, tx, moderator, "note.add", orNil(member), "A note for other moderators", map[string]any{"note": id, "on": of.Kind, "id": of.ID})
	})
}

func insertStaffNote(ctx context.Context, tx pgx.Tx, author uuid.UUID, name string, id uuid.UUID, member *uuid.UUID, of NoteSubject, content string) (inserted bool, err error) {
	var same bool
	err = tx.QueryRow(ctx, `
		INSERT INTO staff_notes AS n (id, user_id, case_kind, case_id, author_id, author_name, content)
		VALUES ($1, $2, nullif($3, 'member'), CASE WHEN $3 <> 'member' THEN $4::uuid END, $5, $6, $7)
		ON CONFLICT (id) DO UPDATE SET id = n.id
		RETURNING
			xmax = 0,
			author_id = $5
				AND content = $7
				AND case_kind IS NOT DISTINCT FROM nullif($3, 'member')
				AND coalesce(case_id, user_id) = $4::uuid`, id, member, of.Kind, of.ID, author, name, content).Scan(&inserted, &same)
	if err == nil && !same {
		return false, errIDInUse
	}
	return inserted, err
}

// selectNoteMember returns the member whom a subject is about, nil for an issue or a deleted account. It returns NotFound for an
// unknown subject, and for one that the moderator may not see: a case on which they may not decide, the own account and that of a
// match and, unless the moderator is an admin, an appeal and the account of somebody of the staff.
func selectNoteMember(ctx context.Context, db pg.DB, moderator uuid.UUID, of NoteSubject) (member *uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		WITH caller AS (
			SELECT is_admin
			FROM profiles
			WHERE id = @admin
		)
		SELECT p.id
		FROM profiles p
		WHERE @kind = 'member'
			AND p.id = @id
			AND p.id <> @admin
			AND p.id NOT IN (SELECT withheld_from(@admin))
			AND (NOT p.is_staff OR (SELECT is_admin FROM caller))
		UNION ALL
		SELECT r.reported_user_id
		FROM reports r
		WHERE @kind = 'report'
			AND r.id = @id
			AND `+mayDecideReport+`
		UNION ALL
		SELECT f.sender_id
		FROM message_flags f
		WHERE @kind = 'flag'
			AND f.message_id = @id
			AND `+isNoPartyOfFlag+`
		UNION ALL
		SELECT a.user_id
		FROM appeals a
		JOIN sanctions s ON s.id = a.sanction_id
		WHERE @kind = 'appeal'
			AND a.sanction_id = @id
			AND a.user_id <> @admin
			AND (SELECT is_admin FROM caller)
			AND `+maySeeAppeal, pgx.NamedArgs{"kind": of.Kind, "id": of.ID, "admin": moderator}).Scan(&member)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, errNoCase
	}
	return member, pg.Fault(err)
}

// staffNoteEnd is when a note is deleted, as long as a warning counts.
var staffNoteEnd = feature.After(365*feature.Day, "created_at", "it was written")
