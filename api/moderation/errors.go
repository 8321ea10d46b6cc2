package moderation

import "heartward/api/platform/fault"

// ErrOpenFirst is the error for a decision on what the moderator has not opened.
var ErrOpenFirst = fault.Declare("open_first", fault.Conflict, "Please open it first.")

// The errors for a decision that the caller may not make. The app skips such an entry when it decides on several.
var (
	// errForAnotherAdmin is for the caller's own cases, for those of a match, and for an appeal against the caller's own decision.
	errForAnotherAdmin = fault.Declare("for_another_admin", fault.Forbidden, "This case concerns you, so another admin has to decide on it.")
	// errForAdmins is for a decision of a moderator that only an admin may make.
	errForAdmins = fault.Declare("for_admins", fault.Forbidden, "Only an admin can decide this.")
)

var (
	errNoCase      = fault.New(fault.NotFound, "We could not find that.") // also for a case that is hidden from the caller
	errNoMember    = fault.New(fault.NotFound, "We could not find that member.")
	errAccountGone = fault.New(fault.Conflict, "This account is gone.")
	errIDInUse     = fault.New(fault.Conflict, "That id is in use.")

	errNoExplanation = fault.InvalidField("explanation", "Please explain the decision to the member.")
	errNoDecision    = fault.InvalidField("decision", "Please choose a decision.")
	errEndAlone      = fault.InvalidField("suspendedUntil", "Only a suspension has an end.")
	// errPartsAlone is for a decision with parts of the profile that is not about a report.
	errPartsAlone = fault.InvalidField("parts", "Parts of the profile are removed by a decision on a report.")
)
