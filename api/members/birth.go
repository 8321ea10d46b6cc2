package members

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// birth is the birth date of a member.
type birth struct {
	day       time.Time
	exact     bool       // otherwise computed from an age
	changedAt *time.Time // when the member used up the one change
}

// age returns the age on the date of now in UTC. It is 18 for a member whose 18th birthday has begun in the own zone only.
func (b birth) age(now time.Time) int {
	today := now.UTC().Truncate(24 * time.Hour)
	age := today.Year() - b.day.Year()
	if b.day.After(yearsBefore(today, age)) {
		age--
	}
	return max(age, minAge)
}

// withAge returns the birth date that differs by whole years and gives the age. The same age gives the same date, so that a
// member cannot keep an age by sending it each year.
func (b birth) withAge(age int, now time.Time) time.Time {
	return yearsBefore(b.day, age-b.age(now))
}

// errBirthChange refuses a change that a person must look at first.
var errBirthChange = fault.InvalidField("birthDate",
	"Your birthday can change once, by at most a year. If it is wrong, ask us below, and a person looks at it.")

// checkChange returns Invalid for a second change of the birth date and for one of more than a year. It reports whether
// the change uses up the one change. Stating the date of an age for the first time does not; withdrawing a date does, so
// that a member cannot keep an age by stating another date each year.
func (b birth) checkChange(to birth, now time.Time) (counts bool, err error) {
	switch {
	case b.day.Equal(to.day):
		return b.exact && !to.exact, nil
	case b.changedAt != nil:
		return false, errBirthChange
	case !b.exact && b.age(now) == to.age(now):
		return false, nil
	case to.day.Before(b.day.AddDate(-1, 0, 0)) || to.day.After(b.day.AddDate(1, 0, 0)):
		return false, errBirthChange
	}
	return true, nil
}

// limitBirthChange applies checkChange in the transaction of the change.
func limitBirthChange(ctx context.Context, tx pgx.Tx, id uuid.UUID, before, after birth) error {
	counts, err := before.checkChange(after, time.Now())
	if err != nil || !counts {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE users SET birth_date_changed_at = coalesce(birth_date_changed_at, now()) WHERE id = $1`, id)
	return err
}

// CorrectBirthDate sets the birth date of a member after a person has looked at it. Another date ends the verification,
// which confirmed the earlier one. It returns Invalid for text that is not a date, and for the birth date of a minor.
func CorrectBirthDate(ctx context.Context, tx pgx.Tx, id uuid.UUID, date string) error {
	day, _, err := computeBirthDate(nil, &date, time.Now())
	if err != nil {
		return err
	}
	if err := Lock(ctx, tx, id); err != nil {
		return err
	}
	old, err := selectSensitive(ctx, tx, id)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE users SET birth_date = $2, birth_date_exact = true, updated_at = now() WHERE id = $1`, id, day); err != nil {
		return err
	}
	return endVerificationOfNewIdentity(ctx, tx, id, old.name, old.birth.day)
}

// Birth is the birth date of a member as a moderator may know it.
type Birth struct {
	Day      time.Time
	IsExact  bool // stated by the member; otherwise computed from an age
	JoinedAt time.Time
}

// BirthOf returns the birth date of a member, or NotFound.
func BirthOf(ctx context.Context, db pg.DB, id uuid.UUID) (b Birth, err error) {
	err = db.QueryRow(ctx, `SELECT birth_date, birth_date_exact, created_at FROM users WHERE id = $1`, id).Scan(&b.Day, &b.IsExact, &b.JoinedAt)
	return b, pg.Fault(err)
}

// CheckBirthDate returns the day of a date. It returns Invalid for text that is not a date, and for the birth date of a minor.
func CheckBirthDate(date string) (time.Time, error) {
	day, _, err := computeBirthDate(nil, &date, time.Now())
	return day, err
}

// AgeOn returns the age of a member born on day, on the date of now in UTC. It is at least 18, as all members are adults
// in their own zone.
func AgeOn(day, now time.Time) int { return birth{day: day}.age(now) }
