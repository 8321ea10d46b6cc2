package moderation

import (
	"cmp"
	"strings"
	"time"

	"heartward/api/platform/fault"
)

// The specification's form of the admins' operations has neither a reason for the audit log nor an explanation for the
// member. Calls in that form get these. The dashboard uses the other form, and asks for both.
const (
	noReason       = "No reason was given."
	formWarning    = "A moderator has read a report about you. Please keep to the community rules."
	formSuspended  = "A moderator has read a report about you and decided that it breaks the community rules."
	formStatus     = "A moderator has decided that your account does not keep to the community rules."
	formReview     = "A moderator is going to look at your profile. Until then others do not see it."
	formSuspension = 7 * 24 * time.Hour
	reviewedByForm = "reviewed"
)

// ReasonOr returns the reason without surrounding spaces, or noReason if it is empty.
func ReasonOr(reason string) string {
	return cmp.Or(strings.TrimSpace(reason), noReason)
}

// statusWords returns the reason and the explanation of a change to a status, or the ones for the specification's form if
// the body has neither.
func statusWords(status string, b SanctionBody) (reason, explanation string) {
	if b.Reason != "" || b.Explanation != "" {
		return b.Reason, b.Explanation
	}
	return noReason, map[string]string{"suspended": formStatus, "under_review": formReview}[status]
}

// decision returns the decision of the body in either form. The specification's form has the new status of the report:
// reviewed warns the member, and resolved suspends the member for formSuspension. Its actionTaken is the reason.
func (in *decideReportInput) decision(byModerator bool, now time.Time) (Decision, error) {
	b := in.Body
	d := Decision{
		Action: b.Decision, SuspendedUntil: b.SuspendedUntil, Explanation: b.Explanation, Reason: b.Reason, Ground: b.Ground, ByModerator: byModerator, OpenedOnly: true, Parts: b.Parts,
	}
	switch {
	case (b.Decision == "") == (b.Status == ""):
		return d, fault.InvalidField("decision", "Please name either the decision or the new status.")
	case b.Decision != "":
		return d, nil
	}
	d.Reason = ReasonOr(cmp.Or(b.Reason, b.ActionTaken))
	if b.Status == reviewedByForm {
		d.Action, d.Explanation = Warn, cmp.Or(b.Explanation, formWarning)
		return d, nil
	}
	d.Action, d.Explanation = Suspend, cmp.Or(b.Explanation, formSuspended)
	if d.SuspendedUntil == nil {
		d.SuspendedUntil = new(now.Add(formSuspension))
	}
	return d, nil
}
