package moderation_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

// A moderator cannot decide on a report, flag or appeal, or ask for the age, unless they have opened it within the last
// day; that another moderator did is not enough. A repeated decision needs no opening.
func TestDecide_NeedsThatTheCaseWasOpened(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, other, ann, bob := w.Admin("Admin Moss"), w.Admin("Otto Moss"), w.Member("Ann Moss"), w.Member("Bob Moss")
	w.match(ann, bob)
	flag := w.sendFlagged(bob, ann, "an insult", "harassment")
	report := w.report(ann, moderation.ReportInput{UserID: bob.ID, Reason: "spam", Place: "profile"}).ID
	require.NoError(t, w.setStatus(other, bob, "suspended", nil))
	appeal := w.appeal(bob)
	minor := urgent(w.Member("Max Moss"))
	minor.Reason = "underage"
	age := w.report(w.credible("Eve Moss"), minor).ID
	for name, test := range map[string]struct {
		open   func(by uuid.UUID) error
		decide func(by uuid.UUID) error
	}{
		"report": {
			func(by uuid.UUID) error { _, err := w.s.OpenReport(t.Context(), by, report, "To see"); return err },
			func(by uuid.UUID) error {
				return w.s.DecideReport(t.Context(), by, report, moderation.Decision{Action: moderation.NoAction, Reason: "Seen", OpenedOnly: true})
			},
		},
		"flag": {
			func(by uuid.UUID) error { _, err := w.s.OpenFlag(t.Context(), by, flag, "To see"); return err },
			func(by uuid.UUID) error {
				return w.s.DecideFlag(t.Context(), by, flag, moderation.Decision{Action: moderation.Dismiss, Reason: "Seen", OpenedOnly: true})
			},
		},
		"age check": {
			func(by uuid.UUID) error { _, err := w.s.OpenReport(t.Context(), by, age, "To see"); return err },
			func(by uuid.UUID) error { return w.s.AskAge(t.Context(), by, age, "Looks young") },
		},
		"appeal": {
			func(by uuid.UUID) error { _, err := w.s.OpenAppeal(t.Context(), by, appeal, "To see"); return err },
			func(by uuid.UUID) error {
				return w.s.DecideAppeal(t.Context(), by, appeal, moderation.AppealDecision{Outcome: moderation.Upheld, Explanation: "It stays.", Reason: "Read", OpenedOnly: true})
			},
		},
	} {
		requireUnopened := func(err error) {
			t.Helper()
			testkit.RequireKind(t, err, fault.Conflict)
			require.Equal(t, "open_first", fault.From(err).Code, name)
		}
		requireUnopened(test.decide(admin.ID))
		if name != "appeal" { // the other one decided on the sanction
			require.NoError(t, test.open(other.ID), name)
			w.Exec(`DELETE FROM queue_claims`)
			requireUnopened(test.decide(admin.ID))
		}
		require.NoError(t, test.open(admin.ID), name)
		w.ageAudit()
		requireUnopened(test.decide(admin.ID))
		require.NoError(t, test.open(admin.ID), name)
		require.NoError(t, test.decide(admin.ID), name)
		w.ageAudit()
		require.NoError(t, test.decide(admin.ID), "a repetition of %s", name)
	}
}

// ageAudit makes the rows of the audit log a day old.
func (w *env) ageAudit() {
	w.Helper()
	w.Exec(`ALTER TABLE audit_log DISABLE TRIGGER USER`)
	w.Exec(`UPDATE audit_log SET created_at = created_at - interval '1 day'`)
	w.Exec(`ALTER TABLE audit_log ENABLE TRIGGER USER`)
}
