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
// include all about its member, without notes on other cases that the moderator may not see. It returns NotFound for an unknown subject and for one that the moderator may not see, and Invalid
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
	notes, err := selectStaffNotes(ctx, s.pool, moderator, member, of, after, page.Limit+1)
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
// Errors: Invalid for an empty or invalid text; NotFound for an unknown subject and for one that the moderator may not see;
// Conflict for an id that another note has.
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

// selectStaffNotes returns the notes of StaffNotes after a position. member is nil for an issue or a deleted account.
func selectStaffNotes(ctx context.Context, db pg.DB, moderator uuid.UUID, member *uuid.UUID, of NoteSubject, after web.Cursor, limit int) ([]StaffNote, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			n.id,
			n.case_kind,
			n.case_id,
			n.author_name AS author,
			n.content AS text,
			n.created_at
		FROM staff_notes n
		WHERE (n.user_id = @member OR n.case_kind = @kind AND n.case_id = @id)
			AND (n.created_at, n.id) < (@at, @after)
			AND CASE n.case_kind
				WHEN 'report' THEN EXISTS (
					SELECT
					FROM reports r
					WHERE r.id = n.case_id
						AND `+mayDecideReport+`
				)
				WHEN 'flag' THEN EXISTS (
					SELECT
					FROM message_flags f
					WHERE f.message_id = n.case_id
						AND `+isNoPartyOfFlag+`
				)
				WHEN 'appeal' THEN EXISTS (
					SELECT
					FROM sanctions s
					WHERE s.id = n.case_id
						AND `+mayNoteAppeal+`
				)
				ELSE true
			END
		ORDER BY n.created_at DESC, n.id DESC
		LIMIT @limit`, pgx.NamedArgs{
		"admin": moderator, "member": member, "kind": of.Kind, "id": of.ID, "at": after.At, "after": after.ID, "limit": limit,
	})
	return pgx.CollectRows(rows, pgx.RowToStructByName[StaffNote])
}

func insertStaffNote(ctx context.Context, tx pgx.Tx, author uuid.UUID, name string, id uuid.UUID, member *uuid.UUID, of NoteSubject, content string) (inserted bool, err error) {
	var same bool
	err = tx.QueryRow(ctx, `
		INSERT INTO staff_notes AS n (
			id,
			user_id,
			case_kind,
			case_id,
			author_id,
			author_name,
			content
		)
		VALUES (
			@id,
			@member,
			nullif(@kind, 'member'),
			CASE WHEN @kind <> 'member' THEN @subject::uuid END,
			@author,
			@name,
			@content
		)
		ON CONFLICT (id) DO UPDATE SET id = n.id
		RETURNING
			xmax = 0,
			author_id = @author
				AND content = @content
				AND case_kind IS NOT DISTINCT FROM nullif(@kind, 'member')
				AND coalesce(case_id, user_id) = @subject::uuid`, pgx.NamedArgs{
		"id": id, "member": member, "kind": of.Kind, "subject": of.ID, "author": author, "name": name, "content": content,
	}).Scan(&inserted, &same)
	if err == nil && !same {
		return false, errIDInUse
	}
	return inserted, err
}

// mayNoteAppeal is an SQL condition: @admin, who may be a moderator, may read and write notes on the appeal against sanction s.
const mayNoteAppeal = `(SELECT caller.is_admin FROM profiles caller WHERE caller.id = @admin)
			AND ` + maySeeAppeal

// selectNoteMember returns the member whom a subject is about, nil for an issue or a deleted account. It returns NotFound for an
// unknown subject, and for one that the moderator may not see: a case on which they may not decide, the own account and, while
// another admin can decide, that of a match and, unless the moderator is an admin, an appeal and the account of somebody of the staff.
func selectNoteMember(ctx context.Context, db pg.DB, moderator uuid.UUID, of NoteSubject) (member *uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		SELECT p.id
		FROM profiles p
		WHERE @kind = 'member'
			AND p.id = @id
			AND p.id <> @admin
			AND NOT (
				p.id IN (SELECT withheld_from(@admin))
				AND another_can_judge(@admin, ARRAY[p.id])
			)
			AND (
				NOT p.is_staff
				OR (SELECT caller.is_admin FROM profiles caller WHERE caller.id = @admin)
			)
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
			AND `+mayNoteAppeal, pgx.NamedArgs{"kind": of.Kind, "id": of.ID, "admin": moderator}).Scan(&member)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, errNoCase
	}
	return member, pg.Fault(err)
}

// staffNoteEnd is when a note is deleted, as long as a warning counts.
var staffNoteEnd = feature.After(365*feature.Day, "created_at", "it was written")
