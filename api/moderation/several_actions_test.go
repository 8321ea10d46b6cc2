package moderation_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// decide makes a decision of an admin on the report of the removable member.
func (w *removable) decide(by web.Actor, d moderation.Decision) error {
	d.Explanation, d.Reason = "This doesn't belong on a profile.", "Seen"
	return w.s.DecideReport(w.Context(), by.ID, w.report, d)
}

// One decision removes parts of the profile and warns, suspends or bans: there is one sanction with one statement of reasons, one mail,
// and one appeal, which takes both back.
func TestDecide_RemovesPartsAndSanctionsAtOnce(t *testing.T) {
	t.Parallel()
	end := time.Now().Add(48 * time.Hour).UTC().Truncate(time.Microsecond)
	for action, expected := range map[string]struct {
		until        *time.Time
		kind         moderation.SanctionKind
		scope, mail  string
		status, name string
	}{
		moderation.Warn:    {nil, moderation.Warning, "Nothing is restricted.", "This is a warning, and we have removed parts of your profile", "active", "warned"},
		moderation.Suspend: {&end, moderation.Suspension, "Your profile isn't shown", ", and we have removed parts of your profile", "suspended", "suspended"},
		moderation.Ban: {
			nil, moderation.BanForGood, "Your profile isn't shown", "Your account is suspended for good, and we have removed parts of your profile", "suspended", "banned",
		},
	} {
		t.Run(action, func(t *testing.T) {
			t.Parallel()
			w := newRemovable(t)
			by := w.Admin("Otto Moss")
			by.Admin = true
			both := moderation.Decision{Action: action, SuspendedUntil: expected.until, Parts: w.parts(), Explanation: "This doesn't belong on a profile."}
			preview, err := w.preview(by, "report", w.report, action, both)
			require.NoError(t, err)
			require.Contains(t, join(preview.Effects), "Nobody sees these parts of the profile from now on: photo 1, video greeting, the answer to “A perfect Sunday”, bio.")
			require.Len(t, preview.Mails, 2, "to the member and to the reporter")
			require.NotEmpty(t, w.profile().Bio, "the preview changes nothing")

			require.NoError(t, w.decide(by, both))
			require.NoError(t, w.decide(by, both), "a repetition")
			alone := both
			alone.Parts = nil
			err = w.decide(by, alone)
			testkit.RequireKind(t, err, fault.Conflict)
			require.Contains(t, err.Error(), expected.name+" and removed parts of the profile")
			require.Empty(t, w.profile().Bio)
			require.Equal(t, expected.status, w.status(w.bob))
			require.Equal(t, 1, w.Count(`SELECT count(*) FROM sanctions WHERE user_id = $1`, w.bob.ID))
			require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_outcome' AND args->>'toReporter' = 'false'`))
			require.Zero(t, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'sanction'`))
			require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'report.' || $1 AND detail->>'removesParts' = 'true'`, action))
			box := &mailbox{}
			require.NoError(t, moderation.SendOutcome(t.Context(), w.Pool, box, office, moderation.OutcomeArgs{ReportID: w.report}))
			require.Len(t, box.mails, 1)
			require.Contains(t, oneLine(box.mails[0].Text), expected.mail)
			require.Contains(t, oneLine(box.mails[0].Text), "photo 1, video greeting")

			decision := w.onlyDecision()
			require.Equal(t, expected.kind, decision.Kind)
			require.Equal(t, []string{"photo 1", "video greeting", "the answer to “A perfect Sunday”", "bio"}, decision.Parts)
			require.Contains(t, decision.Reasons.Scope, expected.scope)
			require.Contains(t, decision.Reasons.Scope, "These parts of your profile aren't shown anymore: photo 1")
			require.Contains(t, decision.Reasons.Duration, "put them back if an appeal is granted")

			require.NoError(t, w.s.Appeal(t.Context(), w.bob, decision.ID, "It is art."))
			preview, err = w.preview(w.asAdmin(), "appeal", decision.ID, "lifted", moderation.Decision{Explanation: "You are right."})
			require.NoError(t, err)
			require.Contains(t, join(preview.Effects), "Put back on the profile: bio, photo 1")
			require.NoError(t, w.decideAppeal(w.admin, decision.ID, moderation.Lifted))
			require.Equal(t, "active", w.status(w.bob))
			require.Equal(t, "Call me at 555", w.profile().Bio)
			require.Len(t, w.profile().Photos, 2)
			require.Equal(t, 1, w.Count(`SELECT count(*) FROM sanctions WHERE id = $1 AND reversed_by IS NOT NULL`, decision.ID))
			require.Zero(t, w.Count(`SELECT count(*) FROM removed_parts`))
		})
	}
}

// onlyDecision returns the only decision about the member, as they see it.
func (w *removable) onlyDecision() moderation.OwnDecision {
	w.Helper()
	decisions, err := w.s.OwnDecisions(w.Context(), w.bob)
	require.NoError(w, err)
	require.Len(w, decisions, 1)
	return decisions[0]
}

// The removal can be appealed after the suspension beside it has ended, and the appeal then puts the parts back. After a reinstatement,
// which has put them back, there is nothing to appeal.
func TestDecide_RemovalOutlastsTheSuspension(t *testing.T) {
	t.Parallel()
	for _, isReinstated := range []bool{false, true} {
		w := newRemovable(t)
		suspension := moderation.Decision{Action: moderation.Suspend, SuspendedUntil: new(time.Now().Add(time.Hour)), Parts: w.parts()}
		require.NoError(t, w.decide(w.Admin("Otto Moss"), suspension))
		id := w.onlyDecision().ID
		if isReinstated {
			require.NoError(t, w.setStatus(w.admin, w.bob, "active", nil))
			require.Equal(t, "Call me at 555", w.profile().Bio)
			testkit.RequireKind(t, w.s.Appeal(t.Context(), w.bob, id, "It is art."), fault.Conflict)
			continue
		}
		w.Exec(`UPDATE sanctions SET suspended_until = now() - interval '1 second'`)
		w.Exec(`UPDATE users SET suspended_until = now() - interval '1 second' WHERE id = $1`, w.bob.ID)
		require.True(t, w.onlyDecision().MayAppeal)
		require.Empty(t, w.profile().Bio)
		require.NoError(t, w.s.Appeal(t.Context(), w.bob, id, "It is art."))
		require.NoError(t, w.decideAppeal(w.admin, id, moderation.Lifted))
		require.Equal(t, "Call me at 555", w.profile().Bio)
	}
}

// A decision that cannot remove parts, or of whose parts none is left, changes nothing.
func TestDecide_RefusesPartsThatItCannotRemove(t *testing.T) {
	t.Parallel()
	w := newRemovable(t)
	for _, action := range []string{moderation.NoAction, moderation.NotOfAge} {
		d := moderation.Decision{Action: action, Parts: w.parts(), Reason: "Seen"}
		if action != moderation.NoAction {
			d.Explanation = "You are young."
		}
		testkit.RequireInvalid(t, w.s.DecideReport(t.Context(), w.admin.ID, w.report, d), "parts")
	}
	warning := moderation.Decision{Action: moderation.Warn, Parts: w.parts(), Explanation: "Be kind.", Reason: "Seen"}
	testkit.RequireInvalid(t, w.s.DecideFlag(t.Context(), w.admin.ID, uuid.New(), warning), "parts")
	_, err := w.preview(w.asAdmin(), "member", w.bob.ID, moderation.Warn, warning)
	testkit.RequireInvalid(t, err, "parts")

	w.Exec(`UPDATE users SET bio = 'New' WHERE id = $1`, w.bob.ID)
	warning.Parts = w.parts()[3:]
	testkit.RequireKind(t, w.s.DecideReport(t.Context(), w.admin.ID, w.report, warning), fault.Conflict)
	require.Zero(t, w.Count(`SELECT count(*) FROM sanctions`))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports WHERE status = 'pending'`))
}
