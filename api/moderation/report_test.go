package moderation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func report(of web.Actor) moderation.ReportInput {
	return moderation.ReportInput{UserID: of.ID, Reason: "harassment", Place: "conversation"}
}

// report reports a member. For an urgent reason the reporter may hide strangers.
func (w *env) report(by web.Actor, in moderation.ReportInput) moderation.ReportReceipt {
	w.Helper()
	if in.Reason == "threat" || in.Reason == "assault" || in.Reason == "underage" || in.Reason == "nonconsensual_images" {
		w.establish(by)
	}
	receipt, err := w.s.Report(context.Background(), by, in)
	require.NoError(w, err)
	return receipt
}

func (w *env) evidence(id uuid.UUID) (e moderation.Evidence) {
	w.Helper()
	raw := testkit.Select[[]byte](w, w.Pool, `SELECT evidence FROM reports WHERE id = $1`, id)
	require.NoError(w, json.Unmarshal(raw, &e))
	return e
}

func TestReport_CopiesEvidence(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	photo := uuid.Must(uuid.NewV7())
	w.Exec(`UPDATE users SET bio = 'Send me money', love_reflection = 'Love is cash' WHERE id = $1`, bob.ID)
	w.Exec(`INSERT INTO member_prompts (user_id, position, question, answer) VALUES ($1, 1, 'A perfect Sunday', 'At the bank')`, bob.ID)
	w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 1)`, photo, bob.ID)
	w.Exec(`INSERT INTO member_media (file_id, user_id, slot, position) VALUES ($1, $2, 'photo', 1)`, photo, bob.ID)
	_, err := w.matching.Like(context.Background(), bob, matching.LikeInput{To: ann.ID, Kind: matching.SuperLike, Comment: "Rich?"})
	require.NoError(t, err)
	w.like(ann, bob)
	for i := range 60 {
		from, to := ann, bob
		if i%2 == 1 {
			from, to = bob, ann
		}
		require.NoError(t, w.send(from, to, fmt.Sprint("message ", i+1)))
	}

	in := moderation.ReportInput{UserID: bob.ID, Reason: "scam", Place: "conversation", Description: "  He asks for money. "}
	receipt := w.report(ann, in)
	require.Equal(t, []any{1, true}, []any{receipt.Priority, receipt.Created})
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports WHERE id = $1 AND reporter_id = $2 AND reported_user_id = $3 AND reason = 'scam' AND priority = 1
		AND place = 'conversation' AND description = 'He asks for money.' AND status = 'pending' AND NOT over_limit`, receipt.ID, ann.ID, bob.ID))
	require.Empty(t, w.visibleOn(ann, bob))
	require.Empty(t, w.visibleOn(bob, ann))
	require.Len(t, w.published(bob, "unmatched"), 1)

	// Deleting the photo and the account does not change the evidence.
	w.Exec(`DELETE FROM files WHERE id = $1`, photo)
	w.Exec(`DELETE FROM users WHERE id = $1`, bob.ID)
	e := w.evidence(receipt.ID)
	require.Equal(t, bob.ID, e.Profile.ID)
	require.Equal(t, []string{"Bob", "Send me money", "Love is cash", "A perfect Sunday", "At the bank"},
		[]string{e.Profile.FirstName, e.Profile.Bio, e.Profile.LoveReflection, e.Profile.Prompts[0].Question, e.Profile.Prompts[0].Answer})
	require.Equal(t, []uuid.UUID{photo}, e.Profile.PhotoIDs)
	require.Equal(t, "Rich?", e.Like.Comment)
	require.Len(t, e.Messages, 50)
	for i, m := range e.Messages {
		require.Equal(t, int64(i+11), m.Seq, "the last 50 messages in order")
		require.Equal(t, fmt.Sprint("message ", i+11), m.Content)
		require.Equal(t, "text", m.Type)
		require.Equal(t, map[bool]uuid.UUID{true: bob.ID, false: ann.ID}[i%2 == 1], m.SenderID)
		require.WithinDuration(t, time.Now(), m.SentAt, time.Hour)
	}
}

func TestReport_SetsPriorityByReason(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.Member("Ann Moss")
	for reason, priority := range map[moderation.Reason]int{
		"underage": 0, "threat": 0, "assault": 0, "nonconsensual_images": 0, "scam": 1, "hate": 1,
		"harassment": 2, "fake_profile": 2, "not_single": 2, "inappropriate": 2, "spam": 2, "other": 2,
	} {
		in := report(w.Member("Bob Moss"))
		in.Reason = reason
		receipt := w.report(ann, in)
		require.Equal(t, priority, receipt.Priority, reason)
	}
}

// There is one open report of a member about another. Later ones are added to it, and can make it more urgent.
func TestReport_AddsToOpenReport(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann, eve, bob := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Eve Moss"), w.Member("Bob Moss")
	first := w.report(ann, report(bob))
	more := urgent(bob)
	more.Description = "He waited at my door."
	for range 2 {
		require.Equal(t, moderation.ReportReceipt{ID: first.ID}, w.report(ann, more), "a repetition adds nothing")
	}
	w.report(eve, report(bob))
	require.Equal(t, "under_review", w.status(bob))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_alert'`))
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM reports WHERE reported_user_id = $1`, bob.ID))
	opened, err := w.s.OpenReport(t.Context(), admin.ID, first.ID, "To see")
	require.NoError(t, err)
	require.Equal(t, []any{moderation.Reason("threat"), 0, true, 1}, []any{opened.Reason, opened.Priority, opened.HidesProfile, opened.OtherReports})
	require.Len(t, opened.Additions, 1)
	require.Equal(t, "He waited at my door.", opened.Additions[0].Description)
	require.Equal(t, bob.ID, opened.Additions[0].Evidence.Profile.ID)

	for n := range 19 {
		more.Description = fmt.Sprint("More ", n)
		w.report(ann, more)
	}
	more.Description = "Still more"
	_, err = w.s.Report(t.Context(), ann, more)
	testkit.RequireKind(t, err, fault.Conflict)
	require.NoError(t, w.decide(admin, first.ID, moderation.Warn))
	require.True(t, w.report(ann, more).Created, "after the decision there is a new report")
}

// A member who reports often counts as one reporter.
func TestOpenReport_CountsReportersNotReports(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann, eve, bob := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Eve Moss"), w.Member("Bob Moss")
	for n := range 3 {
		in := report(bob)
		in.Description = fmt.Sprint(n)
		require.NoError(t, w.decide(admin, w.report(ann, in).ID, moderation.NoAction))
	}
	opened, err := w.s.OpenReport(t.Context(), admin.ID, w.report(eve, report(bob)).ID, "To see")
	require.NoError(t, err)
	require.Equal(t, 1, opened.OtherReports)
	again := report(bob)
	again.Description = "again"
	opened, err = w.s.OpenReport(t.Context(), admin.ID, w.report(ann, again).ID, "To see")
	require.NoError(t, err)
	require.Equal(t, 1, opened.OtherReports, "the own reports do not count")
}

func TestReport_WorksAfterUnmatchAndOnceADay(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	match := w.match(ann, bob)
	require.NoError(t, w.send(bob, ann, "nasty words"))
	require.NoError(t, w.matching.Unmatch(context.Background(), bob, *match.MatchID))

	first := w.report(ann, report(bob))
	require.Equal(t, "nasty words", w.evidence(first.ID).Messages[0].Content, "unmatching does not delete messages")
	require.NoError(t, w.s.Unblock(context.Background(), ann, bob.ID))
	second := w.report(ann, report(bob))
	require.Equal(t, []any{first.ID, false}, []any{second.ID, second.Created}, "a repeated report within a day returns the first receipt")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM blocks`), "a repeated report blocks again")
	other := report(bob)
	other.Reason = "threat"
	require.Equal(t, moderation.ReportReceipt{ID: first.ID}, w.report(ann, other), "another reason is added")
	require.NotEqual(t, first.ID, w.report(bob, report(ann)).ID)
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM reports`))
	w.Exec(`UPDATE reports SET status = 'reviewed', action_taken = 'warn', reviewed_at = now()`)
	require.Equal(t, first.ID, w.report(ann, report(bob)).ID, "also after the decision")
	w.Exec(`UPDATE reports SET created_at = now() - interval '25 hours'`)
	require.True(t, w.report(ann, report(bob)).Created, "a new report after a day")
}

func TestReport_MarksReportsOverDailyLimit(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.Member("Ann Moss")
	var calls []func()
	for range 23 {
		bob := w.Member("Bob Moss")
		calls = append(calls, func() {
			_, err := w.s.Report(context.Background(), ann, report(bob))
			assert.NoError(t, err)
		})
	}
	concurrently(calls...)
	require.Equal(t, 20, w.Count(`SELECT count(*) FROM reports WHERE NOT over_limit`))
	require.Equal(t, 3, w.Count(`SELECT count(*) FROM reports WHERE over_limit`))
	w.Exec(`UPDATE reports SET created_at = now() - interval '25 hours'`)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports WHERE NOT over_limit AND id = $1`, w.report(ann, report(w.Member("Bob Moss"))).ID), "reports older than a day do not count")
}

func TestReport_RefusesInvalidDescriptions(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	for _, text := range []string{strings.Repeat("é", 2001), "a\x00b", "a\xffb"} {
		in := report(bob)
		in.Description = text
		_, err := w.s.Report(context.Background(), ann, in)
		testkit.RequireInvalid(t, err, "description")
	}
	require.Zero(t, w.Count(`SELECT count(*) FROM reports`)+w.Count(`SELECT count(*) FROM blocks`))
}

func TestDeleteOldEvidence_DeletesAfter90Days(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.Member("Ann Moss")
	ids := map[string]uuid.UUID{}
	for name, change := range map[string]string{
		"open":   "created_at = now() - interval '1 year'",
		"recent": "status = 'resolved', reviewed_at = now() - interval '89 days'",
		"old":    "status = 'resolved', reviewed_at = now() - interval '91 days'",
		"older":  "status = 'reviewed', reviewed_at = now() - interval '1 year'",
	} {
		ids[name] = w.report(ann, report(w.Member("Bob Moss"))).ID
		w.Exec(`UPDATE reports SET `+change+` WHERE id = $1`, ids[name])
	}
	for _, want := range []int{1, 1, 0} {
		deleted, err := moderation.DeleteOldEvidence(context.Background(), w.Pool, 1)
		require.NoError(t, err)
		require.Equal(t, want, deleted)
	}
	for name, id := range ids {
		require.Equal(t, name == "open" || name == "recent", w.Count(`SELECT count(*) FROM reports WHERE id = $1 AND evidence <> '{}'`, id) == 1, name)
	}
	require.Equal(t, 4, w.Count(`SELECT count(*) FROM reports`), "the rows of the reports are not deleted")
}

// The description of a report is deleted with the evidence. The explanation for the reported member stays, because the
// sanction has it too.
func TestDeleteOldTexts_DeletesWordsOfReports(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.Member("Ann Moss")
	old, pending := w.report(ann, report(w.Member("Bob Moss"))).ID, w.report(ann, report(w.Member("Cid Moss"))).ID
	w.Exec(`UPDATE reports SET description = 'words'`)
	w.Exec(`UPDATE reports SET status = 'resolved', reviewed_at = now() - interval '91 days', explanation = 'told' WHERE id = $1`, old)
	deleted, err := moderation.DeleteOldTexts(t.Context(), w.Pool, 10)
	require.NoError(t, err)
	require.Equal(t, 1, deleted)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports WHERE id = $1 AND description = '' AND explanation = 'told'`, old))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports WHERE id = $1 AND description = 'words'`, pending))
}

func TestAudit_IsAppendOnly(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, subject := w.Member("Admin Moss"), w.Member("Bob Moss")
	write := func(subject uuid.UUID, reason string, detail any) error {
		return pg.TxDo(context.Background(), w.Pool, func(tx pgx.Tx) error {
			return moderation.Audit(context.Background(), tx, admin.ID, "suspend", subject, reason, detail)
		})
	}
	for _, reason := range []string{"", "  \n", strings.Repeat("é", 501)} {
		err := write(subject.ID, reason, nil)
		testkit.RequireInvalid(t, err, "reason")
	}
	require.NoError(t, write(subject.ID, " Scam ", map[string]any{"report": 7}))
	require.NoError(t, write(uuid.Nil, "Weekly digest", nil))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE admin_id = $1 AND subject_id = $2 AND reason = 'Scam' AND detail = '{"report": 7}'`, admin.ID, subject.ID))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE subject_id IS NULL AND detail = '{}'`))
	for _, sql := range []string{`UPDATE audit_log SET reason = 'x'`, `DELETE FROM audit_log`, `TRUNCATE audit_log`} {
		_, err := w.Pool.Exec(context.Background(), sql)
		require.ErrorContains(t, err, "append-only")
	}
}
