package moments_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/moments"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/pg"
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
	*moments.Service
	members  *members.Service
	media    *media.Service
	matching *matching.Service
	changed  []uuid.UUID // members of whom a change was announced
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t)}
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	jobs := pgtest.Jobs(t, w.Pool)
	b := blobs.New(w.Pool, store)
	w.members = members.New(w.Pool, b)
	w.media = media.New(w.Pool, b, w.members, jobs, nil)
	w.Service = moments.New(w.Pool, w.media, jobs)
	w.Watch(func(id uuid.UUID) { w.changed = append(w.changed, id) })
	w.matching = matching.New(w.Pool, &bustest.Recorder{}, jobs)
	w.matching.WatchMatches(w.Matched)
	return w
}

func (w *env) join(name string) uuid.UUID {
	w.Helper()
	return w.Member(name + " Doe").ID
}

// match returns the id of the match of two members.
func (w *env) match(one, two uuid.UUID) (id uuid.UUID) {
	w.Helper()
	for _, like := range [][2]uuid.UUID{{one, two}, {two, one}} {
		result, err := w.matching.Like(w.Context(), web.Actor{ID: like[0]}, matching.LikeInput{To: like[1], Kind: matching.Like})
		require.NoError(w, err)
		if result.MatchID != nil {
			id = *result.MatchID
		}
	}
	return id
}

// work runs the enqueued jobs twice, as a worker may, and returns their number.
func (w *env) work() int {
	w.Helper()
	rows, _ := w.Pool.Query(w.Context(), `DELETE FROM river_job WHERE kind = 'make_moment'
		RETURNING (args->>'memberId')::uuid, args->>'momentType', (args->>'subjectId')::uuid`)
	jobs, err := pgx.CollectRows(rows, pgx.RowToStructByPos[moments.MakeArgs])
	require.NoError(w, err)
	for _, args := range append(jobs, jobs...) {
		require.NoError(w, pg.TxDo(w.Context(), w.Pool, func(tx pgx.Tx) error {
			_, err := w.Make(w.Context(), tx, args)
			return err
		}))
	}
	return len(jobs)
}

func (w *env) list(member uuid.UUID) []moments.Moment {
	w.Helper()
	list, _, err := w.List(w.Context(), member, web.Page{Limit: 50})
	require.NoError(w, err)
	return list
}

// only returns the member's only moment.
func (w *env) only(member uuid.UUID) moments.Moment {
	w.Helper()
	list := w.list(member)
	require.Len(w, list, 1)
	return list[0]
}

// upload stores a picture and returns the id of its upload.
func (w *env) upload(member uuid.UUID) uuid.UUID {
	w.Helper()
	var picture bytes.Buffer
	require.NoError(w, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 1200, 630))))
	size := int64(picture.Len())
	u, err := w.media.Create(w.Context(), member, uuid.New(), media.ForProfile, size)
	require.NoError(w, err)
	_, err = w.media.Append(w.Context(), member, u.ID, 0, &picture, size)
	require.NoError(w, err)
	return u.ID
}

func TestMatched_MakesOneMomentForEachMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.join("Ann"), w.join("Bob")
	match := w.match(ann, bob)
	require.Equal(t, 2, w.work())
	for _, id := range []uuid.UUID{ann, bob} {
		m := w.only(id)
		require.Equal(t, moments.Match, m.MomentType)
		require.Equal(t, "none", m.Consent)
		require.NotContains(t, m.Title+m.Caption, "Ann")
		require.NotContains(t, m.Title+m.Caption, "Bob", "its words contain no name")
	}
	again, created, err := w.Create(t.Context(), ann, moments.Match, match)
	require.NoError(t, err)
	require.False(t, created)
	require.Equal(t, w.only(ann).ID, again.ID)

	require.NoError(t, w.Delete(t.Context(), ann, again.ID))
	for _, id := range []uuid.UUID{again.ID, w.only(bob).ID} {
		testkit.RequireKind(t, w.Delete(t.Context(), ann, id), fault.NotFound, "deleted, or another member's")
	}
	require.Len(t, w.list(bob), 1)
	subjects, err := w.Subjects(t.Context(), ann, moments.Match)
	require.NoError(t, err)
	require.Len(t, subjects, 1)
	require.Equal(t, "Bob", subjects[0].Title)
	_, created, err = w.Create(t.Context(), ann, moments.Match, match)
	require.NoError(t, err)
	require.True(t, created, "by hand, of a match in the past")
}

// Only what really happened to the member becomes a moment.
func TestCreate_RefusesWhatDidNotHappen(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob, cid := w.join("Ann"), w.join("Bob"), w.join("Cid")
	match := w.match(ann, bob)
	w.work()
	badge, referral := uuid.New(), uuid.New()
	w.Exec(`INSERT INTO user_badges (id, user_id, badge_id) SELECT $1, $2, id FROM badges WHERE icon = 'first_like'`, badge, ann)
	w.Exec(`INSERT INTO referrals (id, referrer_id, referred_user_id, referral_code, status, joined_at, completed_at)
		VALUES ($3, $2, $1, 'FRIEND1', 'completed', now(), now())`, bob, ann, referral)
	for kind, subject := range map[moments.Kind]uuid.UUID{moments.Match: match, moments.Badge: badge, moments.Referral: referral} {
		for _, other := range []uuid.UUID{uuid.New(), subject} {
			_, _, err := w.Create(t.Context(), cid, kind, other)
			testkit.RequireKind(t, err, fault.NotFound, kind)
		}
	}
	m, created, err := w.Create(t.Context(), ann, moments.Badge, badge)
	require.NoError(t, err)
	require.True(t, created)
	require.Equal(t, "First Like", m.Badge.Name)
	_, _, err = w.Create(t.Context(), ann, moments.Referral, bob)
	testkit.RequireKind(t, err, fault.NotFound, "the friend's id is not one that the member knows")
	friends, err := w.Subjects(t.Context(), ann, moments.Referral)
	require.NoError(t, err)
	require.Equal(t, []uuid.UUID{referral}, []uuid.UUID{friends[0].ID}, "not who joined")
	m, _, err = w.Create(t.Context(), ann, moments.Referral, referral)
	require.NoError(t, err)
	require.Nil(t, m.Peer, "a friend is not named")
	require.Len(t, w.list(ann), 3)
}

func TestSetCaption_ChangesTheMembersOwnUpTo280Characters(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.join("Ann"), w.join("Bob")
	w.match(ann, bob)
	w.work()
	id := w.only(ann).ID
	m, err := w.SetCaption(t.Context(), ann, id, "  Hello\nworld ")
	require.NoError(t, err)
	require.Equal(t, "Hello\nworld", m.Caption)
	_, err = w.SetCaption(t.Context(), ann, id, strings.Repeat("é", 281))
	require.Equal(t, "caption", fault.From(err).Field)
	_, err = w.SetCaption(t.Context(), bob, id, "Mine")
	testkit.RequireKind(t, err, fault.NotFound)
}

// The other member is shown only while they agree and the match is open, and a refusal looks like no
// answer.
func TestConsent_IsNeededToNameTheOtherMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob, cid := w.join("Ann"), w.join("Bob"), w.join("Cid")
	match := w.match(ann, bob)
	w.work()
	id := w.only(ann).ID
	for range 2 {
		m, err := w.Ask(t.Context(), ann, id)
		require.NoError(t, err)
		require.Equal(t, "asked", m.Consent)
	}
	require.Equal(t, []uuid.UUID{bob}, w.changed, "asked once")
	_, err := w.Ask(t.Context(), bob, id)
	testkit.RequireKind(t, err, fault.NotFound, "of another member's moment")

	consents := func() []moments.Consent {
		list, err := w.Consents(t.Context(), bob)
		require.NoError(t, err)
		return list
	}
	require.Len(t, consents(), 1)
	require.Equal(t, "Ann", consents()[0].From.FirstName)
	for _, other := range []uuid.UUID{ann, cid} {
		testkit.RequireKind(t, w.Answer(t.Context(), other, id, true), fault.NotFound)
	}
	require.NoError(t, w.Answer(t.Context(), bob, id, false))
	require.Equal(t, "asked", w.only(ann).Consent)
	require.Empty(t, consents())
	require.NoError(t, w.Answer(t.Context(), bob, id, true), "an answer can be changed")
	require.Equal(t, "given", w.only(ann).Consent)
	require.Equal(t, "Bob", w.only(ann).Peer.FirstName)
	require.True(t, consents()[0].Given)
	require.Equal(t, "none", w.only(bob).Consent, "the own moment of the other needs an own consent")

	require.NoError(t, w.matching.Unmatch(t.Context(), web.Actor{ID: bob}, match))
	m := w.only(ann)
	require.Equal(t, "none", m.Consent)
	require.Nil(t, m.Peer)
	require.Empty(t, consents())
	testkit.RequireKind(t, w.Answer(t.Context(), bob, id, true), fault.NotFound)
	_, err = w.Ask(t.Context(), ann, id)
	testkit.RequireKind(t, err, fault.NotFound)
}

// No moment has a photo of another member, not even with their consent.
func TestList_HasNoPhotoOfTheOtherMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.join("Ann"), w.join("Bob")
	upload := w.upload(bob)
	_, err := w.media.AddPicture(t.Context(), bob, upload, members.PhotoSlot)
	require.NoError(t, err)
	w.match(ann, bob)
	w.work()
	id := w.only(ann).ID
	_, err = w.Ask(t.Context(), ann, id)
	require.NoError(t, err)
	require.NoError(t, w.Answer(t.Context(), bob, id, true))
	body, err := json.Marshal(w.list(ann))
	require.NoError(t, err)
	require.Contains(t, string(body), `"firstName":"Bob"`)
	require.NotContains(t, string(body), upload.String())
	require.NotContains(t, string(body), "/files/")
}

// share_count equals a recount of the rows after random concurrent calls, some of them repeated.
func TestShare_CountEqualsRows(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.join("Ann"), w.join("Bob")
	w.match(ann, bob)
	w.work()
	id := w.only(ann).ID
	clients := make([]uuid.UUID, 12)
	for i := range clients {
		clients[i] = uuid.Must(uuid.NewV7())
	}
	var all sync.WaitGroup
	for seed := range uint64(4) {
		all.Go(func() {
			random := rand.New(rand.NewPCG(seed, 1))
			for range 10 {
				_, _ = w.Share(context.WithoutCancel(t.Context()), ann, id, clients[random.IntN(len(clients))], "copy")
			}
		})
	}
	all.Wait()
	count := w.Count(`SELECT count(*) FROM moment_shares WHERE moment_id = $1`, id)
	require.Positive(t, count)
	require.Equal(t, count, w.only(ann).ShareCount)
	_, err := w.Share(t.Context(), bob, id, clients[0], "copy")
	testkit.RequireKind(t, err, fault.NotFound)
}

// The stored picture can be opened by its member only, and goes with the moment.
func TestSetPicture_IsPrivateAndDeletedWithTheMoment(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.join("Ann"), w.join("Bob")
	w.match(ann, bob)
	w.work()
	id := w.only(ann).ID
	first, second := w.upload(ann), w.upload(ann)
	for range 2 {
		m, err := w.SetPicture(t.Context(), ann, id, first)
		require.NoError(t, err)
		require.Contains(t, *m.ImageURL, first.String())
	}
	opens := func(viewer, file uuid.UUID) error {
		_, err := w.members.OpenFile(t.Context(), web.Actor{ID: viewer}, file, blobs.Full, blobs.Conditions{})
		return err
	}
	require.NoError(t, opens(ann, first))
	testkit.RequireKind(t, opens(bob, first), fault.NotFound)
	_, err := w.SetPicture(t.Context(), bob, id, w.upload(bob))
	testkit.RequireKind(t, err, fault.NotFound, "of another member's moment")
	_, err = w.SetPicture(t.Context(), ann, id, second)
	require.NoError(t, err)
	testkit.RequireKind(t, opens(ann, first), fault.NotFound, "replaced")
	require.NoError(t, opens(ann, second))
	require.NoError(t, w.Delete(t.Context(), ann, id))
	testkit.RequireKind(t, opens(ann, second), fault.NotFound)
	require.Zero(t, w.Count(`SELECT count(*) FROM files WHERE owner_id = $1`, ann))
	require.Positive(t, w.Count(`SELECT count(*) FROM blob_removals WHERE file_id = $1`, second), "its blob is deleted by a job")
}

// A page reads only its rows, among 100,000 moments.
func TestList_ReadsOnlyItsPage(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.join("Ann")
	w.Exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		SELECT gen_random_uuid(), n || '@many.test', 'Many', 'Many', '1990-01-01', 'MANY' || lpad(n::text, 8, '0') FROM generate_series(1, 100) n`)
	w.Exec(`INSERT INTO shareable_moments (id, user_id, moment_type, subject_id, title, caption, created_at)
		SELECT gen_random_uuid(), u.id, 'badge', gen_random_uuid(), 'x', '', now() - n * interval '1 minute' FROM users u CROSS JOIN generate_series(1, 1000) n`)
	w.Exec(`ANALYZE shareable_moments, users`)
	lines := testkit.SelectAll[string](t, w.Pool, fmt.Sprintf(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) %s`, moments.MomentsSQL),
		ann, "2999-01-01", uuid.Max, 51)
	plan := strings.Join(lines, "\n")
	require.NotContains(t, plan, "Seq Scan on shareable_moments")
	require.NotRegexp(t, `rows=\d{4,}`, plan)

	seen := map[uuid.UUID]bool{}
	for cursor := ""; ; {
		list, next, err := w.List(t.Context(), ann, web.Page{Cursor: cursor, Limit: 50})
		require.NoError(t, err)
		for _, m := range list {
			require.False(t, seen[m.ID])
			seen[m.ID] = true
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	require.Len(t, seen, 1000)
}
