package matching_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/humatest"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/platform/web"
)

func TestHTTP_LikesAndPasses(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann, bob := member(t, pool, "Ann"), member(t, pool, "Bob")
	caller := ann
	_, api := humatest.New(t)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), web.Actor{ID: caller})))
	})
	matching.Register(web.ForFeature(api, "matching"), s)

	assert.JSONEq(t, `[]`, api.Get("/api/matches").Body.String())
	for _, body := range []map[string]any{
		{}, {"toUserId": "1"}, {"toUserId": ann}, {"toUserId": bob, "likeType": "love"},
		{"toUserId": bob, "targetUserId": ann}, {"toUserId": bob, "extra": 1}, {"toUserId": 7},
	} {
		resp := api.Post("/api/likes", body)
		assert.Equal(t, http.StatusUnprocessableEntity, resp.Code, "%v: %s", body, resp.Body)
	}
	assert.Equal(t, http.StatusNotFound, api.Post("/api/likes", map[string]any{"toUserId": uuid.New()}).Code)
	assert.Equal(t, http.StatusNotFound, api.Post("/api/passes", map[string]any{"targetUserId": uuid.New()}).Code)
	assert.Equal(t, http.StatusNoContent, api.Post("/api/passes", map[string]any{"targetUserId": bob}).Code)

	resp := api.Post("/api/likes", map[string]any{"targetUserId": bob, "likeType": "super"})
	assert.Equal(t, http.StatusCreated, resp.Code)
	assert.JSONEq(t, `{"isMatch":false,"likeType":"super_like","targetUserId":"`+bob.String()+`","matchId":null,"conversationId":null}`,
		withoutSchema(t, resp.Body.Bytes()))
	assert.Equal(t, http.StatusOK, api.Post("/api/likes", map[string]any{"toUserId": bob}).Code)

	caller = bob
	resp = api.Post("/api/likes", map[string]any{"toUserId": ann, "likeType": "regular"})
	assert.Equal(t, http.StatusCreated, resp.Code)
	var result matching.LikeResult
	require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &result))
	assert.True(t, result.IsMatch)
	path := "/api/matches/" + result.MatchID.String() + "/seen"
	assert.Equal(t, http.StatusNoContent, api.Post(path).Code)
	assert.Equal(t, http.StatusNotFound, api.Post("/api/matches/"+uuid.NewString()+"/seen").Code)
	list := api.Get("/api/matches?limit=1")
	assert.Empty(t, list.Header().Get("Link"))
	assert.Contains(t, list.Body.String(), `"seen":true`)
	assert.Contains(t, list.Body.String(), `"firstName":"Ann"`)
}

func TestHTTP_PagesListsAndUnmatches(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann, bob, cid, dan := member(t, pool, "Ann"), member(t, pool, "Bob"), member(t, pool, "Cid"), member(t, pool, "Dan")
	_, api := humatest.New(t)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), web.Actor{ID: ann})))
	})
	matching.Register(web.ForFeature(api, "matching"), s)
	for _, path := range []string{"/api/likes/received", "/api/passes", "/api/matches?sort=unread"} {
		assert.JSONEq(t, `[]`, api.Get(path).Body.String(), path)
	}
	match := pair(t, s, ann, bob)
	pair(t, s, ann, cid)
	like(t, s, dan, ann)
	first := api.Get("/api/matches?sort=unread&limit=1")
	assert.Contains(t, first.Body.String(), `"firstName":"Cid"`)
	next, _, ok := strings.Cut(strings.TrimPrefix(first.Header().Get("Link"), "<"), ">")
	require.True(t, ok)
	second := api.Get(next)
	assert.Contains(t, second.Body.String(), `"firstName":"Bob"`, next)
	assert.Empty(t, second.Header().Get("Link"))
	assert.Equal(t, http.StatusUnprocessableEntity, api.Get("/api/matches?sort=oldest").Code)
	assert.JSONEq(t, `{"matches":2,"newMatches":2,"conversations":0,"unread":0,"datesPlanned":0}`, withoutSchema(t, api.Get("/api/matches/counts").Body.Bytes()))
	likes := api.Get("/api/likes/received")
	assert.Contains(t, likes.Body.String(), `"likeType":"like","comment":"","photoUrl":null,"prompt":null`)
	assert.Equal(t, "0", likes.Header().Get("X-Remaining"))
	like(t, s, member(t, pool, "Eve"), ann)
	assert.Equal(t, "1", api.Get("/api/likes/received?limit=1").Header().Get("X-Remaining"))
	assert.Empty(t, likes.Header().Get("X-Unseen"))
	seen := url.QueryEscape(received(t, s, ann, 50)[1].LikedAt.Format(time.RFC3339Nano))
	assert.Equal(t, "1", api.Get("/api/likes/received?seenAt="+seen).Header().Get("X-Unseen"))
	bad := api.Get("/api/likes/received?seenAt=yesterday")
	assert.Equal(t, http.StatusUnprocessableEntity, bad.Code)
	assert.Contains(t, bad.Body.String(), "query.seenAt")
	assert.Contains(t, api.Get("/api/likes/allowance").Body.String(), `"likesLeft":98,"superLikesLeft":3`)

	for path, status := range map[string]int{
		"/api/matches/" + match.MatchID.String(): http.StatusNoContent, "/api/matches/" + uuid.NewString(): http.StatusNotFound,
		"/api/passes/" + bob.String(): http.StatusNoContent, "/api/passes/" + uuid.NewString(): http.StatusNoContent,
		"/api/passes/" + bob.String() + "?clientId=x":               http.StatusUnprocessableEntity,
		"/api/passes/" + bob.String() + "?clientId=" + bob.String(): http.StatusNoContent,
	} {
		assert.Equal(t, status, api.Delete(path).Code, path)
	}
	pass := map[string]any{"toUserId": dan, "clientId": uuid.NewString()}
	assert.Equal(t, http.StatusNoContent, api.Post("/api/passes", pass).Code)
	assert.Contains(t, api.Get("/api/passes").Body.String(), `"firstName":"Dan"`)
	response := api.Post("/api/likes", map[string]any{"toUserId": dan, "photoId": uuid.NewString()})
	assert.Equal(t, http.StatusUnprocessableEntity, response.Code)
}

func withoutSchema(t *testing.T, body []byte) string {
	t.Helper()
	var fields map[string]any
	require.NoError(t, json.Unmarshal(body, &fields))
	delete(fields, "$schema")
	text, err := json.Marshal(fields)
	require.NoError(t, err)
	return string(text)
}
