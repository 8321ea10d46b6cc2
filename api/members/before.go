package members

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/text"
)

// Texts are the texts of a profile as a device knew them when the member began to change them. A device that was
// offline sends them with the change, so that it does not replace what another device has written since.
type Texts struct {
	Bio            *string       `json:"bio,omitempty"`
	LoveReflection *string       `json:"loveReflection,omitempty"`
	Occupation     *string       `json:"occupation,omitempty"`
	Prompts        *[]PromptText `json:"prompts,omitempty" maxItems:"3"`
}

// PromptText is a prompt without its recording.
type PromptText struct {
	Question string `json:"question" maxLength:"120"`
	Answer   string `json:"answer" maxLength:"250"`
}

// errChangedElsewhere returns Conflict with the field.
func errChangedElsewhere(field string) error {
	return fault.New(fault.Conflict, "You changed this on another device meanwhile.").WithCode("changed_elsewhere").WithField(field)
}

// lockUnchanged locks the member's row. It returns NotFound for an unknown member, and the error of checkBefore.
func (c Changes) lockUnchanged(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	if err := Lock(ctx, tx, id); err != nil {
		return err
	}
	return c.checkBefore(ctx, tx, id)
}

// checkBefore returns Conflict if a stored text is neither that of Before nor already the new one, as after a request
// whose response was lost. The caller must hold the lock of the member's row.
func (c Changes) checkBefore(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	if c.Before == nil {
		return nil
	}
	var bio, reflection, occupation string
	err := tx.QueryRow(ctx, `
		SELECT
			bio,
			love_reflection,
			occupation
		FROM users
		WHERE id = $1`, id).Scan(&bio, &reflection, &occupation)
	if err != nil {
		return err
	}
	for _, field := range []struct {
		name   string
		before *string
		stored string
		after  string
	}{
		{"bio", c.Before.Bio, bio, c.Bio.orZero()},
		{"loveReflection", c.Before.LoveReflection, reflection, c.LoveReflection.orZero()},
		{"occupation", c.Before.Occupation, occupation, c.Occupation.orZero()},
	} {
		if field.before == nil || field.stored == *field.before {
			continue
		}
		// A text that cannot be cleaned is refused with its field later.
		if after, err := text.Lines(field.name, field.after, maxUncleanText); err == nil && after != field.stored {
			return errChangedElsewhere(field.name)
		}
	}
	return c.checkPromptsBefore(ctx, tx, id)
}

// maxUncleanText is longer than every text of a profile: the table of fields has their limits.
const maxUncleanText = 10_000

func (c Changes) checkPromptsBefore(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	if c.Before.Prompts == nil {
		return nil
	}
	rows, _ := tx.Query(ctx, `
		SELECT
			question,
			answer
		FROM member_prompts
		WHERE user_id = $1
		ORDER BY position`, id)
	stored, err := pgx.CollectRows(rows, pgx.RowToStructByPos[PromptText])
	if err != nil || slices.Equal(stored, *c.Before.Prompts) {
		return err
	}
	prompts, err := cleanPrompts(c.Prompts.orZero())
	if err != nil {
		return err
	}
	isStored := slices.EqualFunc(stored, prompts, func(s PromptText, p PromptChange) bool {
		return s.Question == p.Question && s.Answer == p.Answer
	})
	if !isStored {
		return errChangedElsewhere("prompts")
	}
	return nil
}
