package moderation_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// A report about an admin or a moderator is for another admin: the reported one and moderators neither find nor open nor decide on it.
func TestReport_AboutStaffIsForAnotherAdmin(t *testing.T) {
	t.Parallel()
	for name, role := range map[string]string{"an admin": "is_admin", "a moderator": "is_moderator"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss", testkit.Columns{role: true})
			admin, moderator := w.Admin("Admin Moss"), w.Member("Mo Moss", testkit.Columns{"is_moderator": true})
			id := w.report(ann, moderation.ReportInput{UserID: bob.ID, Reason: "harassment", Place: "profile"}).ID
			w.report(ann, moderation.ReportInput{UserID: w.Member("Eve Moss").ID, Reason: "spam", Place: "profile"})
			for _, refused := range []web.Actor{bob, moderator} {
				require.Len(t, w.reportQueue(refused, 10), 1, "only that about Eve")
				counts, err := w.s.CountReports(t.Context(), refused.ID)
				require.NoError(t, err)
				require.Equal(t, 1, counts.Pending)
				_, err = w.s.OpenReport(t.Context(), refused.ID, id, "To see")
				testkit.RequireKind(t, err, fault.NotFound)
			}
			dismiss := moderation.Decision{Action: moderation.NoAction, Reason: "Seen", ByModerator: true}
			testkit.RequireKind(t, w.s.DecideReport(t.Context(), moderator.ID, id, dismiss), fault.Forbidden)
			testkit.RequireKind(t, w.s.DecideReport(t.Context(), bob.ID, id, dismiss), fault.Forbidden)
			require.Len(t, w.reportQueue(admin, 10), 2)
			_, err := w.s.OpenReport(t.Context(), admin.ID, id, "To see")
			require.NoError(t, err)
			dismiss.ByModerator = false
			require.NoError(t, w.s.DecideReport(t.Context(), admin.ID, id, dismiss))
		})
	}
}

// A report about a member who becomes an admin or a moderator before the decision is for another admin from then on, also for the
// moderator who has opened it. One about somebody who leaves the team stays with the admins, because it was filed about a colleague.
func TestReport_AboutSomebodyWhoJoinsOrLeavesTheStaff(t *testing.T) {
	t.Parallel()
	for name, roles := range map[string][2]string{
		"becomes a moderator": {"is_moderator = false", "is_moderator = true"},
		"becomes an admin":    {"is_admin = false", "is_admin = true"},
		"leaves the staff":    {"is_moderator = true", "is_moderator = false"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			ann, bob, admin, moderator := w.Member("Ann Moss"), w.Member("Bob Moss"), w.Admin("Admin Moss"), w.Member("Mo Moss", testkit.Columns{"is_moderator": true})
			w.Exec(`UPDATE users SET `+roles[0]+` WHERE id = $1`, bob.ID)
			id := w.report(ann, moderation.ReportInput{UserID: bob.ID, Reason: "harassment", Place: "profile"}).ID
			if name != "leaves the staff" {
				_, err := w.s.OpenReport(t.Context(), moderator.ID, id, "To see")
				require.NoError(t, err)
				w.Exec(`DELETE FROM queue_claims`)
			}
			w.Exec(`UPDATE users SET `+roles[1]+` WHERE id = $1`, bob.ID)

			require.Empty(t, w.reportQueue(moderator, 10))
			require.Zero(t, w.Count(`SELECT count(*) FROM reports_waiting WHERE NOT for_admins`))
			_, err := w.s.OpenReport(t.Context(), moderator.ID, id, "To see")
			testkit.RequireKind(t, err, fault.NotFound)
			warn := moderation.Decision{Action: moderation.Warn, Explanation: "Be kind.", Reason: "Seen", ByModerator: true, OpenedOnly: true}
			testkit.RequireKind(t, w.s.DecideReport(t.Context(), moderator.ID, id, warn), fault.Forbidden)

			require.Len(t, w.reportQueue(admin, 10), 1)
			_, err = w.s.OpenReport(t.Context(), admin.ID, id, "To see")
			require.NoError(t, err)
			warn.ByModerator = false
			require.NoError(t, w.s.DecideReport(t.Context(), admin.ID, id, warn))
		})
	}
}

// Somebody outside learns of the pending reports about a member who becomes the only admin.
func TestEnqueueStaffReports_TellsOfReportsFromBefore(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	id := w.report(ann, moderation.ReportInput{UserID: bob.ID, Reason: "harassment", Place: "profile"}).ID
	w.report(bob, moderation.ReportInput{UserID: w.Member("Eve Moss").ID, Reason: "spam", Place: "profile"})
	require.Zero(t, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'staff_report'`))
	w.Exec(`UPDATE users SET is_admin = true WHERE id = $1`, bob.ID)
	for range 2 {
		require.NoError(t, pg.TxDo(t.Context(), w.Pool, func(tx pgx.Tx) error {
			return moderation.EnqueueStaffReports(t.Context(), tx, w.jobs, bob.ID)
		}))
	}
	require.Equal(t, []string{id.String()}, testkit.SelectAll[string](t, w.Pool, `SELECT args->>'reportId' FROM river_job WHERE kind = 'staff_report'`))
	box := &mailbox{}
	require.NoError(t, moderation.SendStaffReport(t.Context(), w.Pool, box, "outside@example.test", moderation.StaffReportArgs{ReportID: id}))
	require.Len(t, box.mails, 1)
}

// When nobody in the team can decide, somebody outside is told once that a report waits, and nothing of it.
func TestSendStaffReport_TellsTheOutsideContactIfThereIsNoOtherAdmin(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Admin("Bob Moss")
	id := w.report(ann, moderation.ReportInput{UserID: bob.ID, Reason: "harassment", Description: "He writes at night.", Place: "profile"}).ID
	other := w.report(ann, moderation.ReportInput{UserID: w.Member("Eve Moss").ID, Reason: "spam", Place: "profile"}).ID
	require.Equal(t, []string{id.String()}, testkit.SelectAll[string](t, w.Pool, `SELECT args->>'reportId' FROM river_job WHERE kind = 'staff_report'`))
	sent := func(report uuid.UUID, outside string) []mail.Message {
		box := &mailbox{}
		require.NoError(t, moderation.SendStaffReport(t.Context(), w.Pool, box, outside, moderation.StaffReportArgs{ReportID: report}))
		return box.mails
	}
	require.Empty(t, sent(id, ""), "no contact is configured")
	require.Empty(t, sent(other, "outside@example.test"), "it is about a member")
	mails := sent(id, "outside@example.test")
	require.Len(t, mails, 1)
	require.Equal(t, "outside@example.test", mails[0].To)
	require.Contains(t, oneLine(mails[0].Text), "heartward admin grant")
	for _, secret := range []string{"Ann", "Bob", "at night"} {
		require.NotContains(t, mails[0].Text, secret)
	}
	suspended := w.Admin("Sue Moss")
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, suspended.ID)
	require.Len(t, sent(id, "outside@example.test"), 1, "a suspended admin cannot decide")
	w.Admin("Ada Moss")
	require.Empty(t, sent(id, "outside@example.test"), "another admin can")
}

// A finding of a check about somebody of the staff is a report about the staff like one of a member: it stays with the admins
// when its member leaves the team, and somebody outside is told of it.
func TestReviewPicture_OfStaffIsForAnotherAdmin(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	bob, moderator := w.Member("Bob Moss", testkit.Columns{"is_moderator": true}), w.Member("Mo Moss", testkit.Columns{"is_moderator": true})
	e, _ := pictureEndpoint(t, map[string]string{"odd": flaggedResponse, "rude": flaggedResponse})
	external := w.external(e)
	require.NoError(t, external.ReviewPicture(t.Context(), w.addPicture(bob, "photo", "odd")))
	require.NoError(t, external.ReviewPicture(t.Context(), w.addPicture(bob, "photo", "rude")))
	id := testkit.Select[string](t, w.Pool, `SELECT id FROM reports`)
	require.Equal(t, []string{id}, testkit.SelectAll[string](t, w.Pool, `SELECT args->>'reportId' FROM river_job WHERE kind = 'staff_report'`))
	w.Exec(`UPDATE users SET is_moderator = false WHERE id = $1`, bob.ID)
	require.Empty(t, w.reportQueue(moderator, 10))
	require.Len(t, w.reportQueue(w.Admin("Admin Moss"), 10), 1)
}

// A moderator does not learn how a report about the staff was decided.
func TestDecideReport_AboutStaffTellsModeratorsNothing(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob, admin := w.Member("Ann Moss"), w.Member("Bob Moss", testkit.Columns{"is_moderator": true}), w.Admin("Admin Moss")
	moderator := w.Member("Mo Moss", testkit.Columns{"is_moderator": true})
	id := w.report(ann, report(bob)).ID
	require.NoError(t, w.decide(admin, id, moderation.Warn))
	dismiss := moderation.Decision{Action: moderation.NoAction, Reason: "Seen", ByModerator: true}
	warn := moderation.Decision{Action: moderation.Warn, Explanation: "You threatened someone.", Reason: "Seen", ByModerator: true}
	for _, guess := range []moderation.Decision{dismiss, warn} {
		require.Equal(t, "for_admins", fault.From(w.s.DecideReport(t.Context(), moderator.ID, id, guess)).Code)
		_, err := w.s.Preview(t.Context(), moderator, moderation.PreviewInput{Kind: "report", ID: id, Decision: guess.Action, Details: guess})
		require.Equal(t, "for_admins", fault.From(err).Code)
	}
	require.Equal(t, "for_another_admin", fault.From(w.s.DecideReport(t.Context(), bob.ID, id, dismiss)).Code)
	dismiss.ByModerator = false
	require.Equal(t, "decided", fault.From(w.s.DecideReport(t.Context(), w.Admin("Ada Moss").ID, id, dismiss)).Code)
}
