package moderation_test

import (
	"context"
	"io"
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

func (w *env) endSuspensions() {
	w.Helper()
	_, err := members.EndSuspensions(context.Background(), w.Pool, 100)
	require.NoError(w, err)
}

func (w *env) reportQueue(admin web.Actor, size int) (list []moderation.QueuedReport) {
	w.Helper()
	for cursor := ""; ; {
		page, next, err := w.s.Reports(context.Background(), admin.ID, "pending", "", cursor, size)
		require.NoError(w, err)
		require.LessOrEqual(w, len(page), size)
		list = append(list, page...)
		if cursor = next; next == "" {
			return list
		}
	}
}

func TestReports_SortsAndPages(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann := w.Admin("Admin Moss"), w.Member("Ann Moss")
	by := func(reason moderation.Reason) uuid.UUID {
		bob := w.Member("Bob Moss")
		w.Exec(`UPDATE users SET bio = 'my words' WHERE id = $1`, bob.ID)
		in := urgent(bob)
		in.Reason = reason
		in.Description = "private words"
		return w.report(ann, in).ID
	}
	spam, scam, threat, assault, hate, late := by("spam"), by("scam"), by("threat"), by("assault"), by("hate"), by("threat")
	closed := by("threat")
	w.Exec(`UPDATE reports SET over_limit = true WHERE id = $1`, late)
	require.NoError(t, w.decide(admin, closed, moderation.NoAction))
	w.report(admin, report(w.Member("Bob Moss")))
	w.report(w.Member("Bob Moss"), report(admin))
	for _, size := range []int{1, 4, 50} {
		var got []uuid.UUID
		for _, r := range w.reportQueue(admin, size) {
			got = append(got, r.ID)
			require.Equal(t, []string{"Ann", "Bob", ""}, []string{r.Reporter.FirstName, r.ReportedUser.FirstName, r.ReportedUser.Bio})
			require.Equal(t, map[int]time.Duration{0: time.Hour, 1: 24 * time.Hour, 2: 72 * time.Hour}[r.Priority], r.DueAt.Sub(r.CreatedAt))
		}
		require.Equal(t, []uuid.UUID{threat, assault, scam, hate, spam, late}, got, "pages of %d", size)
	}
	require.True(t, w.reportQueue(admin, 50)[0].HidesProfile)
	_, _, err := w.s.Reports(context.Background(), admin.ID, "pending", "", "nonsense", 1)
	testkit.RequireKind(t, err, fault.Invalid)
	w.Exec(`DELETE FROM users WHERE id = $1`, ann.ID)
	require.Nil(t, w.reportQueue(admin, 50)[0].Reporter)
}

// Each access to a report and its files needs a reason and is recorded. Contents are shown
// only until the decision.
func TestOpenReport_RecordsEachAccess(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	admin, ann, bob := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Bob Moss")
	w.match(ann, bob)
	require.NoError(t, w.send(bob, ann, "a threat"))
	photo := w.addFile(bob, "photo")
	picture, _ := w.sendPicture(bob, ann, "")
	in := urgent(bob)
	in.Description = "He threatened me."
	id := w.report(ann, in).ID
	require.NoError(t, w.members.DeletePhoto(ctx, bob.ID, photo))
	w.runCleanup()

	_, err := w.s.OpenReport(ctx, admin.ID, id, " ")
	require.Equal(t, "reason", fault.From(err).Field)
	for _, actor := range []web.Actor{ann, bob} {
		_, err = w.s.OpenReport(ctx, actor.ID, id, "My own")
		testkit.RequireKind(t, err, fault.NotFound)
	}
	_, err = w.s.OpenReport(ctx, admin.ID, uuid.New(), "To see")
	testkit.RequireKind(t, err, fault.NotFound)
	require.Zero(t, w.Count(`SELECT count(*) FROM audit_log`)+w.Count(`SELECT count(*) FROM reports WHERE opened_at IS NOT NULL`))

	r, err := w.s.OpenReport(ctx, admin.ID, id, "To see")
	require.NoError(t, err)
	require.Equal(t, []any{"He threatened me.", "a threat", "Bob", bob.ID}, []any{r.Description, r.Evidence.Messages[0].Content, r.Evidence.Profile.FirstName, r.ReportedUser.ID})
	require.Len(t, r.Files, 2)
	require.Equal(t, []any{photo, "photo", picture, r.Evidence.Messages[1].ID}, []any{r.Files[0].ID, *r.Files[0].Slot, r.Files[1].ID, *r.Files[1].MessageID})
	require.Equal(t, "/api/admin/reports/"+id.String()+"/files/"+photo.String()+"/full.webp", r.Files[0].URL)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'report.open' AND admin_id = $1 AND subject_id = $2 AND reason = 'To see'`, admin.ID, bob.ID))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports WHERE id = $1 AND opened_at IS NOT NULL`, id))

	open := func(by, file uuid.UUID, variant string) error {
		found, err := w.s.OpenReportedFile(ctx, by, id, file, variant)
		if err != nil {
			return err
		}
		content, err := found.Range(ctx, 0, -1)
		require.NoError(t, err)
		defer content.Close()
		raw, err := io.ReadAll(content)
		require.NoError(t, err)
		require.Equal(t, "picture", string(raw))
		return nil
	}
	other := w.Admin("Admin Moss")
	require.Equal(t, "open_first", fault.From(open(other.ID, photo, "full.webp")).Code, "only the other admin has opened it")
	testkit.RequireKind(t, open(bob.ID, photo, "full.webp"), fault.NotFound)
	testkit.RequireKind(t, open(admin.ID, uuid.New(), "full.webp"), fault.NotFound)
	testkit.RequireKind(t, open(admin.ID, photo, "media.mp4"), fault.NotFound)
	require.Zero(t, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'report.file'`))
	for _, file := range []uuid.UUID{photo, picture} {
		require.NoError(t, open(admin.ID, file, "full.webp"))
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'report.file' AND reason = 'To see' AND subject_id = $1 AND detail->>'file' = $2`, bob.ID, file.String()))
	}

	require.NoError(t, w.decide(admin, id, moderation.Warn))
	testkit.RequireKind(t, open(admin.ID, photo, "full.webp"), fault.NotFound)
	r, err = w.s.OpenReport(ctx, admin.ID, id, "An appeal")
	require.NoError(t, err)
	require.Equal(t, []any{"", "warn", "You threatened someone.", "reviewed"}, []any{r.Description, *r.ActionTaken, r.Explanation, r.Status})
	require.Nil(t, r.Evidence)
	require.Empty(t, r.Files)
}

// After the end of a suspension, the member can sign in and is shown again,
// unless another report hides the profile.
func TestEndSuspensions_ReinstatesMembers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin := w.Admin("Admin Moss")
	free, hidden, banned, later := w.Member("Free Moss"), w.Member("Hidden Moss"), w.Member("Banned Moss"), w.Member("Later Moss")
	for _, m := range []web.Actor{free, hidden, later} {
		require.NoError(t, w.decide(admin, w.report(w.Member("Ann Moss"), urgent(m)).ID, moderation.Suspend))
	}
	require.NoError(t, w.decide(admin, w.report(w.Member("Ann Moss"), urgent(banned)).ID, moderation.Ban))
	w.report(w.Member("Eve Moss"), urgent(hidden))
	w.Exec(`UPDATE users SET suspended_until = now() - interval '1 s' WHERE id IN ($1, $2)`, free.ID, hidden.ID)
	w.endSuspensions()
	require.Equal(t, []string{"active", "under_review", "suspended", "suspended"},
		[]string{w.status(free), w.status(hidden), w.status(banned), w.status(later)})
	require.Zero(t, w.Count(`SELECT count(*) FROM users WHERE id IN ($1, $2) AND suspended_until IS NOT NULL`, free.ID, hidden.ID))
}
