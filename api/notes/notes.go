// Package notes owns what members write about a match for themselves alone. The other member and admins never see it.
package notes

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// maxNote is the maximum length of a note, in characters.
const maxNote = 500

var editsPerMember = limits.Rule{Name: "notes", Count: 120, Per: time.Hour,
	Message: "You have changed many notes. Please try again a little later."}

// Service stores notes. It is safe for concurrent use.
type Service struct{ pool *pgxpool.Pool }

// New returns a Service. It panics when the pool is nil.
func New(pool *pgxpool.Pool) *Service {
	nilcheck.Must("notes.New", nilcheck.Deps{"pool": pool})
	return &Service{pool}
}

// Note is what a member wrote about a match.
type Note struct {
	Content  string     `json:"content" doc:"Empty without a note"`
	EditedAt *time.Time `json:"editedAt" nullable:"true" doc:"Null if there was never one"`
}

// Get returns the actor's note about a match. It returns NotFound for every other member, former matches included, so
// that the response does not show whether an account exists.
func (s *Service) Get(ctx context.Context, actor web.Actor, about uuid.UUID) (Note, error) {
	return selectNote(ctx, s.pool, actor.ID, about)
}

// Save stores the actor's note about a match and returns the stored note. age is the time since the actor wrote it: the
// edit that was written last wins, so if a newer one is stored, Save returns that one. An empty text deletes the note.
//
// An edit that reaches the server after the match has ended is stored, but Save returns NotFound.
//
// Errors: Invalid for a text of more than 500 characters; NotFound as from Get; RateLimited after 120 edits an hour.
func (s *Service) Save(ctx context.Context, actor web.Actor, about uuid.UUID, content string, age time.Duration) (Note, error) {
	content, err := text.Lines("content", content, maxNote)
	if err != nil {
		return Note{}, err
	}
	err = pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := limits.Allow(ctx, tx, editsPerMember, actor.ID.String()); err != nil {
			return err
		}
		return upsertNote(ctx, tx, actor.ID, about, content, age)
	})
	if err != nil {
		return Note{}, err
	}
	return selectNote(ctx, s.pool, actor.ID, about)
}

// selectNote returns NotFound for members who are no match now.
func selectNote(ctx context.Context, db pg.DB, member, about uuid.UUID) (note Note, err error) {
	err = db.QueryRow(ctx, `
		SELECT
			coalesce(n.content, ''),
			n.edited_at
		FROM match_sides m
		LEFT JOIN match_notes n ON n.member_id = m.member_id AND n.about_id = m.peer_id
		WHERE m.member_id = $1
			AND m.peer_id = $2
			AND m.unmatched_at IS NULL`, member, about).Scan(&note.Content, &note.EditedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return Note{}, fault.New(fault.NotFound, "We could not find that.")
	}
	if note.EditedAt != nil {
		*note.EditedAt = web.Time(*note.EditedAt)
	}
	return note, pg.Fault(err)
}

// upsertNote stores the note unless a newer one is stored or the members never matched.
func upsertNote(ctx context.Context, tx pgx.Tx, member, about uuid.UUID, content string, age time.Duration) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO match_notes AS n (member_id, about_id, content, edited_at)
		SELECT
			member_id,
			peer_id,
			$3,
			now() - $4::interval
		FROM match_sides
		WHERE member_id = $1
			AND peer_id = $2
		ON CONFLICT (member_id, about_id) DO UPDATE SET
			content = excluded.content,
			edited_at = excluded.edited_at
		WHERE n.edited_at <= excluded.edited_at`, member, about, content, age)
	return pg.Fault(err)
}
