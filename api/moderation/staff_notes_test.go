package moderation_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// Moderators read each other's notes on a member from the account and from each case, with the author's name at that time.
func TestStaffNotes_OnAccountAndCase(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := t.Context()
	first, second, ann, bob := w.Admin("Admin Moss"), w.Member("Mo Moss", testkit.Columns{"is_moderator": true}), w.Member("Ann Moss"), w.Member("Bob Moss")
	report := w.report(ann, report(bob)).ID
	account, onReport := moderation.NoteSubject{Kind: "member", ID: bob.ID}, moderation.NoteSubject{Kind: "report", ID: report}
	noteID := uuid.New()
	for range 2 {
		require.NoError(t, w.s.AddStaffNote(ctx, first.ID, noteID, account, "He wrote to support."))
	}
	require.NoError(t, w.s.AddStaffNote(ctx, second.ID, uuid.New(), onReport, "Looks like the case of May."))
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'note.add' AND subject_id = $1 AND detail::text NOT LIKE '%May%'`, bob.ID))
	for _, of := range []moderation.NoteSubject{account, onReport} {
		var texts, authors []string
		page := web.Page{Limit: 1}
		for {
			notes, next, err := w.s.StaffNotes(ctx, second.ID, of, page)
			require.NoError(t, err)
			require.Len(t, notes, 1)
			texts, authors = append(texts, notes[0].Text), append(authors, notes[0].Author)
			if page.Cursor = next; next == "" {
				break
			}
		}
		require.Equal(t, []string{"Looks like the case of May.", "He wrote to support."}, texts)
		require.Equal(t, []string{"Mo Moss", "Admin Moss"}, authors)
	}
	w.Exec(`DELETE FROM users WHERE id = $1`, first.ID)
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM staff_notes WHERE user_id = $1 AND author_name <> ''`, bob.ID), "the author's account is deleted")
	w.Exec(`DELETE FROM users WHERE id = $1`, bob.ID)
	require.Zero(t, w.Count(`SELECT count(*) FROM staff_notes`), "they go with the account")
}

// Nobody reads or writes notes about the own account or the own cases.
func TestStaffNotes_Refusals(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := t.Context()
	admin, bob := w.Admin("Admin Moss"), w.Member("Bob Moss")
	own := w.report(admin, report(bob)).ID
	for _, of := range []moderation.NoteSubject{
		{Kind: "member", ID: admin.ID}, {Kind: "report", ID: own}, {Kind: "report", ID: uuid.New()}, {Kind: "flag", ID: uuid.New()}, {Kind: "appeal", ID: uuid.New()},
	} {
		_, _, err := w.s.StaffNotes(ctx, admin.ID, of, web.Page{Limit: 10})
		testkit.RequireKind(t, err, fault.NotFound)
		testkit.RequireKind(t, w.s.AddStaffNote(ctx, admin.ID, uuid.New(), of, "A note"), fault.NotFound)
	}
	id, of := uuid.New(), moderation.NoteSubject{Kind: "member", ID: bob.ID}
	require.Equal(t, "text", fault.From(w.s.AddStaffNote(ctx, admin.ID, id, of, " ")).Field)
	require.NoError(t, w.s.AddStaffNote(ctx, admin.ID, id, of, "A note"))
	testkit.RequireKind(t, w.s.AddStaffNote(ctx, admin.ID, id, of, "Another note"), fault.Conflict)
}

// Notes on a case are for those who may see the case: not for moderators if it is an appeal or about the staff, and not for the
// match of its member.
func TestStaffNotes_AreForThoseWhoMaySeeTheCase(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	admin, moderator := w.Admin("Admin Moss"), w.Member("Mo Moss", testkit.Columns{"is_moderator": true})
	staff := w.Member("Stu Moss", testkit.Columns{"is_moderator": true})
	about := w.report(ann, report(staff)).ID
	require.NoError(t, w.setStatus(admin, bob, "suspended", nil))
	appeal := w.appeal(bob)
	eve := w.Member("Eve Moss")
	w.match(moderator, eve)
	ofMatch := w.report(ann, report(eve)).ID
	for name, of := range map[string]moderation.NoteSubject{
		"a report about the staff": {Kind: "report", ID: about}, "a member of the staff": {Kind: "member", ID: staff.ID}, "an appeal": {Kind: "appeal", ID: appeal},
		"a report about a match": {Kind: "report", ID: ofMatch}, "a match": {Kind: "member", ID: eve.ID},
	} {
		require.NoError(t, w.s.AddStaffNote(t.Context(), admin.ID, uuid.New(), of, "A note"), name)
		_, _, err := w.s.StaffNotes(t.Context(), moderator.ID, of, web.Page{Limit: 10})
		testkit.RequireKind(t, err, fault.NotFound, name)
		testkit.RequireKind(t, w.s.AddStaffNote(t.Context(), moderator.ID, uuid.New(), of, "A note"), fault.NotFound, name)
		notes, _, err := w.s.StaffNotes(t.Context(), admin.ID, of, web.Page{Limit: 10})
		require.NoError(t, err, name)
		require.NotEmpty(t, notes, name)
	}
}

// The account of a match is withheld as long as another admin can decide on it. One who is suspended cannot.
func TestStaffNotes_OnMatchAreForTheOnlyAdminWhoWorks(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, other, eve := w.Admin("Admin Moss"), w.Admin("Otto Moss"), w.Member("Eve Moss")
	w.match(admin, eve)
	of := moderation.NoteSubject{Kind: "member", ID: eve.ID}
	testkit.RequireKind(t, w.s.AddStaffNote(t.Context(), admin.ID, uuid.New(), of, "A note"), fault.NotFound)
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, other.ID)
	require.NoError(t, w.s.AddStaffNote(t.Context(), admin.ID, uuid.New(), of, "A note"))
	notes, _, err := w.s.StaffNotes(t.Context(), admin.ID, of, web.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, notes, 1)
}

// The id of a note on one case is not accepted as a repetition for another.
func TestAddStaffNote_RefusesIdOfNoteOnAnotherCase(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann, bob := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Bob Moss")
	id := uuid.New()
	require.NoError(t, w.s.AddStaffNote(t.Context(), admin.ID, id, moderation.NoteSubject{Kind: "member", ID: ann.ID}, "A note"))
	testkit.RequireKind(t, w.s.AddStaffNote(t.Context(), admin.ID, id, moderation.NoteSubject{Kind: "member", ID: bob.ID}, "A note"), fault.Conflict)
	report := w.report(bob, report(ann)).ID
	testkit.RequireKind(t, w.s.AddStaffNote(t.Context(), admin.ID, id, moderation.NoteSubject{Kind: "report", ID: report}, "A note"), fault.Conflict)
}

// A moderator who has reported a member does not read the notes on that report among those on the account.
func TestStaffNotes_OfAccountOmitThoseOnOwnCases(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, bob, moderator := w.Admin("Admin Moss"), w.Member("Bob Moss"), w.Member("Mo Moss", testkit.Columns{"is_moderator": true})
	own := w.report(moderator, report(bob)).ID
	other := w.report(w.Member("Ann Moss"), report(bob)).ID
	account := moderation.NoteSubject{Kind: "member", ID: bob.ID}
	for text, of := range map[string]moderation.NoteSubject{
		"account": account, "own": {Kind: "report", ID: own}, "other": {Kind: "report", ID: other},
	} {
		require.NoError(t, w.s.AddStaffNote(t.Context(), admin.ID, uuid.New(), of, text))
	}
	texts := func(by web.Actor, of moderation.NoteSubject) (list []string) {
		notes, _, err := w.s.StaffNotes(t.Context(), by.ID, of, web.Page{Limit: 10})
		require.NoError(t, err)
		for _, n := range notes {
			list = append(list, n.Text)
		}
		return list
	}
	require.ElementsMatch(t, []string{"account", "own", "other"}, texts(admin, account))
	require.ElementsMatch(t, []string{"account", "other"}, texts(moderator, account))
	require.ElementsMatch(t, []string{"account", "other"}, texts(moderator, moderation.NoteSubject{Kind: "report", ID: other}))
}
