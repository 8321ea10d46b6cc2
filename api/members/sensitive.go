package members

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
)

// sensitive is the values of a member whose changes have consequences: another name or birth
// date ends the verification, the birth date changes once, answers that searches use are
// rationed, and what the member hides is published.
type sensitive struct {
	name             string
	birth            birth
	religion, gender *string // the religion only if it counts

	hideOnline, hideReadReceipts bool
}

func selectSensitive(ctx context.Context, tx pgx.Tx, id uuid.UUID) (sensitive, error) {
	type row struct {
		FullName           string
		BirthDate          time.Time
		BirthDateExact     bool
		BirthDateChangedAt *time.Time
		CountedReligion    *string
		Gender             *string
		HideOnline         bool
		HideReadReceipts   bool
	}
	rows, _ := tx.Query(ctx, `
		SELECT
			u.full_name,
			u.birth_date,
			u.birth_date_exact,
			u.birth_date_changed_at,
			s.counted_religion,
			u.gender,
			u.hide_online,
			u.hide_read_receipts
		FROM users u
		JOIN search_members s ON s.id = u.id
		WHERE u.id = $1`, id)
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[row])
	return sensitive{
		name:     r.FullName,
		birth:    birth{day: r.BirthDate, exact: r.BirthDateExact, changedAt: r.BirthDateChangedAt},
		religion: r.CountedReligion, gender: r.Gender,
		hideOnline: r.HideOnline, hideReadReceipts: r.HideReadReceipts,
	}, err
}

// applyRules applies the consequences of changes since the values were read, in the
// transaction of the changes, so that a failed change does not count.
func (v sensitive) applyRules(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	now, err := selectSensitive(ctx, tx, id)
	if err != nil {
		return err
	}
	if err := religionRation.allow(ctx, tx, id, v.religion, now.religion); err != nil {
		return err
	}
	if err := genderRation.allow(ctx, tx, id, v.gender, now.gender); err != nil {
		return err
	}
	if err := limitBirthChange(ctx, tx, id, v.birth, now.birth); err != nil {
		return err
	}
	return endVerificationOfNewIdentity(ctx, tx, id, v.name, v.birth.day)
}

// A ration limits how many different answers to a question a member gives in 30 days. The
// answer of one member decides what searches show of others, so by trying several a member
// could find out theirs. docs/threat-model.md describes what remains.
type ration struct {
	changes, answer limits.Rule
	message         string
}

const rationPeriod = 30 * 24 * time.Hour

var (
	religionRation = ration{
		changes: limits.Rule{Name: "religion", Count: 1, Per: rationPeriod},
		answer:  limits.Rule{Name: "religion-answer", Count: 1, Per: rationPeriod},
		message: "The religion that counts can change once every 30 days. You can stop counting it at any time.",
	}
	genderRation = ration{
		changes: limits.Rule{Name: "gender", Count: 2, Per: rationPeriod},
		answer:  limits.Rule{Name: "gender-answer", Count: 1, Per: rationPeriod},
		message: "Your gender can change twice in 30 days. You can remove it at any time.",
	}
)

// allow counts the change from before to after. Removing an answer and returning to one
// of the last 30 days are not counted. It returns RateLimited for one answer too many.
func (r ration) allow(ctx context.Context, tx pgx.Tx, id uuid.UUID, before, after *string) error {
	if after == nil || before != nil && *before == *after {
		return nil
	}
	key := id.String() + " " + *after
	if given, err := limits.Reached(ctx, tx, r.answer, key); err != nil || given {
		return err
	}
	err := limits.Allow(ctx, tx, r.changes, id.String())
	if fault.Is(err, fault.RateLimited) {
		return fault.From(err).Saying(r.message)
	}
	if err != nil {
		return err
	}
	return limits.Allow(ctx, tx, r.answer, key)
}
