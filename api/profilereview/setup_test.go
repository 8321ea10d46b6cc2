package profilereview_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/profilereview"
)

func TestMain(m *testing.M) {
	web.Prepare()
	os.Exit(m.Run())
}

type env struct {
	testkit.DB
	*profilereview.Service
	members   *members.Service
	media     *media.Service
	moderator uuid.UUID
	decided   atomic.Int32 // calls of the function of WatchDecisions
}

// newEnv returns an installation that reviews new profiles.
func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t)}
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	b := blobs.New(w.Pool, store)
	w.members = members.New(w.Pool, b)
	w.media = media.New(w.Pool, b, w.members, pgtest.Jobs(t, w.Pool), nil)
	w.Service = profilereview.New(w.Pool, pgtest.Jobs(t, w.Pool))
	w.WatchDecisions(func(context.Context, uuid.UUID) { w.decided.Add(1) })
	w.moderator = w.join("Mo")
	w.setReviews(true)
	return w
}

func (w *env) setReviews(on bool) {
	w.Helper()
	w.Exec(`UPDATE system_settings SET setting_value = setting_value || jsonb_build_object('profileReview', $1::bool) WHERE setting_key = 'site'`, on)
}

// join adds a member as a sign-up does.
func (w *env) join(name string) uuid.UUID {
	w.Helper()
	draft, err := w.members.Check(w.Context(), members.NewMember{
		Email: strings.ToLower(name) + "@example.test", FullName: name, Age: new(30), City: "Portland", State: "OR",
	})
	require.NoError(w, err)
	id, err := pg.Tx(w.Context(), w.Pool, func(tx pgx.Tx) (uuid.UUID, error) { return members.Create(w.Context(), tx, draft) })
	require.NoError(w, err)
	return id
}

// accepted adds a member whose profile a moderator has accepted.
func (w *env) accepted(name string) uuid.UUID {
	w.Helper()
	id := w.join(name)
	w.decide(w.open(id), true, "Fine")
	return id
}

// addPhoto adds the member's next photo.
func (w *env) addPhoto(member uuid.UUID) uuid.UUID {
	w.Helper()
	var picture bytes.Buffer
	require.NoError(w, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 40, 30))))
	size := int64(picture.Len())
	u, err := w.media.Create(w.Context(), member, uuid.New(), media.ForProfile, size)
	require.NoError(w, err)
	_, err = w.media.Append(w.Context(), member, u.ID, 0, &picture, size)
	require.NoError(w, err)
	photo, err := w.media.AddPicture(w.Context(), member, u.ID, members.PhotoSlot)
	require.NoError(w, err)
	return photo.ID
}

// shownPhotos returns the photos of a member as the viewer gets them in the profile and on the card, which must agree.
func (w *env) shownPhotos(viewer, member uuid.UUID) []uuid.UUID {
	w.Helper()
	profile, err := w.members.Public(w.Context(), viewer, member)
	require.NoError(w, err)
	ids := []uuid.UUID{}
	for _, photo := range profile.Photos {
		ids = append(ids, photo.ID)
	}
	candidates, err := members.Candidates(w.Context(), w.Pool, viewer, []uuid.UUID{member})
	require.NoError(w, err)
	for i, photo := range candidates[member].Photos {
		require.Equal(w, ids[i], photo.ID)
	}
	return ids
}

// reads reports whether the viewer gets the picture itself.
func (w *env) reads(viewer web.Actor, file uuid.UUID) bool {
	w.Helper()
	_, err := w.members.OpenFile(w.Context(), viewer, file, "full.webp", blobs.Conditions{})
	if fault.Is(err, fault.NotFound) {
		return false
	}
	require.NoError(w, err)
	return true
}

// sees reports whether the viewer gets the member's profile.
func (w *env) sees(viewer, member uuid.UUID) bool {
	w.Helper()
	_, err := w.members.Public(w.Context(), viewer, member)
	if fault.Is(err, fault.NotFound) {
		return false
	}
	require.NoError(w, err)
	return true
}

func (w *env) status(member uuid.UUID) profilereview.ReviewStatus {
	w.Helper()
	status, err := w.Status(w.Context(), member)
	require.NoError(w, err)
	return status
}

// waiting returns the id of the member's submission that waits.
func (w *env) waiting(member uuid.UUID) uuid.UUID {
	w.Helper()
	return testkit.Select[uuid.UUID](w, w.Pool, `SELECT id FROM profile_reviews WHERE user_id = $1 AND status = 'pending'`, member)
}

// open opens the member's submission as the moderator and returns its id.
func (w *env) open(member uuid.UUID) uuid.UUID {
	w.Helper()
	id := w.waiting(member)
	_, err := w.Open(w.Context(), w.moderator, id, "To look")
	require.NoError(w, err)
	return id
}

// try decides on one submission and returns the problem; empty for a stored decision.
func (w *env) try(moderator, id uuid.UUID, accept bool, reason string) string {
	w.Helper()
	results, err := w.Decide(w.Context(), moderator, []uuid.UUID{id}, profilereview.Decision{Accept: accept, Reason: reason})
	require.NoError(w, err)
	require.Len(w, results, 1)
	require.Equal(w, id, results[0].ID)
	require.Equal(w, results[0].Stored, results[0].Problem == "")
	return results[0].Problem
}

func (w *env) decide(id uuid.UUID, accept bool, reason string) {
	w.Helper()
	require.Empty(w, w.try(w.moderator, id, accept, reason))
}
