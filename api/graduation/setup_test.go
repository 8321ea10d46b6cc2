package graduation_test

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
	"github.com/stretchr/testify/require"

	"heartward/api/graduation"
	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestMain(m *testing.M) {
	web.Prepare()
	os.Exit(m.Run())
}

type env struct {
	testkit.DB
	*graduation.Service
	members   *members.Service
	media     *media.Service
	matching  *matching.Service
	reports   *moderation.Service
	moderator uuid.UUID
	changes   atomic.Int32 // members of whom a change was announced
	walls     atomic.Int32 // announced changes of the wall
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t)}
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	b := blobs.New(w.Pool, store)
	jobs := pgtest.Jobs(t, w.Pool)
	w.members = members.New(w.Pool, b)
	w.media = media.New(w.Pool, b, w.members, jobs, nil)
	w.matching = matching.New(w.Pool, &bustest.Recorder{}, jobs)
	w.Service = graduation.New(w.Pool, b, jobs)
	w.reports = moderation.New(w.Pool, &bustest.Recorder{}, w.matching, b, jobs, []byte("0123456789abcdef0123456789abcdef"))
	w.reports.WatchStatus(func(ctx context.Context, id uuid.UUID) { w.MemberChanged(ctx, id) })
	w.matching.WatchEndedCouples(func(couples ...matching.EndedCouple) { w.CouplesEnded(context.Background(), couples...) })
	w.WatchWall(func() { w.walls.Add(1) })
	w.Watch(func(_ context.Context, ids ...uuid.UUID) { w.changes.Add(int32(len(ids))) })
	w.moderator = w.join("Mo")
	return w
}

func (w *env) join(name string) uuid.UUID {
	w.Helper()
	return w.Member(name+" Doe", testkit.Columns{"email": strings.ToLower(name) + "@example.test"}).ID
}

// pair returns two matched members.
func (w *env) pair(a, b string) (one, two uuid.UUID) {
	w.Helper()
	one, two = w.join(a), w.join(b)
	w.match(one, two)
	return one, two
}

func (w *env) match(one, two uuid.UUID) {
	w.Helper()
	for _, like := range [][2]uuid.UUID{{one, two}, {two, one}} {
		_, err := w.matching.Like(w.Context(), web.Actor{ID: like[0]}, matching.LikeInput{To: like[1], Kind: matching.Like})
		require.NoError(w, err)
	}
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

func (w *env) state(member uuid.UUID) graduation.CoupleState {
	w.Helper()
	state, err := w.State(w.Context(), member)
	require.NoError(w, err)
	return state
}

// ask asks two with a message, for the wall.
func (w *env) ask(one, two uuid.UUID, pictures ...uuid.UUID) graduation.CoupleState {
	w.Helper()
	state, err := w.Ask(w.Context(), one, graduation.Ask{Partner: two, LegacyMessage: "We met here.", OnWall: true, Pictures: pictures})
	require.NoError(w, err)
	return state
}

// accept accepts the only request to the member, for the wall, with the pictures that it has.
func (w *env) accept(member uuid.UUID, pictures ...uuid.UUID) uuid.UUID {
	w.Helper()
	requests := w.state(member).Requests
	require.Len(w, requests, 1)
	seen := []uuid.UUID{}
	for _, picture := range requests[0].Pictures {
		seen = append(seen, picture.ID)
	}
	_, err := w.Accept(w.Context(), member, requests[0].ID, graduation.Acceptance{OnWall: true, Pictures: pictures, Seen: seen})
	require.NoError(w, err)
	return requests[0].ID
}

// graduates returns a couple that has graduated and is on the wall.
func (w *env) graduates(a, b string) (one, two, couple uuid.UUID) {
	w.Helper()
	one, two = w.pair(a, b)
	w.ask(one, two)
	couple = w.accept(two)
	require.NoError(w, w.Approve(w.Context(), w.moderator, couple, "Lovely"))
	return one, two, couple
}

// names returns the first names on the wall as the viewer sees it.
func (w *env) names(viewer uuid.UUID) []string {
	w.Helper()
	entries, _, err := w.Wall(w.Context(), viewer, web.Page{Limit: 50})
	require.NoError(w, err)
	names := []string{}
	for _, e := range entries {
		names = append(names, strings.Join(e.FirstNames, "+"))
	}
	return names
}

// reads reports whether the viewer gets a couple's picture.
func (w *env) reads(viewer web.Actor, file uuid.UUID) bool {
	w.Helper()
	_, err := w.OpenPicture(w.Context(), viewer, file, blobs.Full, blobs.Conditions{})
	if fault.Is(err, fault.NotFound) {
		return false
	}
	require.NoError(w, err)
	return true
}

// found reports whether a stranger finds the member.
func (w *env) found(member uuid.UUID) bool {
	w.Helper()
	_, err := w.members.Public(w.Context(), w.moderator, member)
	if fault.Is(err, fault.NotFound) {
		return false
	}
	require.NoError(w, err)
	return true
}
