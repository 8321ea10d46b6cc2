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
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/graduation"
	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
)

func TestMain(m *testing.M) {
	web.Prepare()
	os.Exit(m.Run())
}

type env struct {
	*graduation.Service
	t         *testing.T
	pool      *pgxpool.Pool
	members   *members.Service
	media     *media.Service
	matching  *matching.Service
	moderator uuid.UUID
	changes   atomic.Int32 // members of whom a change was announced
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{t: t, pool: pgtest.New(t)}
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	b := blobs.New(w.pool, store)
	jobs := pgtest.Jobs(t, w.pool)
	w.members = members.New(w.pool, b)
	w.media = media.New(w.pool, b, w.members, jobs, nil)
	w.matching = matching.New(w.pool, &bustest.Recorder{}, jobs)
	w.Service = graduation.New(w.pool, b, jobs)
	w.Watch(func(_ context.Context, ids ...uuid.UUID) { w.changes.Add(int32(len(ids))) })
	w.moderator = w.join("Mo")
	return w
}

// join adds a member as a sign-up does.
func (w *env) join(name string) uuid.UUID {
	w.t.Helper()
	draft, err := w.members.Check(w.t.Context(), members.NewMember{
		Email: strings.ToLower(name) + "@example.test", FullName: name + " Doe", Age: new(30), City: "Portland", State: "OR",
	})
	require.NoError(w.t, err)
	id, err := pg.Tx(w.t.Context(), w.pool, func(tx pgx.Tx) (uuid.UUID, error) { return members.Create(w.t.Context(), tx, draft) })
	require.NoError(w.t, err)
	return id
}

// pair returns two matched members.
func (w *env) pair(a, b string) (one, two uuid.UUID) {
	w.t.Helper()
	one, two = w.join(a), w.join(b)
	w.match(one, two)
	return one, two
}

func (w *env) match(one, two uuid.UUID) {
	w.t.Helper()
	for _, like := range [][2]uuid.UUID{{one, two}, {two, one}} {
		_, err := w.matching.Like(w.t.Context(), web.Actor{ID: like[0]}, matching.LikeInput{To: like[1], Kind: matching.Kind("like")})
		require.NoError(w.t, err)
	}
}

// addPhoto adds the member's next photo.
func (w *env) addPhoto(member uuid.UUID) uuid.UUID {
	w.t.Helper()
	var picture bytes.Buffer
	require.NoError(w.t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 40, 30))))
	size := int64(picture.Len())
	u, err := w.media.Create(w.t.Context(), member, uuid.New(), media.ForProfile, size)
	require.NoError(w.t, err)
	_, err = w.media.Append(w.t.Context(), member, u.ID, 0, &picture, size)
	require.NoError(w.t, err)
	photo, err := w.media.AddPicture(w.t.Context(), member, u.ID, members.PhotoSlot)
	require.NoError(w.t, err)
	return photo.ID
}

func (w *env) state(member uuid.UUID) graduation.CoupleState {
	w.t.Helper()
	state, err := w.State(w.t.Context(), member)
	require.NoError(w.t, err)
	return state
}

// ask asks two with a message, for the wall.
func (w *env) ask(one, two uuid.UUID, pictures ...uuid.UUID) graduation.CoupleState {
	w.t.Helper()
	state, err := w.Ask(w.t.Context(), one, graduation.Ask{Partner: two, LegacyMessage: "We met here.", OnWall: true, Pictures: pictures})
	require.NoError(w.t, err)
	return state
}

// accept accepts the only request to the member, for the wall.
func (w *env) accept(member uuid.UUID, pictures ...uuid.UUID) uuid.UUID {
	w.t.Helper()
	requests := w.state(member).Requests
	require.Len(w.t, requests, 1)
	_, err := w.Accept(w.t.Context(), member, requests[0].ID, true, pictures)
	require.NoError(w.t, err)
	return requests[0].ID
}

// graduates returns a couple that has graduated and is on the wall.
func (w *env) graduates(a, b string) (one, two, couple uuid.UUID) {
	w.t.Helper()
	one, two = w.pair(a, b)
	w.ask(one, two)
	couple = w.accept(two)
	require.NoError(w.t, w.Approve(w.t.Context(), w.moderator, couple, "Lovely"))
	return one, two, couple
}

// names returns the first names on the wall as the viewer sees it.
func (w *env) names(viewer uuid.UUID) []string {
	w.t.Helper()
	entries, _, err := w.Wall(w.t.Context(), viewer, web.Page{Limit: 50})
	require.NoError(w.t, err)
	names := []string{}
	for _, e := range entries {
		names = append(names, strings.Join(e.FirstNames, "+"))
	}
	return names
}

// reads reports whether the viewer gets a couple's picture.
func (w *env) reads(viewer web.Actor, file uuid.UUID) bool {
	w.t.Helper()
	_, err := w.OpenPicture(w.t.Context(), viewer, file, blobs.Full, blobs.Conditions{})
	if fault.Is(err, fault.NotFound) {
		return false
	}
	require.NoError(w.t, err)
	return true
}

// found reports whether a stranger finds the member.
func (w *env) found(member uuid.UUID) bool {
	w.t.Helper()
	_, err := w.members.Public(w.t.Context(), w.moderator, member)
	if fault.Is(err, fault.NotFound) {
		return false
	}
	require.NoError(w.t, err)
	return true
}

func (w *env) count(sql string, args ...any) (n int) {
	w.t.Helper()
	require.NoError(w.t, w.pool.QueryRow(w.t.Context(), sql, args...).Scan(&n))
	return n
}
