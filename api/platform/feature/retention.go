package feature

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"heartward/api/platform/pg"
)

// Day and Year are units of periods. A year has 365 days.
const (
	Day  = 24 * time.Hour
	Year = 365 * Day
)

// Retention says for how long the rows of a table, some of its columns, or a class of files are stored. Each table has an
// entry for its rows, and each column that refers to files has one for them. The clean-up, its dry run, the retention in
// docs/personal-data.md and the table in docs/security.md are made from the entries.
type Retention struct {
	Table   string
	Columns []string // emptied at the end, while the row stays; nil if the entry is about rows
	Files   string   // the column that refers to files, if the entry is about these

	What string // the data, for docs/security.md. It may be empty for data that ends with other data
	End  End
	Rows string // an SQL condition: the entry is about these rows only. Empty for all rows

	// Run deletes or empties what is due, at most limit things, and returns their number. Nil if the clean-up deletes the
	// rows. Its SQL has the condition of End.
	Run func(ctx context.Context, db pg.DB, limit int) (int, error)

	// ByOther says that another job or service deletes what is due, with the condition of End.
	ByOther bool
}

// End is the end of a retention.
type End struct {
	due    string // an SQL condition: the time is over. Empty if no time decides
	column string // the column, or SQL expression, from which the time counts
	period time.Duration
	isDate bool   // the column has dates
	parent string // the table with whose row it ends
	words  string
}

// After ends a period after the time in a column, or SQL expression. The words name that time, as in "the decision".
func After(period time.Duration, column, words string) End {
	return End{
		due:    fmt.Sprintf("%s < now() - interval '%d seconds'", column, int64(period.Seconds())),
		column: column, period: period, words: In(period) + " after " + words,
	}
}

// At ends at the time in a column, for rows that are inserted with their end. The words name that time.
func At(column, words string) End {
	return End{due: column + " < now()", column: column, words: words}
}

// AfterDays ends a number of days, in UTC, after the date in a column. 0 is the next day.
func AfterDays(days int, column, words string) End {
	return End{
		due:    fmt.Sprintf("%s < (now() AT TIME ZONE 'UTC')::date - %d", column, days),
		column: column, period: time.Duration(days+1) * Day, isDate: true, words: words, // from the beginning of the date
	}
}

// When ends as soon as the rows fulfil the condition in Retention.Rows.
func When(words string) End { return End{due: "true", words: words} }

// With ends when a row of another table is deleted, by a foreign key to it.
func With(table, words string) End { return End{parent: table, words: "with " + words} }

// WithAccount ends with the account of the member.
func WithAccount() End { return With("users", "the account") }

// ByAction ends by an action of a member or moderator, or by a rule that no time decides.
func ByAction(words string) End { return End{words: words} }

// ForEver never ends, for a reason.
func ForEver(because string) End { return End{words: "for ever: " + because} }

// Or returns the end with another one, by an action, which may come first.
func (e End) Or(words string) End {
	e.words += ", or " + words
	return e
}

// Due returns the SQL condition for rows whose time is over, and an empty string if no time decides.
func (e End) Due() string { return e.due }

// Period returns the column or SQL expression from which the time counts, the period, and whether the column has dates.
// The column is empty if no period decides.
func (e End) Period() (column string, period time.Duration, isDate bool) {
	return e.column, e.period, e.isDate
}

// Parent returns the table with whose row it ends, or an empty string.
func (e End) Parent() string { return e.parent }

// String returns the end in words.
func (e End) String() string { return e.words }

// In returns a period in words.
func In(period time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{Year, "year"}, {Day, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if n := period / unit.length; period%unit.length == 0 && n > 0 {
			if n == 1 {
				return "1 " + unit.name
			}
			return fmt.Sprintf("%d %ss", n, unit.name)
		}
	}
	return period.String()
}

// Name returns what the entry is about, as in "appeals: content".
func (r Retention) Name() string {
	switch {
	case r.Files != "":
		return r.Table + ": files of " + r.Files
	case len(r.Columns) > 0:
		return r.Table + ": " + strings.Join(r.Columns, ", ")
	default:
		return r.Table
	}
}

// where returns the SQL condition for what is due.
func (r Retention) where() string {
	if r.Rows == "" {
		return r.End.due
	}
	return "(" + r.Rows + ") AND " + r.End.due
}

// IsCleaned reports whether Clean deletes or empties something.
func (r Retention) IsCleaned() bool { return r.End.due != "" && !r.ByOther }

// Clean deletes or empties at most limit rows or files that are due, and returns their number. Locked rows are left for the
// next call.
func (r Retention) Clean(ctx context.Context, db pg.DB, limit int) (int, error) {
	if !r.IsCleaned() {
		return 0, errors.New("the clean-up does not delete " + r.Name())
	}
	if r.Run != nil {
		return r.Run(ctx, db, limit)
	}
	tag, err := db.Exec(ctx, fmt.Sprintf(`DELETE FROM %[1]s WHERE ctid = ANY (ARRAY(
		SELECT ctid FROM %[1]s WHERE %[2]s LIMIT %[3]d FOR UPDATE SKIP LOCKED))`, r.Table, r.where(), limit))
	return int(tag.RowsAffected()), err
}

// CountDue returns the number of rows that are due, or 0 if no time decides.
func (r Retention) CountDue(ctx context.Context, db pg.DB) (n int, err error) {
	if r.End.due == "" {
		return 0, nil
	}
	err = db.QueryRow(ctx, fmt.Sprintf(`SELECT count(*) FROM %s WHERE %s`, r.Table, r.where())).Scan(&n)
	return n, err
}
