package activity_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/humatest"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/activity"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// notifications returns all notifications of the member, in pages of limit.
func (w *env) notifications(member uuid.UUID, limit int) (all []activity.Notification) {
	w.Helper()
	ids := map[string]bool{}
	for cursor := ""; ; {
		page, next, err := w.s.Notifications(w.Context(), web.Actor{ID: member}, cursor, limit)
		require.NoError(w, err)
		require.LessOrEqual(w, len(page), limit)
		for _, item := range page {
			require.False(w, ids[item.ID], "%s is listed twice", item.ID)
			ids[item.ID] = true
		}
		all = append(all, page...)
		if cursor = next; next == "" {
			return all
		}
	}
}

func (w *env) unread(member uuid.UUID) int {
	w.Helper()
	count, err := w.s.CountUnread(w.Context(), member)
	require.NoError(w, err)
	return count
}

func (w *env) read(member uuid.UUID, until time.Time, items ...activity.ReadItem) int {
	w.Helper()
	count, err := w.s.Read(w.Context(), web.Actor{ID: member}, items, until)
	require.NoError(w, err)
	return count
}

func itemOf(n activity.Notification) activity.ReadItem { return activity.ReadItem{ID: n.ID, At: n.At} }

func TestNotifications_GroupLikesByDayOfTheMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("Ann", 100)
	w.SetPreference(ann, "timeZone", "America/Los_Angeles")
	zone, err := time.LoadLocation("America/Los_Angeles")
	require.NoError(t, err)
	y, m, d := w.now.In(zone).AddDate(0, 0, -3).Date()
	day := time.Date(y, m, d, 0, 0, 0, 0, zone)
	like := func(name string, at time.Time) {
		w.like(w.member(name, 200), ann, "like", 0)
		w.Exec(`UPDATE user_likes SET created_at = $1 WHERE from_user_id = (SELECT id FROM users WHERE full_name = $2)`, at, name)
	}
	like("Late", day.Add(-time.Minute)) // the day before
	like("Bea", day)
	for i := range 30 {
		like(fmt.Sprintf("Many%d", i), day.Add(time.Duration(i+1)*time.Minute))
	}
	like("Cleo", day.Add(23*time.Hour+59*time.Minute))
	like("Dan", day.Add(24*time.Hour))
	like("Eve", day.Add(24*time.Hour+time.Second))
	for _, limit := range []int{1, 2, 50} {
		list := w.notifications(ann, limit)
		texts := []string{}
		for _, n := range list {
			texts = append(texts, n.Text)
		}
		require.Equal(t, []string{"Eve and 1 other like you.", "Cleo and more than 20 others like you.", "Late likes you."}, texts, "in pages of %d", limit)
	}
	list := w.notifications(ann, 50)
	require.Equal(t, 3, w.unread(ann))
	require.Equal(t, "likes-"+day.Format("2006-01-02"), list[1].ID)

	require.Equal(t, 2, w.read(ann, time.Time{}, itemOf(list[1])))
	require.True(t, w.notifications(ann, 50)[1].IsRead)
	w.Exec(`UPDATE user_likes SET created_at = $1 WHERE from_user_id = (SELECT id FROM users WHERE full_name = 'Bea')`, day.Add(24*time.Hour-time.Second))
	require.Equal(t, 3, w.unread(ann), "a later like of the day makes its group unread")
	again := w.notifications(ann, 50)[1]
	require.Equal(t, "Bea and more than 20 others like you.", again.Text)
	require.False(t, again.IsRead)
}

func TestRead_IsIdempotentAndTellsTheDevices(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("Ann", 100)
	for i := range 5 {
		w.match(ann, w.member(fmt.Sprintf("Other%d", i), 200), 10+i)
	}
	list := w.notifications(ann, 50)
	require.Len(t, list, 5)
	w.events.Take()
	for range 2 {
		require.Equal(t, 4, w.read(ann, time.Time{}, itemOf(list[3]), itemOf(list[3])))
		require.Equal(t, []string{"member." + ann.String() + ` {"type":"notifications_changed"}`}, w.events.Take())
	}
	require.Equal(t, 2, w.read(ann, list[2].At))
	require.Equal(t, 2, w.read(ann, list[4].At), "the position does not move back")
	require.Equal(t, 2, w.unread(ann))
	rows := testkit.Select[int](t, w.Pool, `SELECT count(*) FROM read_notifications`)
	require.Zero(t, rows, "what was read one by one before the position is deleted")
	require.Zero(t, w.read(ann, w.now.Add(time.Hour)))
	w.match(ann, w.member("New", 200), -1)
	require.Equal(t, 1, w.unread(ann), "a position in the future would hide what is to come")

	ben := w.member("Ben", 100)
	for i := range 1005 {
		w.Exec(`INSERT INTO read_notifications (user_id, item, read_at) VALUES ($1, 'matched-' || $2::int, now() - $2 * interval '1 minute')`, ben, i)
	}
	w.read(ben, time.Time{}, activity.ReadItem{ID: "matched-1", At: w.now})
	require.NoError(t, w.Pool.QueryRow(t.Context(), `SELECT count(*) FROM read_notifications WHERE user_id = $1`, ben).Scan(&rows))
	require.Equal(t, 1000, rows)
}

func TestCountUnread_IsAtMostAHundred(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("Ann", 100)
	w.Exec(`INSERT INTO security_notices (id, user_id, kind, session_id, user_agent, place, token_hash, created_at)
		SELECT gen_random_uuid(), $1, 'sign_in', $1, '', '', sha256(n::text::bytea), now() - n * interval '1 hour' FROM generate_series(1, 150) n`, ann)
	require.Equal(t, 100, w.unread(ann))
	require.Len(t, w.notifications(ann, 50), 150)
}

func TestHTTP_Notifications(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.member("Ann", 100), w.member("Bob", 200)
	w.match(ann, bob, 20)
	w.like(w.member("Cleo", 200), ann, "super_like", 10)
	_, api := humatest.New(t)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), web.Actor{ID: ann})))
	})
	activity.Register(web.ForFeature(api, "activity"), w.s)
	resp := api.Get("/api/notifications?limit=1")
	require.Equal(t, http.StatusOK, resp.Code, resp.Body)
	var items []map[string]any
	require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &items))
	require.Len(t, items, 1)
	require.Equal(t, "super_like_received", items[0]["kind"])
	require.Equal(t, "Cleo super liked you.", items[0]["text"])
	require.Equal(t, "/matches/likes", items[0]["path"])
	require.Equal(t, "likes", items[0]["category"])
	require.Equal(t, false, items[0]["isRead"])
	link := regexp.MustCompile(`<(/api/notifications\?[^>]+)>; rel="next"`).FindStringSubmatch(resp.Header().Get("Link"))
	require.Len(t, link, 2, resp.Header().Get("Link"))
	last := api.Get(link[1])
	require.Contains(t, last.Body.String(), `"text":"You and Bob like each other."`)
	require.Empty(t, last.Header().Get("Link"))

	require.JSONEq(t, `{"unread":2}`, strings.TrimSpace(withoutSchema(api.Get("/api/notifications/unread").Body.String())))
	read := api.Post("/api/notifications/read", map[string]any{"items": []any{map[string]any{"id": items[0]["id"], "at": items[0]["at"]}}})
	require.Equal(t, http.StatusOK, read.Code, read.Body)
	require.JSONEq(t, `{"unread":1}`, withoutSchema(read.Body.String()))
	all := api.Post("/api/notifications/read", map[string]any{"until": items[0]["at"]})
	require.JSONEq(t, `{"unread":0}`, withoutSchema(all.Body.String()))
	for _, id := range []string{"", "x", "likes", "likes 1", strings.Repeat("a", 90) + "-1"} {
		require.Equal(t, http.StatusUnprocessableEntity, api.Post("/api/notifications/read", map[string]any{"items": []any{map[string]any{"id": id, "at": items[0]["at"]}}}).Code, id)
	}
	_, _, err := w.s.Notifications(t.Context(), web.Actor{ID: ann}, "nonsense", 1)
	testkit.RequireKind(t, err, fault.Invalid)
}

func withoutSchema(body string) string {
	return regexp.MustCompile(`"\$schema":"[^"]*",`).ReplaceAllString(body, "")
}
