package moderation_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/web"
)

func (w *env) ownDecisions(of web.Actor) []moderation.OwnDecision {
	w.Helper()
	list, err := w.s.OwnDecisions(w.Context(), of)
	require.NoError(w, err)
	return list
}

// Every sanction has its statement of reasons: in the app, and the same sentences in the mail.
func TestReasons_AreStatedForEverySanction(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann := w.Admin("Admin Moss"), w.Member("Ann Moss")
	until := time.Now().Add(48 * time.Hour).UTC()
	reported := func(action string) func(bob web.Actor) error {
		return func(bob web.Actor) error { return w.decide(admin, w.report(ann, report(bob)).ID, action) }
	}
	for name, test := range map[string]struct {
		decide                     func(bob web.Actor) error
		scope, duration, rule, how string
	}{
		"warned after a report":    {reported(moderation.Warn), "Nothing is restricted", "It counts until", "to be kind", "A member reported you"},
		"suspended after a report": {reported(moderation.Suspend), "Your profile isn't shown", "Until ", "to be kind", "A member reported you"},
		"banned after a report":    {reported(moderation.Ban), "Your profile isn't shown", "For good.", "to be kind", "A member reported you"},
		"not of age":               {reported(moderation.NotOfAge), "Your profile isn't shown", "We delete the account on", "to be kind", "A member reported you"},
		"suspended": {func(bob web.Actor) error { return w.setStatus(admin, bob, "suspended", &until) },
			"Your profile isn't shown", "Until " + until.Format("January 2, 2006"), "our community rules", "A moderator looked at your account"},
		"put under review": {func(bob web.Actor) error { return w.setStatus(admin, bob, "under_review", nil) },
			"Your profile isn't shown", "Until a moderator ends it.", "our community rules", "A moderator looked at your account"},
		"warned for a rule": {func(bob web.Actor) error {
			return w.s.Warn(t.Context(), admin.ID, bob.ID, uuid.New(), "Please sell nothing.", "spam", "Seen")
		}, "Nothing is restricted", "It counts until", "against advertising", "A moderator looked at your account"},
	} {
		bob := w.Member("Bob Moss")
		require.NoError(t, test.decide(bob), name)
		own := w.ownDecisions(bob)
		require.Len(t, own, 1, name)
		reasons := own[0].Reasons
		require.NotNil(t, reasons, name)
		require.Contains(t, reasons.Scope, test.scope, name)
		require.Contains(t, reasons.Duration, test.duration, name)
		require.Contains(t, reasons.Ground, test.rule, name)
		require.Contains(t, reasons.Facts, test.how, name)
		require.Equal(t, "No program took part in the decision.", reasons.Automation, name)
		require.Contains(t, reasons.Redress, "appeal once", name)
		box := &mailbox{}
		if len(w.record(admin, bob).Reports) > 0 {
			require.NoError(t, moderation.SendOutcome(t.Context(), w.Pool, box, office, moderation.OutcomeArgs{ReportID: w.record(admin, bob).Reports[0].ID}))
		} else {
			require.NoError(t, moderation.SendSanction(t.Context(), w.Pool, box, office, moderation.SanctionArgs{SanctionID: own[0].ID}))
		}
		require.Len(t, box.mails, 1, name)
		for _, sentence := range []string{reasons.Scope, reasons.Duration, reasons.Ground, reasons.Facts, reasons.Automation, own[0].Explanation} {
			require.Contains(t, oneLine(box.mails[0].Text), sentence, name)
		}
	}
}

// The statement about what a program found says so, and names the rule of the category.
func TestReasons_SayThatAProgramTookPart(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann, bob := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Bob Moss")
	w.match(ann, bob)
	require.NoError(t, w.decideFlag(admin, w.sendFlagged(bob, ann, "send me money", "money"), moderation.Warn))
	reasons := w.ownDecisions(bob)[0].Reasons
	require.Contains(t, reasons.Ground, "against asking for money")
	require.Contains(t, reasons.Facts, "read a message you sent")
	require.Contains(t, reasons.Automation, "A program found it. A moderator made the decision.")
}

// A warning counts for a year; after that, and when it is taken back, it is listed as one that no longer counts.
func TestRecord_WarningsAge(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, bob := w.Admin("Admin Moss"), w.Member("Bob Moss")
	warn := func(age string) uuid.UUID {
		id := uuid.New()
		require.NoError(t, w.s.Warn(t.Context(), admin.ID, bob.ID, id, "Please be kind.", "", "Seen"))
		w.Exec(`UPDATE sanctions SET created_at = now() - $2::interval WHERE id = $1`, id, age)
		return id
	}
	aged, counts, taken := warn("1 year 1 day"), warn("11 months"), warn("1 day")
	require.NoError(t, w.s.Appeal(t.Context(), bob, taken, "It was not me."))
	require.NoError(t, w.decideAppeal(admin, taken, moderation.Lifted))
	record := w.record(admin, bob)
	require.Equal(t, 1, record.ActiveWarnings)
	active := map[uuid.UUID]bool{}
	for _, s := range record.Sanctions {
		if s.Kind == moderation.Warning {
			active[s.ID] = s.IsActive
			require.NotNil(t, s.CountsUntil)
		}
	}
	require.Equal(t, map[uuid.UUID]bool{aged: false, counts: true, taken: false}, active)
}

// A decision that an appeal or an admin takes back is not changed, but linked to the decision that took it back.
func TestReversal_IsALinkedDecision(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, bob, eve := w.Admin("Admin Moss"), w.Member("Bob Moss"), w.Member("Eve Moss")
	warning := uuid.New()
	require.NoError(t, w.s.Warn(t.Context(), admin.ID, bob.ID, warning, "Please be kind.", "", "Seen"))
	require.NoError(t, w.s.Appeal(t.Context(), bob, warning, "It was not me."))
	require.NoError(t, w.decideAppeal(admin, warning, moderation.Lifted))
	sanctions := w.record(admin, bob).Sanctions
	require.Len(t, sanctions, 2)
	require.Equal(t, []any{moderation.Reversal, "We looked again."}, []any{sanctions[0].Kind, sanctions[0].Explanation})
	require.Equal(t, []any{warning, "Please be kind.", &sanctions[0].ID}, []any{sanctions[1].ID, sanctions[1].Explanation, sanctions[1].ReversedBy})
	require.Equal(t, "active", w.status(bob))
	own := w.ownDecisions(bob)
	require.Equal(t, []any{&own[0].ID, own[0].CreatedAt}, []any{own[1].ReversedBy, *own[1].ReversedAt})
	require.Nil(t, own[0].Reasons, "nothing is restricted")

	require.NoError(t, w.setStatus(admin, eve, "suspended", nil))
	ban := w.appeal(eve)
	require.NoError(t, w.setStatus(admin, eve, "active", nil))
	sanctions = w.record(admin, eve).Sanctions
	require.Equal(t, moderation.Reinstatement, sanctions[0].Kind)
	require.Equal(t, []any{ban, &sanctions[0].ID, false}, []any{sanctions[1].ID, sanctions[1].ReversedBy, sanctions[1].IsActive})
	require.NoError(t, w.setStatus(admin, eve, "suspended", nil))
	require.True(t, w.record(admin, eve).Sanctions[0].IsActive)
	require.Nil(t, w.standing(eve).Sanction.ReversedBy)
}

// A reversal ends nothing but what it takes back: a suspension in force stays.
func TestReversal_LeavesOtherSanctionsInForce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, bob := w.Admin("Admin Moss"), w.Member("Bob Moss")
	warning := uuid.New()
	require.NoError(t, w.s.Warn(t.Context(), admin.ID, bob.ID, warning, "Please be kind.", "", "Seen"))
	require.NoError(t, w.setStatus(admin, bob, "suspended", nil))
	require.NoError(t, w.s.Appeal(t.Context(), bob, warning, "It was not me."))
	require.NoError(t, w.decideAppeal(admin, warning, moderation.Lifted))
	require.Equal(t, "suspended", w.status(bob))
	require.Equal(t, moderation.BanForGood, w.standing(bob).Sanction.Kind)
}
