package moderation_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// accuse reports a member for an urgent reason, and returns whether the report hides the profile.
func (w *env) accuse(by, of web.Actor) bool {
	w.Helper()
	return w.accuseOf(by, of, "threat")
}

func (w *env) accuseOf(by, of web.Actor, reason moderation.Reason) bool {
	w.Helper()
	in := urgent(of)
	in.Reason, in.Description = reason, uuid.NewString() // not a repetition
	receipt, err := w.s.Report(context.Background(), by, in)
	require.NoError(w, err)
	return w.Count(`SELECT count(*) FROM reports WHERE id = $1 AND hides_profile`, receipt.ID) == 1
}

// clear decides all open reports about a member without consequences.
func (w *env) clear(of web.Actor) {
	w.Helper()
	w.decideAll(of, moderation.NoAction)
	require.Equal(w, "active", w.status(of))
}

func (w *env) decideAll(of web.Actor, action string) {
	w.Helper()
	admin := w.Admin("Admin Moss")
	for _, id := range testkit.SelectAll[uuid.UUID](w, w.Pool, `SELECT id FROM reports WHERE reported_user_id = $1 AND status = 'pending'`, of.ID) {
		require.NoError(w, w.decide(admin, id, action))
	}
}

// credible returns a new member who may hide strangers.
func (w *env) credible(name string) web.Actor {
	w.Helper()
	of := w.Member(name)
	w.establish(of)
	return of
}

// Which reporters can hide a stranger: one case for each rule.
func TestReport_HidingNeedsCredibleReporter(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	request := func(from, to web.Actor) {
		_, err := w.request(from, to, "Hello")
		require.NoError(t, err)
	}
	unfounded := func(by web.Actor) {
		eve := w.Member("Eve Moss")
		w.accuse(by, eve)
		w.decideAll(eve, moderation.NoAction)
	}
	for name, c := range map[string]struct {
		before func(ann, bob web.Actor)
		hides  bool
	}{
		"a stranger with a new account": {func(_, _ web.Actor) {}, false},
		"a stranger with an old account": {func(ann, _ web.Actor) {
			w.Exec(`UPDATE users SET created_at = now() - interval '1 year' WHERE id = $1`, ann.ID)
		}, false},
		"a stranger, complete and old enough": {func(ann, _ web.Actor) { w.establish(ann) }, true},
		"a stranger, complete, 47 hours old": {func(ann, _ web.Actor) {
			w.establish(ann)
			w.Exec(`UPDATE users SET created_at = now() - interval '47 hours' WHERE id = $1`, ann.ID)
		}, false},
		"a new account, matched": {func(ann, bob web.Actor) { w.match(ann, bob) }, true},
		"a new account, unmatched since": {func(ann, bob web.Actor) {
			require.NoError(t, w.matching.Unmatch(t.Context(), bob, *w.match(ann, bob).MatchID))
		}, true},
		"a new account, to which the reported wrote": {func(ann, bob web.Actor) { request(bob, ann) }, true},
		"a new account, which wrote to the reported": {func(ann, bob web.Actor) { request(ann, bob) }, false},
		"a second stranger":                          {func(ann, _ web.Actor) { w.establish(ann); w.accuse(ann, w.Member("Eve Moss")) }, true},
		"after one unfounded report":                 {func(ann, _ web.Actor) { w.establish(ann); unfounded(ann) }, true},
		"after two unfounded reports":                {func(ann, _ web.Actor) { w.establish(ann); unfounded(ann); unfounded(ann) }, false},
		"after two unfounded reports, matched":       {func(ann, bob web.Actor) { unfounded(ann); unfounded(ann); w.match(ann, bob) }, false},
		"after two reports that were found to be true": {func(ann, _ web.Actor) {
			w.establish(ann)
			for range 2 {
				eve := w.Member("Eve Moss")
				w.accuse(ann, eve)
				w.decideAll(eve, moderation.Warn)
			}
		}, true},
		"beyond the daily limit, which alerts nobody": {func(ann, _ web.Actor) {
			w.establish(ann)
			for range 20 {
				w.report(ann, report(w.Member("Eve Moss")))
			}
		}, false},
		"about a member under review for another reason": {func(ann, bob web.Actor) {
			w.match(ann, bob)
			w.Exec(`UPDATE users SET profile_status = 'under_review' WHERE id = $1`, bob.ID)
		}, false},
	} {
		ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
		c.before(ann, bob)
		require.Equal(t, c.hides, w.accuse(ann, bob), name)
		require.Empty(t, w.visibleOn(ann, bob), "%s: the two do not see each other", name)
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports WHERE reporter_id = $1 AND reported_user_id = $2 AND priority = 0`, ann.ID, bob.ID), name)
	}
	// A suspended member stays suspended.
	ann, bob := w.credible("Ann Moss"), w.Member("Bob Moss")
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, bob.ID)
	require.True(t, w.accuse(ann, bob))
	require.Equal(t, "suspended", w.status(bob))
}

// A member whom a moderator has cleared is hidden again only by two who do not know each other, or by new evidence.
func TestReport_ClearedMemberIsHiddenByTwoStrangersOrNewEvidence(t *testing.T) { //nolint:tparallel // the subtests share the members
	t.Parallel()
	w := newEnv(t)
	cleared := func() web.Actor {
		bob := w.Member("Bob Moss")
		require.True(t, w.accuse(w.credible("Ann Moss"), bob))
		w.clear(bob)
		return bob
	}
	t.Run("four in a row", func(t *testing.T) {
		bob := cleared()
		for range 4 {
			require.False(t, w.accuse(w.credible("Ann Moss"), bob))
			w.clear(bob)
		}
		require.False(t, w.accuseOf(w.credible("Ann Moss"), bob, "underage"))
	})
	t.Run("two strangers", func(t *testing.T) {
		bob := cleared()
		require.False(t, w.accuse(w.credible("Ann Moss"), bob))
		require.True(t, w.accuse(w.credible("Eve Moss"), bob))
		require.Equal(t, "under_review", w.status(bob))
	})
	t.Run("one of them not credible", func(t *testing.T) {
		bob := cleared()
		require.False(t, w.accuse(w.Member("Ann Moss"), bob))
		require.False(t, w.accuse(w.credible("Eve Moss"), bob))
		require.True(t, w.accuse(w.credible("Fay Moss"), bob))
	})
	for name, meet := range map[string]func(ann, eve web.Actor){
		"matched": func(ann, eve web.Actor) { w.match(ann, eve) },
		"wrote":   func(ann, eve web.Actor) { _, err := w.request(ann, eve, "Hi"); require.NoError(t, err) },
		"invited": func(ann, eve web.Actor) {
			w.Exec(`INSERT INTO referrals (id, referrer_id, referred_user_id, referral_code, joined_at) VALUES (gen_random_uuid(), $1, $2, 'ABCDEF', now())`, eve.ID, ann.ID)
		},
		"same browser": func(ann, eve web.Actor) {
			w.Exec(`INSERT INTO known_browsers (user_id, browser_hash) SELECT id, sha256(convert_to($3::text, 'UTF8')) FROM users WHERE id IN ($1, $2)`, ann.ID, eve.ID, uuid.NewString())
		},
	} {
		t.Run("two who know each other: "+name, func(t *testing.T) {
			bob, ann, eve := cleared(), w.credible("Ann Moss"), w.credible("Eve Moss")
			meet(ann, eve)
			require.False(t, w.accuse(ann, bob))
			require.False(t, w.accuse(eve, bob))
		})
	}
	t.Run("new evidence", func(t *testing.T) {
		bob, ann := w.Member("Bob Moss"), w.Member("Ann Moss")
		w.match(ann, bob)
		require.NoError(t, w.send(bob, ann, "before"))
		require.True(t, w.accuse(w.credible("Eve Moss"), bob))
		w.clear(bob)
		fay := w.Member("Fay Moss")
		w.match(fay, bob)
		require.False(t, w.accuse(fay, bob), "a match is no evidence")
		require.NoError(t, w.send(bob, ann, "after"))
		require.True(t, w.accuse(ann, bob))
	})
	t.Run("after 30 days, and after a sanction", func(t *testing.T) {
		bob := cleared()
		w.Exec(`UPDATE reports SET reviewed_at = now() - interval '31 days' WHERE reported_user_id = $1`, bob.ID)
		require.True(t, w.accuse(w.credible("Ann Moss"), bob))
		w.clear(bob)
		require.False(t, w.accuse(w.credible("Ann Moss"), bob))
		w.decideAll(bob, moderation.Warn)
		require.True(t, w.accuse(w.credible("Ann Moss"), bob))
	})
}

// expire lets the hidings of a member end, as if their time was over, and runs their jobs.
func (w *env) expire(of web.Actor) {
	w.Helper()
	w.Exec(`UPDATE reports SET hides_until = now() WHERE reported_user_id = $1 AND hides_profile AND hides_until IS NOT NULL`, of.ID)
	for _, id := range testkit.SelectAll[uuid.UUID](w, w.Pool, `SELECT DISTINCT (args->>'reportId')::uuid FROM river_job WHERE kind = 'hiding_end'`) {
		require.NoError(w, w.s.EndHiding(context.Background(), id))
	}
}

// A hiding ends after 72 hours without a decision, counted from the first of several reports. The reports stay, and the
// same member is not hidden again by others before somebody decides, except for new evidence and age.
func TestEndHiding_ShowsProfileAfter72Hours(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	var changed []uuid.UUID
	w.s.WatchStatus(func(_ context.Context, id uuid.UUID) { changed = append(changed, id) })
	bob, friend := w.Member("Bob Moss"), w.Member("Friend Moss")
	w.match(friend, bob)
	ann := w.credible("Ann Moss")
	require.True(t, w.accuse(ann, bob))
	end := testkit.Select[time.Time](t, w.Pool, `SELECT hides_until FROM reports WHERE reported_user_id = $1`, bob.ID)
	require.WithinDuration(t, time.Now().Add(72*time.Hour), end, time.Minute)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'hiding_end' AND scheduled_at BETWEEN $1::timestamptz - interval '1 s' AND $1::timestamptz + interval '1 s'`, end))
	w.expireNothing(bob)

	w.Exec(`UPDATE reports SET hides_until = hides_until - interval '71 hours'`)
	require.True(t, w.accuse(w.credible("Eve Moss"), bob))
	require.Equal(t, 1, w.Count(`SELECT count(DISTINCT hides_until) FROM reports WHERE reported_user_id = $1`, bob.ID), "a second report does not prolong it")
	w.expire(bob)
	require.Equal(t, "active", w.status(bob))
	require.NotEmpty(t, w.visibleOn(friend, bob))
	require.Equal(t, bob.ID, changed[len(changed)-1])
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM reports WHERE reported_user_id = $1 AND status = 'pending' AND NOT hides_profile`, bob.ID))

	for range 3 {
		require.False(t, w.accuse(w.credible("Fay Moss"), bob), "nobody has decided")
	}
	require.False(t, w.accuse(ann, bob), "words of the reporter are no new evidence")
	require.NoError(t, w.send(bob, friend, "after"))
	require.True(t, w.accuse(friend, bob))
	w.expire(bob)
	require.True(t, w.accuseOf(w.credible("Gus Moss"), bob, "underage"))
	w.expire(bob)
	require.Equal(t, "under_review", w.status(bob), "the hiding of a member who may be under age does not end by itself")
	require.Zero(t, w.Count(`SELECT count(*) FROM reports WHERE reported_user_id = $1 AND reason = 'underage' AND hides_until IS NOT NULL`, bob.ID))
	w.clear(bob)
}

// expireNothing runs the jobs before the time, which do nothing.
func (w *env) expireNothing(of web.Actor) {
	w.Helper()
	for _, id := range testkit.SelectAll[uuid.UUID](w, w.Pool, `SELECT id FROM reports WHERE reported_user_id = $1`, of.ID) {
		require.NoError(w, w.s.EndHiding(context.Background(), id))
	}
	require.Equal(w, "under_review", w.status(of))
}

// A hidden member is informed once, without the name of the reporter, and can write one statement, which the moderator
// sees with each report.
func TestState_ReachesModeratorOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := t.Context()
	admin, ann, eve, bob := w.Admin("Admin Moss"), w.credible("Ann Moss"), w.credible("Eve Moss"), w.Member("Bob Moss")
	testkit.RequireKind(t, w.s.State(ctx, bob, "I did nothing."), fault.Conflict)
	require.True(t, w.accuse(ann, bob))
	require.True(t, w.accuse(eve, bob))
	require.Equal(t, []int{1, 1}, []int{
		w.Count(`SELECT count(*) FROM river_job WHERE kind = 'profile_hidden_mail'`), w.Count(`SELECT count(*) FROM river_job WHERE kind = 'profile_hidden'`),
	}, "not again by the second report")
	box := &mailbox{}
	report := testkit.Select[uuid.UUID](t, w.Pool, `SELECT (args->>'reportId')::uuid FROM river_job WHERE kind = 'profile_hidden_mail'`)
	send := func() {
		require.NoError(t, moderation.SendHidden(ctx, w.Pool, box, moderation.Office{Site: "https://heartward.test"}, moderation.HiddenMailArgs{ReportID: report}))
	}
	send()
	require.Equal(t, bob.ID.String()+"@example.test", box.mails[0].To)
	for _, word := range []string{"doesn't mean that you have done anything wrong", "If nobody has decided by", "https://heartward.test"} {
		require.Contains(t, oneLine(box.mails[0].Text), word)
	}
	for _, secret := range []string{"Ann", "Eve", "threat"} {
		require.NotContains(t, box.mails[0].Text, secret)
	}

	standing, err := w.s.Standing(ctx, bob)
	require.NoError(t, err)
	require.True(t, standing.UnderReport)
	require.WithinDuration(t, time.Now().Add(72*time.Hour), *standing.HiddenUntil, time.Minute)
	require.Nil(t, standing.Statement)
	testkit.RequireInvalid(t, w.s.State(ctx, bob, " "), "text")
	for range 2 {
		require.NoError(t, w.s.State(ctx, bob, "It was a line from a play."))
	}
	testkit.RequireKind(t, w.s.State(ctx, bob, "And another thing."), fault.Conflict)
	standing, err = w.s.Standing(ctx, bob)
	require.NoError(t, err)
	require.Equal(t, "It was a line from a play.", standing.Statement.Text)
	for _, id := range testkit.SelectAll[uuid.UUID](t, w.Pool, `SELECT id FROM reports WHERE reported_user_id = $1`, bob.ID) {
		opened, err := w.s.OpenReport(ctx, admin.ID, id, "To see")
		require.NoError(t, err)
		require.Equal(t, "It was a line from a play.", opened.Statement.Text)
	}
	w.clear(bob)
	send()
	require.Len(t, box.mails, 1, "no mail after the decision")
	w.Exec(`UPDATE reports SET reviewed_at = now() - interval '31 days'`)
	require.True(t, w.accuse(w.credible("Fay Moss"), bob))
	require.NoError(t, w.s.State(ctx, bob, "Again nothing."), "a later case has a statement of its own")
}

// The end of a hiding does not show a member who is leaving or banned.
func TestEndHiding_KeepsOtherReasons(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	bob := w.Member("Bob Moss")
	require.True(t, w.accuse(w.credible("Ann Moss"), bob))
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, bob.ID)
	w.expire(bob)
	require.Equal(t, "suspended", w.status(bob))
	_, err := members.EndSuspensions(t.Context(), w.Pool, 10)
	require.NoError(t, err)
	require.Equal(t, "suspended", w.status(bob))
}

// Also a member whose hiding has ended by itself learns of the decision, as the mail about the hiding says.
func TestDecideReport_TellsMemberWhoseHidingEnded(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	bob := w.Member("Bob Moss")
	require.True(t, w.accuse(w.credible("Ann Moss"), bob))
	w.expire(bob)
	require.Equal(t, "active", w.status(bob))
	w.clear(bob)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_outcome' AND NOT (args->>'toReporter')::boolean`))
}
