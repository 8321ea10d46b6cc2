package activity_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/humatest"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/activity"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// env is an activity service with a database. Its helpers take times in minutes ago.
type env struct {
	testkit.DB
	events *bustest.Recorder
	s      *activity.Service
	now    time.Time
}

func newEnv(t *testing.T) *env {
	db, events := pgtest.NewDB(t), &bustest.Recorder{}
	return &env{DB: db, events: events, s: activity.New(db.Pool, events), now: time.Now().UTC().Truncate(time.Microsecond)}
}

func (w *env) minutesAgo(minutes int) time.Time {
	return w.now.Add(-time.Duration(minutes) * time.Minute)
}

func (w *env) member(name string, minutes int) uuid.UUID {
	w.Helper()
	return w.Member(name, testkit.Columns{"created_at": w.minutesAgo(minutes)}).ID
}

func (w *env) like(from, to uuid.UUID, kind string, minutes int) {
	w.Helper()
	w.Exec(`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at) VALUES ($1, $2, $3, $4, $5)`,
		uuid.Must(uuid.NewV7()), from, to, kind, w.minutesAgo(minutes))
}

func (w *env) match(x, y uuid.UUID, minutes int) {
	w.Helper()
	w.Exec(`INSERT INTO matches (id, user_a, user_b, created_at) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3), $4)`,
		uuid.Must(uuid.NewV7()), x, y, w.minutesAgo(minutes))
}

func (w *env) media(owner uuid.UUID, slot string, position, minutes int) {
	w.Helper()
	id := uuid.Must(uuid.NewV7())
	w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes, created_at) VALUES ($1, $2, 'image/webp', 1, $3)`, id, owner, w.minutesAgo(minutes))
	w.Exec(`INSERT INTO member_media (file_id, user_id, slot, position) VALUES ($1, $2, $3, $4)`, id, owner, slot, position)
}

// texts returns the texts of all pages of limit items.
func (w *env) texts(member uuid.UUID, limit int) []string {
	w.Helper()
	texts, ids := []string{}, map[string]bool{}
	for cursor := ""; ; {
		items, next, err := w.s.List(w.Context(), web.Actor{ID: member}, cursor, limit)
		require.NoError(w, err)
		require.LessOrEqual(w, len(items), limit)
		for _, item := range items {
			require.False(w, ids[item.ID], "%s is listed twice", item.ID)
			ids[item.ID] = true
			texts = append(texts, item.Text)
		}
		if cursor = next; next == "" {
			return texts
		}
	}
}

func TestList_ListsAllKindsByNewest(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob, cleo := w.member("Ann", 100), w.member("Bob", 200), w.member("Cleo", 200)
	w.media(ann, "photo", 1, 99)
	w.media(ann, "gallery_image", 1, 98)
	w.media(ann, "header_banner", 1, 97)
	w.media(ann, "audio_greeting", 1, 96)
	w.media(ann, "video_greeting", 1, 95)
	w.media(ann, "gallery_video", 1, 94)
	w.Exec(`UPDATE users SET verified_at = $2 WHERE id = $1`, ann, w.minutesAgo(90))
	w.like(ann, bob, "like", 80)
	w.like(ann, cleo, "super_like", 70)
	w.match(ann, cleo, 60)
	friend := w.member("Dan", 50)
	w.Exec(`INSERT INTO referrals (id, referrer_id, referred_user_id, referral_code, status, joined_at, completed_at)
		VALUES (gen_random_uuid(), $2, $1, 'ABCDEF', 'completed', $3, $4)`, friend, ann, w.minutesAgo(50), w.minutesAgo(40))
	want := []string{
		"A friend completed their profile: a week of Premium for you both.",
		"A friend joined through your link.",
		"You and Cleo like each other.",
		"You super liked Cleo.",
		"You liked Bob.",
		"Your profile was verified.",
		"You added a video.",
		"You added a video.",
		"You recorded a voice greeting.",
		"You chose a new header picture.",
		"You added a photo.",
		"You added a photo.",
	}
	for _, limit := range []int{1, 2, 5, 50} {
		assert.Equal(t, want, w.texts(ann, limit), "in pages of %d", limit)
	}
	assert.Equal(t, []string{"You and Ann like each other."}, w.texts(cleo, 50),
		"a like that led to a match is not listed")
	assert.Empty(t, w.texts(bob, 50), "likes received are not listed")
	assert.Empty(t, w.texts(friend, 50))
}

func TestList_PagesWithEqualTimes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("Ann", 100)
	for i := range 9 {
		other := w.member(fmt.Sprintf("Other%d", i), 200)
		w.like(ann, other, "like", 10)
		w.match(ann, other, 10)
	}
	assert.Len(t, w.texts(ann, 2), 18)
	assert.Equal(t, w.texts(ann, 50), w.texts(ann, 3))
}

func TestList_HidesNamesOfInvisibleMembers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("Ann", 100)
	hide := map[string]string{
		"Blocked":     `INSERT INTO blocks (blocker_id, blocked_id) VALUES ($2, $1)`,
		"Blocking":    `INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`,
		"Suspended":   `UPDATE users SET profile_status = 'suspended' WHERE id = $2 AND id <> $1`,
		"Underreview": `UPDATE users SET profile_status = 'under_review' WHERE id = $2 AND id <> $1`,
		"Paused":      `UPDATE users SET paused_at = now() WHERE id = $2 AND id <> $1`,
		"Incognito":   `UPDATE users SET incognito = true WHERE id = $2 AND id <> $1`,
	}
	for name, sql := range hide {
		other := w.member(name, 200)
		w.like(ann, other, "like", 10)
		w.Exec(sql, ann, other)
	}
	items, _, err := w.s.List(t.Context(), web.Actor{ID: ann}, "", 50)
	require.NoError(t, err)
	require.Len(t, items, len(hide))
	for _, item := range items {
		assert.Nil(t, item.User)
		assert.Equal(t, "You liked someone who is not shown at the moment.", item.Text)
	}
	hidden := w.member("Gone", 200)
	w.match(ann, hidden, 5)
	w.Exec(`UPDATE matches SET unmatched_at = now()`)
	assert.Len(t, w.texts(ann, 50), len(hide), "ended matches are not listed")
	incognito := w.member("Back", 200)
	w.Exec(`UPDATE users SET incognito = true WHERE id = $1`, incognito)
	w.like(ann, incognito, "like", 4)
	w.like(incognito, ann, "like", 3)
	items, _, err = w.s.List(t.Context(), web.Actor{ID: ann}, "", 1)
	require.NoError(t, err)
	require.NotNil(t, items[0].User, "a liked incognito member who likes the caller")
	assert.Equal(t, "Back", items[0].User.FirstName)
}

func TestHTTP_ListActivity(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.member("Ann", 100), w.member("Bob", 200)
	w.like(ann, bob, "super_like", 20)
	w.like(ann, w.member("Cleo", 200), "like", 10)
	_, api := humatest.New(t)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), web.Actor{ID: ann})))
	})
	activity.Register(web.ForFeature(api, "activity"), w.s)
	resp := api.Get("/api/users/me/activity?limit=1")
	require.Equal(t, http.StatusOK, resp.Code, resp.Body)
	var items []map[string]any
	require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &items))
	require.Len(t, items, 1)
	assert.Equal(t, "liked", items[0]["kind"])
	assert.Equal(t, "Cleo", items[0]["user"].(map[string]any)["firstName"])
	link := regexp.MustCompile(`<(/api/users/me/activity\?[^>]+)>; rel="next"`).FindStringSubmatch(resp.Header().Get("Link"))
	require.Len(t, link, 2, resp.Header().Get("Link"))
	last := api.Get(link[1])
	assert.Contains(t, last.Body.String(), `"kind":"super_liked"`)
	assert.NotContains(t, last.Body.String(), `"user":null`)
	assert.Empty(t, last.Header().Get("Link"))
	_, _, err := w.s.List(t.Context(), web.Actor{ID: ann}, "nonsense", 1)
	testkit.RequireKind(t, err, fault.Invalid)
}

func TestList_ListsAcceptedDates(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, eve := w.member("Ada", 900), w.member("Ben", 900), w.member("Eve", 900)
	date := func(x, y uuid.UUID, status string, minutes int) {
		conversation := uuid.Must(uuid.NewV7())
		w.Exec(`INSERT INTO conversations (id, user_a, user_b) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3))`, conversation, x, y)
		w.Exec(`INSERT INTO dates (id, conversation_id, created_by, client_id, place, at, time_zone, status, proposed_by, changed_by, accepted_at, message_seq)
			VALUES ($1, $2, $3, $1, 'Café', now() + interval '1 day', 'UTC', $5, $3, $4, $6, 1)`,
			uuid.Must(uuid.NewV7()), conversation, x, y, status, map[bool]any{true: w.minutesAgo(minutes)}[status == "accepted"])
	}
	date(ada, ben, "accepted", 10)
	date(ada, eve, "proposed", 5)
	require.Equal(t, []string{"You and Ben planned a date."}, w.texts(ada, 50))
	require.Equal(t, []string{"You and Ada planned a date."}, w.texts(ben, 50))
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, ben)
	require.Equal(t, []string{"You planned a date with someone who is not shown at the moment."}, w.texts(ada, 50))
	w.Exec(`UPDATE conversations SET closed_at = now()`)
	require.Empty(t, w.texts(ada, 50))
}
