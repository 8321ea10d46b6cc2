package moderation

import (
	"time"

	"heartward/api/members"
	"heartward/api/platform/fault"
)

// maxModeratorSuspension is the longest suspension that a moderator can decide: 30 days, and an
// hour for clocks that differ.
const maxModeratorSuspension = 30*24*time.Hour + time.Hour

// checkModeratorSuspension returns an error unless a moderator may suspend a member until a
// time: within 30 days, and without ending a longer suspension or a review by an admin.
func checkModeratorSuspension(before members.Standing, until *time.Time, now time.Time) error {
	switch {
	case until == nil:
		return errForAdmins
	case until.After(now.Add(maxModeratorSuspension)):
		return fault.InvalidField("suspendedUntil", "A moderator can suspend for at most 30 days.")
	case before.Status == "suspended" && (before.SuspendedUntil == nil || before.SuspendedUntil.After(*until)):
		return errForAdmins
	case before.Status == "under_review" && !before.UnderReport:
		return errForAdmins
	}
	return nil
}
