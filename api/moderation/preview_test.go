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

func (w *env) preview(by web.Actor, kind string, id uuid.UUID, decision string, d moderation.Decision) (moderation.DecisionPreview, error) {
	return w.s.Preview(w.Context(), by, moderation.PreviewInput{Kind: kind, ID: id, Decision: decision, Details: d})
}

// The previewed texts equal those that the decision sends, and the preview changes nothing.
func TestPreview_IsWhatTheDecisionDoes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.s.ContactAt(office.Contact, "")
	w.s.SiteAt(office.Site + "/")
	admin, ann := w.Admin("Admin Moss"), w.Member("Ann Moss")
	admin.Admin = true
	until := new(time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond))
	for action, effect := range map[string]string{
		moderation.NoAction: "The profile is shown again.",
		moderation.Warn:     "A warning is stored.",
		moderation.Suspend:  "Signed out at once: 1 device.",
		moderation.Ban:      "can't be used for another account",
		moderation.NotOfAge: "We delete the account on",
	} {
		bob := w.Member("Bob Moss")
		w.establish(ann)
		id := w.report(ann, urgent(bob)).ID
		w.session(bob)
		d := moderation.Decision{Reason: "Seen"}
		if action != moderation.NoAction {
			d.Explanation = "You threatened someone."
		}
		if action == moderation.Suspend {
			d.SuspendedUntil = until
		}
		stored := func() []int {
			return []int{w.Count(`SELECT count(*) FROM sanctions`), w.Count(`SELECT count(*) FROM river_job`), w.Count(`SELECT count(*) FROM audit_log`)}
		}
		before := stored()
		preview, err := w.preview(admin, "report", id, action, d)
		require.NoError(t, err, action)
		require.Equal(t, before, stored(), action)
		require.Equal(t, "under_review", w.status(bob), action)
		require.Contains(t, oneLine(join(preview.Effects)), effect, action)
		require.Len(t, preview.Mails, 2, action)

		d.Action = action
		require.NoError(t, w.s.DecideReport(t.Context(), admin.ID, id, d), action)
		for _, previewed := range preview.Mails {
			box := &mailbox{}
			require.NoError(t, moderation.SendOutcome(t.Context(), w.Pool, box, office, moderation.OutcomeArgs{ReportID: id, ToReporter: previewed.To == "reporter"}))
			require.Equal(t, []string{box.mails[0].Subject, box.mails[0].Text}, []string{previewed.Subject, previewed.Text}, action)
		}
	}
}

func join(sentences []string) (text string) {
	for _, s := range sentences {
		text += s + " "
	}
	return text
}

func TestPreview_OfMembersFlagsAndAppeals(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann, bob := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Bob Moss")
	admin.Admin = true
	moderator := w.Member("Mo Moss", testkit.Columns{"is_moderator": true})
	explained := moderation.Decision{Explanation: "Please be kind.", Ground: "spam"}
	for decision, effect := range map[string]string{
		"warn": "A warning is stored.", "ban": "The profile is hidden", "review": "Until a moderator ends it.",
	} {
		preview, err := w.preview(admin, "member", bob.ID, decision, explained)
		require.NoError(t, err, decision)
		require.Contains(t, join(preview.Effects), effect, decision)
		require.Len(t, preview.Mails, 1)
		require.Contains(t, preview.Mails[0].Text, "against advertising")
	}
	w.match(ann, bob)
	flag := w.sendFlagged(bob, ann, "an insult", "harassment")
	preview, err := w.preview(moderator, "flag", flag, "dismiss", moderation.Decision{})
	require.NoError(t, err)
	require.Empty(t, preview.Mails)
	preview, err = w.preview(moderator, "flag", flag, "warn", explained)
	require.NoError(t, err)
	require.Len(t, preview.Mails, 1)

	require.NoError(t, w.setStatus(admin, bob, "suspended", nil))
	appeal := w.appeal(bob)
	preview, err = w.preview(admin, "appeal", appeal, "lifted", explained)
	require.NoError(t, err)
	require.Contains(t, join(preview.Effects), "The profile is shown again.")
	require.Contains(t, preview.Mails[0].Text, "We have taken the decision back")
	require.Equal(t, "suspended", w.status(bob))
}

// The preview refuses what the decision refuses.
func TestPreview_Refusals(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, bob := w.Admin("Admin Moss"), w.Member("Bob Moss")
	admin.Admin = true
	moderator := w.Member("Mo Moss", testkit.Columns{"is_moderator": true})
	for _, test := range []struct {
		by             web.Actor
		kind, decision string
		id             uuid.UUID
		kindOfError    fault.Kind
	}{
		{admin, "member", "warn", bob.ID, fault.Invalid},
		{admin, "member", "upheld", bob.ID, fault.Invalid},
		{admin, "report", "ban", uuid.New(), fault.Invalid},
		{admin, "report", "no_action", uuid.New(), fault.NotFound},
		{admin, "flag", "dismiss", uuid.New(), fault.NotFound},
		{moderator, "appeal", "lifted", uuid.New(), fault.Forbidden},
		{moderator, "member", "reinstate", bob.ID, fault.Forbidden},
		{moderator, "member", "reinstate", moderator.ID, fault.Forbidden},
	} {
		_, err := w.preview(test.by, test.kind, test.id, test.decision, moderation.Decision{})
		testkit.RequireKind(t, err, test.kindOfError)
	}
}

// The preview of a warning has the text in the form in which it is stored.
func TestPreview_OfWarningCleansTheText(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, bob := w.Admin("Admin Moss"), w.Member("Bob Moss")
	clean, err := w.preview(admin, "member", bob.ID, moderation.Warn, moderation.Decision{Explanation: "Please be kind."})
	require.NoError(t, err)
	require.Len(t, clean.Mails, 1)
	typed, err := w.preview(admin, "member", bob.ID, moderation.Warn, moderation.Decision{Explanation: "  Please be kind. "})
	require.NoError(t, err)
	require.Equal(t, clean.Mails, typed.Mails)
}
