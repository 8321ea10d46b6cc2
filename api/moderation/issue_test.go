package moderation_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func issue(kind string) moderation.Issue {
	return moderation.Issue{Kind: kind, Description: "The page does not load.", Client: "192.0.2.1", LimitScale: 1}
}

// An issue waits in the queue of the reports, and is closed with an answer, which its reporter gets by mail: a
// member at the own address, a visitor at the given one, if there is one.
func TestReportIssue_IsAnsweredByMail(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann := w.Admin("Admin Moss"), w.Member("Ann Moss")
	byMember, byVisitor, silent := issue("technical"), issue("safety"), issue("other")
	byMember.Address, byVisitor.Address = "ignored@example.test", " Vera@Example.test "
	ids := []uuid.UUID{}
	for i, in := range []moderation.Issue{byMember, byVisitor, silent} {
		reporter := uuid.Nil
		if i == 0 {
			reporter = ann.ID
		}
		receipt, err := w.s.ReportIssue(t.Context(), reporter, in)
		require.NoError(t, err)
		require.Equal(t, i < 2, receipt.Answered)
		ids = append(ids, receipt.ID)
	}
	queued, _, err := w.s.Reports(t.Context(), admin.ID, "pending", "", "", 50)
	require.NoError(t, err)
	require.Len(t, queued, 3)
	require.Equal(t, ids[1], queued[0].ID, "safety first")
	require.Equal(t, "issue", queued[0].Source)
	require.Equal(t, "safety", *queued[0].IssueKind)
	require.Nil(t, queued[0].ReportedUser)
	opened, err := w.s.OpenReport(t.Context(), admin.ID, ids[1], "To read")
	require.NoError(t, err)
	require.Equal(t, "The page does not load.", opened.Description)
	require.Equal(t, "Vera@Example.test", *opened.ReporterAddress)
	require.Nil(t, opened.Evidence)

	warn := moderation.Decision{Action: moderation.Warn, Explanation: "No", Reason: "Seen"}
	require.Equal(t, "decision", fault.From(w.s.DecideReport(t.Context(), admin.ID, ids[0], warn)).Field)
	box := &mailbox{}
	for _, id := range ids {
		require.NoError(t, w.s.DecideReport(t.Context(), admin.ID, id, moderation.Decision{Action: moderation.NoAction, Explanation: "It loads again.", Reason: "Fixed"}))
		require.NoError(t, moderation.SendOutcome(t.Context(), w.Pool, box, office, moderation.OutcomeArgs{ReportID: id, ToReporter: true}))
	}
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_outcome'`), "none without an address")
	require.Len(t, box.mails, 2)
	require.Equal(t, ann.ID.String()+"@example.test", box.mails[0].To)
	require.Equal(t, "Vera@Example.test", box.mails[1].To)
	for _, message := range box.mails {
		require.Contains(t, message.Text, "It loads again.")
		require.Equal(t, "About the issue you reported", message.Subject)
	}
	require.Contains(t, box.mails[0].Text, "Hi Ann,")
	require.Contains(t, box.mails[1].Text, "Hi there,")
	require.Equal(t, 3, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'report.no_action'`))

	w.SetPreference(ann.ID, "privateMail", true)
	require.NoError(t, moderation.SendOutcome(t.Context(), w.Pool, box, office, moderation.OutcomeArgs{ReportID: ids[0], ToReporter: true}))
	require.NotContains(t, box.mails[2].Text, "It loads again.")
	require.Contains(t, oneLine(box.mails[2].Text), "Please write to "+office.Contact+" again")

	w.Exec(`UPDATE reports SET reviewed_at = now() - interval '91 days'`)
	deleted, err := moderation.DeleteOldTexts(t.Context(), w.Pool, 10)
	require.NoError(t, err)
	require.Equal(t, 3, deleted)
	require.Zero(t, w.Count(`SELECT count(*) FROM reports WHERE description <> '' OR explanation <> '' OR reporter_address IS NOT NULL`))
}

func TestReportIssue_ChecksAndLimits(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for field, change := range map[string]func(*moderation.Issue){
		"description": func(in *moderation.Issue) { in.Description = "Short  " },
		"email":       func(in *moderation.Issue) { in.Address = "a..b@docomo.example" },
	} {
		in := issue("other")
		change(&in)
		_, err := w.s.ReportIssue(t.Context(), uuid.Nil, in)
		require.Equal(t, field, fault.From(err).Field)
	}
	in := issue("other")
	in.Description = strings.Repeat("a", 2001)
	_, err := w.s.ReportIssue(t.Context(), uuid.Nil, in)
	require.Equal(t, "description", fault.From(err).Field)
	for range 5 {
		_, err := w.s.ReportIssue(t.Context(), uuid.Nil, issue("other"))
		require.NoError(t, err)
	}
	_, err = w.s.ReportIssue(t.Context(), uuid.Nil, issue("other"))
	testkit.RequireKind(t, err, fault.RateLimited)
	elsewhere := issue("other")
	elsewhere.Client = "192.0.2.2"
	_, err = w.s.ReportIssue(t.Context(), uuid.Nil, elsewhere)
	require.NoError(t, err)
	ann := w.Member("Ann Moss")
	for range 10 {
		_, err := w.s.ReportIssue(t.Context(), ann.ID, issue("other"))
		require.NoError(t, err)
	}
	_, err = w.s.ReportIssue(t.Context(), ann.ID, issue("other"))
	testkit.RequireKind(t, err, fault.RateLimited)
}

// Issues do not count as reports about members: neither in the time to action nor in the reporter's history.
func TestReportIssue_IsNoReportAboutMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann, bob := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Bob Moss")
	for range 3 {
		receipt, err := w.s.ReportIssue(t.Context(), ann.ID, issue("technical"))
		require.NoError(t, err)
		require.NoError(t, w.s.DecideReport(t.Context(), admin.ID, receipt.ID, moderation.Decision{Action: moderation.NoAction, Reason: "Seen"}))
	}
	n, err := moderation.CountReports(t.Context(), w.Pool, web.StartCursor.At.AddDate(-9000, 0, 0), web.StartCursor.At)
	require.NoError(t, err)
	require.Zero(t, n)
	opened, err := w.s.OpenReport(t.Context(), admin.ID, w.report(ann, urgent(bob)).ID, "To see")
	require.NoError(t, err)
	require.Zero(t, opened.Unfounded)
}
