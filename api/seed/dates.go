package seed

import (
	"time"

	"github.com/google/uuid"

	"heartward/api/dates"
)

// Lines of a story that propose and accept its date.
const (
	proposal   = "@proposal"
	acceptance = "@acceptance"
)

// plannedDate is a date of a story, the given number of days from now, at the full hour.
type plannedDate struct {
	place, note string
	days, hour  int
}

const demoZone = "America/Los_Angeles"

// demoLocation returns the time zone of the demo members.
func demoLocation() *time.Location {
	zone, err := time.LoadLocation(demoZone)
	if err != nil {
		panic(err) // the time zones are embedded
	}
	return zone
}

// at returns the time of the date.
func (d plannedDate) at(now time.Time) time.Time {
	zone := demoLocation()
	day := now.In(zone).AddDate(0, 0, d.days)
	return time.Date(day.Year(), day.Month(), day.Day(), d.hour, 0, 0, 0, zone)
}

// plan applies one step of a date, and returns the text of its message: a call with agreed unset proposes the date, and the
// next call, with agreed set, accepts it. by is the member who takes the step, seq that of the message.
func (w *dataset) plan(d *plannedDate, id, conversation, by uuid.UUID, seq int, at time.Time, agreed bool) string {
	plan := dates.Plan{Place: d.place, Note: d.note, At: d.at(w.now).UTC(), TimeZone: demoZone}
	if !agreed {
		w.dates = append(w.dates, []any{id, conversation, by, w.id(at), plan.Place, plan.Note, plan.At, plan.TimeZone, "proposed", 1,
			by, at, by, nil, seq, at, at})
		return plan.Line("Proposed a date")
	}
	// status, revision, changed_by, accepted_at, message_seq and updated_at of dateColumns
	row := w.dates[len(w.dates)-1]
	row[8], row[9], row[12], row[13], row[14], row[16] = "accepted", 2, by, at, seq, at
	return plan.Line("Said yes to the date")
}
