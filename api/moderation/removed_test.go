package moderation_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// removable is a member with each kind of part, two photos, and a report about them.
type removable struct {
	*env
	admin, moderator, ann, bob web.Actor
	first, second, video       uuid.UUID
	report                     uuid.UUID
}

func newRemovable(t *testing.T) *removable {
	t.Helper()
	w := &removable{env: newEnv(t)}
	w.admin, w.ann, w.bob = w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Bob Moss")
	w.moderator = w.Member("Mo Moss", testkit.Columns{"is_moderator": true})
	w.first, w.second, w.video = w.addFile(w.bob, "photo"), uuid.New(), w.addFile(w.bob, "video_greeting")
	w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 7)`, w.second, w.bob.ID)
	w.Exec(`INSERT INTO member_media (file_id, user_id, slot, position, caption) VALUES ($1, $2, 'photo', 2, 'At sea')`, w.second, w.bob.ID)
	w.Exec(`UPDATE users SET bio = 'Call me at 555', occupation = 'Cook' WHERE id = $1`, w.bob.ID)
	w.Exec(`INSERT INTO member_prompts (user_id, position, question, answer) VALUES ($1, 1, 'A perfect Sunday', 'Insults'), ($1, 2, 'Ask me about', 'Bees')`, w.bob.ID)
	w.report = w.env.report(w.ann, moderation.ReportInput{UserID: w.bob.ID, Reason: "inappropriate", Place: "profile"}).ID
	return w
}

var removedBio = members.ProfilePart{Part: "bio", Text: "Call me at 555"}

func (w *removable) parts() []members.ProfilePart {
	return []members.ProfilePart{
		{Part: "photo", FileID: &w.first},
		{Part: "video_greeting", FileID: &w.video},
		{Part: "prompt", Question: "A perfect Sunday", Text: "Insults"},
		removedBio,
	}
}

func (w *removable) remove(parts ...members.ProfilePart) error {
	return w.s.DecideReport(context.Background(), w.moderator.ID, w.report, moderation.Decision{
		Action: moderation.Remove, Parts: parts, Explanation: "This doesn't belong on a profile.", Reason: "Seen", ByModerator: true,
	})
}

// profile returns what moderators see of the profile, which is no less than what members see.
func (w *removable) profile() members.PublicMember {
	w.Helper()
	profiles, err := members.PublicForModerators(w.Context(), w.Pool, []uuid.UUID{w.bob.ID})
	require.NoError(w, err)
	return profiles[w.bob.ID]
}

func (w *removable) mayRead(viewer web.Actor, file uuid.UUID) bool {
	w.Helper()
	_, err := w.members.OpenFile(w.Context(), viewer, file, "full.webp", blobs.Conditions{})
	if err != nil {
		testkit.RequireKind(w, err, fault.NotFound)
	}
	return err == nil
}

// After a moderator removes parts of a profile, nobody sees them on it, not even the member. The member gets the statement
// of reasons, the reporter only learns that something followed, and the audit log contains the reason.
func TestRemove_HidesPartsFromAllAtOnce(t *testing.T) {
	t.Parallel()
	w := newRemovable(t)
	require.True(t, w.mayRead(w.moderator, w.first), "as a member")
	require.NoError(t, w.remove(w.parts()...))

	p := w.profile()
	require.Empty(t, p.Bio)
	require.Equal(t, "Cook", p.Occupation, "what was not chosen stays")
	require.Len(t, p.Prompts, 1)
	require.Len(t, p.Photos, 1)
	require.Equal(t, w.second, p.Photos[0].ID)
	require.Nil(t, p.Media.VideoGreeting)
	for _, viewer := range []web.Actor{w.moderator, w.bob, w.ann} {
		require.False(t, w.mayRead(viewer, w.first))
		require.False(t, w.mayRead(viewer, w.video))
	}
	me, err := w.members.Me(t.Context(), w.bob.ID)
	require.NoError(t, err)
	require.Empty(t, me.Bio)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM member_media WHERE user_id = $1 AND slot = 'photo' AND position = 1`, w.bob.ID), "the second moved up")

	decisions, err := w.s.OwnDecisions(t.Context(), w.bob)
	require.NoError(t, err)
	require.Len(t, decisions, 1)
	require.Equal(t, moderation.Removal, decisions[0].Kind)
	require.Contains(t, decisions[0].Reasons.Scope, "photo 1, video greeting, the answer to “A perfect Sunday”, bio.")
	require.Contains(t, decisions[0].Reasons.Duration, "put it back")
	require.Contains(t, decisions[0].Reasons.Ground, "sexual or offensive")
	require.True(t, decisions[0].MayAppeal)
	box := &mailbox{}
	require.NoError(t, moderation.SendOutcome(t.Context(), w.Pool, box, office, moderation.OutcomeArgs{ReportID: w.report}))
	require.Contains(t, oneLine(box.mails[0].Text), "We have removed parts of your profile: This doesn't belong on a profile.")
	require.Contains(t, oneLine(box.mails[0].Text), "photo 1, video greeting")
	reports, _, err := w.s.OwnReports(t.Context(), w.ann, "", 10)
	require.NoError(t, err)
	require.Equal(t, "action", *reports[0].Outcome)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'report.remove' AND reason = 'Seen' AND subject_id = $1`, w.bob.ID))
	require.Equal(t, "active", w.status(w.bob))
}

// A granted appeal puts everything back at its place.
func TestRemove_IsRestoredByAGrantedAppeal(t *testing.T) {
	t.Parallel()
	w := newRemovable(t)
	require.NoError(t, w.remove(w.parts()...))
	id := testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM sanctions WHERE user_id = $1`, w.bob.ID)
	require.NoError(t, w.s.Appeal(t.Context(), w.bob, id, "It is art."))
	require.Zero(t, w.Count(`SELECT count(*) FROM removed_parts WHERE expires_at IS NOT NULL`), "stored as long as the appeal waits")
	w.clean(4, 0)

	_, err := w.s.OpenRemovedFile(t.Context(), w.admin.ID, id, w.first, "full.webp")
	testkit.RequireKind(t, err, fault.Conflict)
	opened, err := w.s.OpenAppeal(t.Context(), w.admin.ID, id, "To decide")
	require.NoError(t, err)
	require.Len(t, opened.Removed, 4)
	_, err = w.s.OpenRemovedFile(t.Context(), w.admin.ID, id, w.first, "full.webp")
	require.NoError(t, err)
	_, err = w.s.OpenRemovedFile(t.Context(), w.admin.ID, id, w.second, "full.webp")
	testkit.RequireKind(t, err, fault.NotFound)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'appeal.file' AND reason = 'To decide'`))

	preview, err := w.preview(w.asAdmin(), "appeal", id, "lifted", moderation.Decision{Explanation: "You are right."})
	require.NoError(t, err)
	require.Contains(t, join(preview.Effects), "Put back on the profile: bio, photo 1, the answer to “A perfect Sunday”, video greeting.")
	require.Empty(t, w.profile().Bio, "the preview changes nothing")

	require.NoError(t, w.decideAppeal(w.admin, id, moderation.Lifted))
	p := w.profile()
	require.Equal(t, "Call me at 555", p.Bio)
	require.Len(t, p.Prompts, 2)
	require.Equal(t, "Insults", p.Prompts[0].Answer)
	require.Equal(t, []uuid.UUID{w.first, w.second}, []uuid.UUID{p.Photos[0].ID, p.Photos[1].ID})
	require.Equal(t, "At sea", p.Photos[1].Caption)
	require.Equal(t, w.video, p.Media.VideoGreeting.ID)
	require.True(t, w.mayRead(w.moderator, w.first))
	require.Zero(t, w.Count(`SELECT count(*) FROM removed_parts`))
	_, err = w.s.OpenRemovedFile(t.Context(), w.admin.ID, id, w.first, "full.webp")
	testkit.RequireKind(t, err, fault.NotFound)
}

func (w *removable) asAdmin() web.Actor {
	w.admin.Admin = true
	return w.admin
}

// clean runs the clean-up, and requires how many parts remain and how many files were deleted with them.
func (w *removable) clean(remain, files int) {
	w.Helper()
	before := w.Count(`SELECT count(*) FROM files`)
	_, err := members.DeleteRemovedParts(w.Context(), w.Pool, 100)
	require.NoError(w, err)
	require.Equal(w, remain, w.Count(`SELECT count(*) FROM removed_parts`))
	require.Equal(w, before-files, w.Count(`SELECT count(*) FROM files`))
}

// A refused appeal, or the end of the time for one, deletes what was removed.
func TestRemove_IsDeletedWhenItIsFinal(t *testing.T) {
	t.Parallel()
	w := newRemovable(t)
	require.NoError(t, w.remove(w.parts()...))
	id := testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM sanctions WHERE user_id = $1`, w.bob.ID)
	w.clean(4, 0)
	require.Equal(t, 4, w.Count(`SELECT count(*) FROM removed_parts WHERE expires_at BETWEEN now() + interval '179 days' AND now() + interval '180 days'`))
	require.NoError(t, w.s.Appeal(t.Context(), w.bob, id, "It is art."))
	require.NoError(t, w.decideAppeal(w.admin, id, moderation.Upheld))
	w.clean(0, 2)
	require.Len(t, w.profile().Photos, 1)
}

// A reinstatement, which grants the appeals that wait, puts the parts back as well.
func TestRemove_IsRestoredByAReinstatement(t *testing.T) {
	t.Parallel()
	w := newRemovable(t)
	require.NoError(t, w.remove(w.parts()...))
	id := testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM sanctions WHERE user_id = $1`, w.bob.ID)
	require.NoError(t, w.setStatus(w.admin, w.bob, "suspended", nil))
	require.Empty(t, w.profile().Bio)
	require.NoError(t, w.s.Appeal(t.Context(), w.bob, id, "It is art."))
	require.NoError(t, w.setStatus(w.admin, w.bob, "active", nil))
	require.Equal(t, "Call me at 555", w.profile().Bio)
}

// A part that the member has changed since the moderator saw it is not removed. A restored part does not replace a newer one
// in its only place. The positions of removed photos stay reserved for them.
func TestRemove_WithChangesOfTheMember(t *testing.T) {
	t.Parallel()
	w := newRemovable(t)
	w.Exec(`UPDATE users SET bio = 'New' WHERE id = $1`, w.bob.ID)
	testkit.RequireKind(t, w.remove(removedBio), fault.Conflict)
	require.Equal(t, "New", w.profile().Bio)
	testkit.RequireKind(t, w.remove(), fault.Invalid)
	testkit.RequireKind(t, w.remove(members.ProfilePart{Part: "full_name", Text: "Bob Moss"}), fault.Invalid)
	testkit.RequireKind(t, w.remove(members.ProfilePart{Part: "photo"}), fault.Invalid)
	other := w.addFile(w.ann, "photo")
	testkit.RequireKind(t, w.remove(members.ProfilePart{Part: "photo", FileID: &other}), fault.Conflict)

	require.NoError(t, w.remove(removedBio, members.ProfilePart{Part: "photo", FileID: &w.second}, members.ProfilePart{Part: "video_greeting", FileID: &w.video},
		members.ProfilePart{Part: "prompt", Question: "Ask me about", Text: "Bees"}))
	id := testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM sanctions WHERE user_id = $1`, w.bob.ID)
	add := func(slot members.Slot) error {
		file := uuid.New()
		w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 7)`, file, w.bob.ID)
		return pg.TxDo(t.Context(), w.Pool, func(tx pgx.Tx) error {
			_, err := w.members.AddToSlot(t.Context(), tx, w.bob.ID, file, slot)
			return err
		})
	}
	for range 4 {
		require.NoError(t, add(members.PhotoSlot))
	}
	testkit.RequireKind(t, add(members.PhotoSlot), fault.Conflict)
	require.NoError(t, add(members.VideoGreetingSlot), "a slot for one file can be filled")
	w.Exec(`INSERT INTO member_prompts (user_id, position, question, answer) VALUES ($1, 2, 'Ask me about', 'Wasps'), ($1, 3, 'Together we could', 'Sing')`, w.bob.ID)

	require.NoError(t, w.s.Appeal(t.Context(), w.bob, id, "It is art."))
	require.NoError(t, w.decideAppeal(w.admin, id, moderation.Lifted))
	p := w.profile()
	require.Len(t, p.Photos, 6)
	require.Equal(t, w.second, p.Photos[1].ID)
	require.NotEqual(t, w.video, p.Media.VideoGreeting.ID, "the new one stays")
	require.Equal(t, "Wasps", p.Prompts[1].Answer)
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM removed_parts WHERE expires_at > now() + interval '29 days'`), "in the export for a while")
}
