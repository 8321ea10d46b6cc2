package profilereview_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/profilereview"
)

func TestCreate_HidesNewMemberOnlyWhileReviewsAreOn(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	require.False(t, w.sees(w.moderator, ada))
	require.True(t, w.sees(ada, w.moderator), "others are shown to the member")
	require.Equal(t, "pending", w.status(ada).Status)
	require.Equal(t, "profile", *w.status(ada).Subject)

	w.setReviews(false)
	bea := w.join("Bea")
	require.True(t, w.sees(w.moderator, bea))
	require.Equal(t, profilereview.ReviewStatus{Status: "none"}, w.status(bea))
}

// The setting of a sign-up that has not committed must not change meanwhile: the job that releases those who wait
// would miss the member, who would then wait in a queue that no moderator works.
func TestCreate_HoldsTheSetting(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	tx, err := w.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer tx.Rollback(t.Context())
	draft, err := w.members.Check(t.Context(), members.NewMember{Email: "ada@example.test", FullName: "Ada", Age: new(30), City: "Portland", State: "OR"})
	require.NoError(t, err)
	_, err = members.Create(t.Context(), tx, draft)
	require.NoError(t, err)
	locked := testkit.Select[bool](t, w.Pool, `
		SELECT NOT EXISTS (SELECT FROM system_settings WHERE setting_key = 'site' FOR NO KEY UPDATE SKIP LOCKED)`)
	require.True(t, locked)
	require.NoError(t, tx.Commit(t.Context()))
}

func TestDecide_AcceptShowsProfileAndItsPhotos(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bea := w.join("Ada"), w.accepted("Bea")
	photo := w.addPhoto(ada)
	id := w.waiting(ada)
	require.Contains(t, w.try(w.moderator, id, true, "Fine"), "open it first")
	require.False(t, w.reads(web.Actor{ID: w.moderator, Moderator: true}, photo), "before it is opened")
	w.open(ada)
	require.True(t, w.reads(web.Actor{ID: w.moderator, Moderator: true}, photo))
	require.False(t, w.reads(web.Actor{ID: bea, Moderator: true}, photo), "another moderator has to open it")
	require.Contains(t, w.try(bea, id, true, "Fine"), "open it first")
	require.True(t, w.queue(w.moderator)[0].Opened)
	require.False(t, w.queue(bea)[0].Opened)
	w.Exec(`UPDATE profile_reviews SET opened_at = now() - interval '61 minutes' WHERE id = $1`, id)
	require.Contains(t, w.try(w.moderator, id, true, "Fine"), "open it first")
	require.False(t, w.reads(web.Actor{ID: w.moderator, Moderator: true}, photo))
	w.open(ada)
	before := w.decided.Load()
	for range 2 {
		w.decide(id, true, "Fine")
	}
	require.Equal(t, before+1, w.decided.Load(), "a repetition announces nothing")
	require.True(t, w.sees(bea, ada))
	require.Equal(t, []uuid.UUID{photo}, w.shownPhotos(bea, ada))
	require.True(t, w.reads(web.Actor{ID: bea}, photo))
	require.Equal(t, profilereview.ReviewStatus{Status: "none"}, w.status(ada))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'profile_review.accepted' AND subject_id = $1 AND admin_id = $2`, ada, w.moderator))
	require.Equal(t, "Mo has decided this already: accepted.", w.try(w.moderator, id, false, "No"))
}

func TestDecide_DeclineTellsTheReasonAndAllowsAnotherTry(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	id := w.open(ada)
	w.decide(id, false, "Please write a line about yourself.")
	require.False(t, w.sees(w.moderator, ada))
	status := w.status(ada)
	require.Equal(t, "declined", status.Status)
	require.Equal(t, "Please write a line about yourself.", status.Reason)
	mails := w.mails(id)
	require.Len(t, mails, 1)
	require.Equal(t, "ada@example.test", mails[0].To)
	require.Contains(t, mails[0].Text, status.Reason)

	for range 2 {
		status, err := w.Resubmit(t.Context(), ada)
		require.NoError(t, err)
		require.Equal(t, "pending", status.Status)
		require.Empty(t, status.Reason)
	}
	require.NotEqual(t, id, w.waiting(ada), "a decision on the first submission must not be one on this")
	require.Equal(t, "We could not find that.", w.try(w.moderator, id, true, "Fine"))
	require.Empty(t, w.mails(id), "the reason is out of date")
	w.decide(w.open(ada), true, "Fine")
	_, err := w.Resubmit(t.Context(), ada)
	testkit.RequireKind(t, err, fault.Conflict)
}

func TestDecide_RefusesModeratorsOwnProfile(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia := w.join("Mia")
	id := w.open(mia)
	require.Contains(t, w.try(mia, id, true, "Fine"), "Another moderator")
	_, err := w.Open(t.Context(), mia, id, "To look")
	testkit.RequireKind(t, err, fault.NotFound)
	require.Empty(t, w.queue(mia), "her own is not in her queue")
	require.Len(t, w.queue(w.moderator), 1)
	require.False(t, w.sees(w.moderator, mia))
}

// A moderator decides on the photo that was opened, never on one that was added since.
func TestDecide_RefusesAfterTheFirstPhotoChanged(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	submitted := w.queue(w.moderator)[0].SubmittedAt
	id := w.open(ada)
	w.addPhoto(ada)
	require.Equal(t, "We could not find that.", w.try(w.moderator, id, true, "Fine"))
	require.False(t, w.sees(w.moderator, ada))
	require.Equal(t, submitted, w.queue(w.moderator)[0].SubmittedAt, "the place in the queue stays")
	w.decide(w.open(ada), true, "Fine")
	require.True(t, w.sees(w.moderator, ada))
}

func TestAddPhoto_HoldsFirstPhotoOfAcceptedMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bea := w.accepted("Ada"), w.accepted("Bea")
	first := w.addPhoto(ada)
	require.Empty(t, w.shownPhotos(bea, ada))
	require.False(t, w.reads(web.Actor{ID: bea}, first))
	require.True(t, w.reads(web.Actor{ID: ada}, first))
	require.Equal(t, []uuid.UUID{first}, w.shownPhotos(ada, ada))
	me, err := w.members.Me(t.Context(), ada)
	require.NoError(t, err)
	require.True(t, me.PhotoHeld)
	require.True(t, me.IsApproved)
	cards, err := members.Cards(t.Context(), w.Pool, bea, []uuid.UUID{ada})
	require.NoError(t, err)
	require.Nil(t, cards[ada].ProfileImageURL)

	second := w.addPhoto(ada)
	require.Equal(t, []uuid.UUID{second}, w.shownPhotos(bea, ada), "only the first one is reviewed")
	w.decide(w.open(ada), false, "It shows a car.")
	require.Equal(t, []uuid.UUID{second}, w.shownPhotos(bea, ada))
	_, err = w.Resubmit(t.Context(), ada)
	testkit.RequireKind(t, err, fault.Conflict, "another photo is needed")

	_, err = w.members.OrderPhotos(t.Context(), ada, []uuid.UUID{second, first})
	require.NoError(t, err)
	require.Equal(t, []uuid.UUID{first}, w.shownPhotos(bea, ada), "the second one has not been looked at as the face")
	w.decide(w.open(ada), true, "Fine")
	require.Equal(t, []uuid.UUID{second, first}, w.shownPhotos(bea, ada))
	_, err = w.members.OrderPhotos(t.Context(), ada, []uuid.UUID{first, second})
	require.NoError(t, err)
	require.Equal(t, "pending", w.status(ada).Status, "the declined one comes back into the queue, not onto the profile")
	require.Equal(t, []uuid.UUID{second}, w.shownPhotos(bea, ada))
}

func TestDeletePhoto_EndsTheReview(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.accepted("Ada")
	photo := w.addPhoto(ada)
	require.Len(t, w.queue(w.moderator), 1)
	require.NoError(t, w.members.DeletePhoto(t.Context(), ada, photo))
	require.Empty(t, w.queue(w.moderator))
	require.Equal(t, profilereview.ReviewStatus{Status: "none"}, w.status(ada))
}

// A report that hides a member is not undone by the review of the profile.
func TestDecide_AcceptDoesNotEndAnotherRestriction(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	id := w.open(ada)
	w.Exec(`UPDATE users SET profile_status = 'under_review' WHERE id = $1`, ada)
	w.decide(id, true, "Fine")
	require.False(t, w.sees(w.moderator, ada))
}

func TestDecide_GivesResultOfEachRow(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bea, cleo := w.join("Ada"), w.join("Bea"), w.join("Cleo")
	unknown := uuid.New()
	ids := []uuid.UUID{w.open(ada), unknown, w.waiting(bea), w.open(cleo)}
	results, err := w.Decide(t.Context(), w.moderator, ids, profilereview.Decision{Accept: true, Reason: "Fine"})
	require.NoError(t, err)
	require.Equal(t, []web.RowResult{
		{ID: ids[0], Stored: true},
		{ID: unknown, Problem: "We could not find that.", Code: "not_found"},
		{ID: ids[2], Problem: "Please open it first.", Code: "open_first"},
		{ID: ids[3], Stored: true},
	}, results)
	require.True(t, w.sees(w.moderator, ada))
	require.False(t, w.sees(w.moderator, bea))
	require.True(t, w.sees(w.moderator, cleo))
	_, err = w.Decide(t.Context(), w.moderator, ids, profilereview.Decision{Accept: true, Reason: " "})
	testkit.RequireKind(t, err, fault.Invalid)
}

func TestRelease_ShowsThoseWhoWaitOnlyWhileReviewsAreOff(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bea, cleo := w.join("Ada"), w.accepted("Bea"), w.join("Cleo")
	photo := w.addPhoto(bea)
	w.decide(w.open(cleo), false, "Please add a photo.")
	more, err := w.Release(t.Context())
	require.NoError(t, err)
	require.False(t, more)
	require.False(t, w.sees(w.moderator, ada), "reviews are on")

	w.setReviews(false)
	_, err = w.Release(t.Context())
	require.NoError(t, err)
	require.True(t, w.sees(w.moderator, ada))
	require.Equal(t, []uuid.UUID{photo}, w.shownPhotos(w.moderator, bea))
	require.False(t, w.sees(w.moderator, cleo), "a declined one asks again")
	_, err = w.Resubmit(t.Context(), cleo)
	require.NoError(t, err)
	require.True(t, w.sees(w.moderator, cleo), "a profile that is submitted again is shown at once")
}

// A moderator who decides differently in two windows at once: one of them says so, and the state is one of the two.
func TestDecide_ConcurrentDecisionsStoreOne(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for _, name := range []string{"Ada", "Bea", "Cleo", "Dora"} {
		member := w.join(name)
		id := w.open(member)
		var problems [2]string
		var both sync.WaitGroup
		both.Go(func() { problems[0] = w.try(w.moderator, id, true, "Fine") })
		both.Go(func() { problems[1] = w.try(w.moderator, id, false, "No") })
		both.Wait()
		require.Contains(t, problems[0]+problems[1], "Mo has decided this already: ")
		require.Equal(t, problems[0] == "", w.sees(w.moderator, member))
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE subject_id = $1 AND action IN ('profile_review.accepted', 'profile_review.declined')`, member))
	}
}

func TestQueue_PagesOldestFirst(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	var joined []uuid.UUID
	for _, name := range []string{"Ada", "Bea", "Cleo", "Dora", "Eve"} {
		joined = append(joined, w.join(name))
	}
	var listed []uuid.UUID
	for cursor := ""; ; {
		rows, next, err := w.Queue(t.Context(), w.moderator, web.Page{Limit: 2, Cursor: cursor})
		require.NoError(t, err)
		for _, row := range rows {
			listed = append(listed, row.User.ID)
		}
		if cursor = next; next == "" {
			break
		}
	}
	require.Equal(t, joined, listed)
	_, _, err := w.Queue(t.Context(), w.moderator, web.Page{Limit: 2, Cursor: "x"})
	testkit.RequireKind(t, err, fault.Invalid)
}

func (w *env) queue(moderator uuid.UUID) []profilereview.QueuedProfile {
	w.Helper()
	rows, _, err := w.Queue(w.Context(), moderator, web.Page{Limit: 50})
	require.NoError(w, err)
	return rows
}

// mails returns what the job of a decision sends.
func (w *env) mails(id uuid.UUID) []mail.Message {
	w.Helper()
	var box mailbox
	require.NoError(w, profilereview.SendOutcome(w.Context(), w.Pool, &box, profilereview.OutcomeArgs{ReviewID: id}))
	return box.sent
}

type mailbox struct{ sent []mail.Message }

func (b *mailbox) Send(_ context.Context, m mail.Message) error {
	b.sent = append(b.sent, m)
	return nil
}
