package messaging_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/humatest"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging"
	"heartward/api/messaging/conversations"
	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/web"
)

func newAPI(w *messagingtest.Env, actor web.Actor) humatest.TestAPI {
	web.Prepare()
	_, api := humatest.New(w)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), actor)))
	})
	messaging.Register(web.ForFeature(api, "messaging"), w.S)
	return api
}

func TestHTTP_OperationsOnStoredMessages(t *testing.T) {
	t.Parallel()
	w := messagingtest.New(t)
	a, b, _ := w.Pair()
	api := newAPI(w, a)
	m := w.Send(a, b, "a needle in it")
	conversation, message := "/api/conversations/"+m.ConversationID.String(), "/api/conversations/"+m.ConversationID.String()+"/messages/1"
	require.Equal(t, 200, api.Put(message+"/reaction", map[string]any{"emoji": "🔥"}).Code)
	require.Equal(t, 200, api.Delete(message+"/reaction").Code)
	for _, emoji := range []any{"", "a", "👍👍", 7, nil, strings.Repeat("👍", 17)} {
		require.Equal(t, 422, api.Put(message+"/reaction", map[string]any{"emoji": emoji}).Code, "%v", emoji)
	}
	for seq, status := range map[string]int{"0": 422, "-1": 422, "x": 422, "1.5": 422, "2": 404, "9223372036854775807": 404, "9223372036854775808": 422} {
		require.Equal(t, status, api.Put(conversation+"/messages/"+seq+"/reaction", map[string]any{"emoji": "🔥"}).Code, seq)
		require.Equal(t, status, api.Delete(conversation+"/messages/"+seq).Code, seq)
	}
	w.React(b, w.Send(a, b, "second"), "👍")
	changes := api.Get(conversation + "/changes?after=0&limit=1")
	require.Equal(t, "<"+conversation+`/changes?after=2>; rel="next"`, changes.Header().Get("Link"))
	require.Empty(t, api.Get(conversation+"/changes?after=2").Header().Get("Link"))
	for query, status := range map[string]int{"?after=-1": 422, "?after=x": 422, "?limit=0": 422, "?limit=51": 422, "?after=9223372036854775807": 200} {
		require.Equal(t, status, api.Get(conversation+"/changes"+query).Code, query)
	}
	for _, body := range []map[string]any{{"mute": "hour"}, {"mute": "off", "pinned": true}, {"pinned": false}, {"archived": true}, {"turnEnded": true}, {}} {
		require.Equal(t, 200, api.Put(conversation+"/settings", body).Code, "%v", body)
	}
	for _, body := range []map[string]any{{"mute": "decade"}, {"mute": 7}, {"pinned": "yes"}, {"pin": true}, {"archived": 1}, {"turnEnded": false}} {
		require.Equal(t, 422, api.Put(conversation+"/settings", body).Code, "%v", body)
	}
	for _, c := range []struct {
		query, q string
		status   int
	}{{"", "needle", 200}, {"", "", 422}, {"", "n", 422}, {"?cursor=x", "needle", 422}, {"", " n ", 422}, {"", "a\x00b", 422}, {"", "n\u202e", 422}} {
		require.Equal(t, c.status, api.Post("/api/messages/search"+c.query, map[string]any{"q": c.q}).Code, "%+v", c)
	}
	require.Equal(t, 422, api.Post("/api/messages/search", map[string]any{}).Code)
	require.Equal(t, 422, api.Post("/api/messages/search?q=needle", map[string]any{"q": "n"}).Code, "the text in the address has no effect")
	stranger := newAPI(w, w.Member("Ada Moss"))
	for _, status := range []int{
		stranger.Put(message+"/reaction", map[string]any{"emoji": "🔥"}).Code, stranger.Delete(message + "/reaction").Code,
		stranger.Delete(message).Code, stranger.Get(conversation + "/changes").Code, stranger.Put(conversation+"/settings", map[string]any{}).Code,
		stranger.Post(conversation + "/accept").Code, stranger.Post(conversation + "/decline").Code, stranger.Delete(conversation).Code,
	} {
		require.Equal(t, 404, status)
	}
	require.JSONEq(t, `[]`, stranger.Post("/api/messages/search", map[string]any{"q": "needle"}).Body.String())
	require.Equal(t, 200, api.Delete(message).Code)
	require.Equal(t, 204, api.Delete(conversation).Code)
	require.Equal(t, 204, api.Delete(conversation).Code)

	c := w.Member("Ada Moss")
	body := map[string]any{"recipientId": c.ID, "content": "hello", "clientId": uuid.Must(uuid.NewV7())}
	require.Equal(t, 201, api.Post("/api/messages/requests", body).Code)
	require.Equal(t, 200, api.Post("/api/messages/requests", body).Code)
	request := "/api/conversations/" + w.OnlyConversation(c).ID.String()
	require.Equal(t, 404, api.Post(request+"/accept").Code)
	require.Equal(t, 200, newAPI(w, c).Post(request+"/accept").Code)
	for field, value := range map[string]any{"recipientId": "x", "content": strings.Repeat("x", 501), "clientId": nil, "extra": 1} {
		bad := map[string]any{"recipientId": w.Member("Ada Moss").ID, "content": "hello", "clientId": uuid.Must(uuid.NewV7()), field: value}
		require.Equal(t, 422, api.Post("/api/messages/requests", bad).Code, field)
	}
}

// Messages may have no client id. Files in the body are refused.
func TestSendMessage_AcceptsBodyWithoutClientID(t *testing.T) {
	t.Parallel()
	w := messagingtest.New(t)
	a, b, _ := w.Pair()
	api := newAPI(w, a)
	body := map[string]any{"recipientId": b.ID, "content": "hello", "messageType": "text", "audioData": nil, "videoData": nil}
	for range 2 {
		require.Equal(t, http.StatusCreated, api.Post("/api/messages", body).Code, "each call is a new message")
	}
	for _, field := range []string{"audioData", "videoData", "imageData"} {
		refused := api.Post("/api/messages", map[string]any{"recipientId": b.ID, "content": "", field: []int{1, 2, 3}})
		require.Equal(t, http.StatusUnprocessableEntity, refused.Code)
		var problem web.Problem
		require.NoError(t, json.Unmarshal(refused.Body.Bytes(), &problem))
		require.Equal(t, "body."+field, problem.Errors[0].Location)
		require.Contains(t, problem.Detail, "/api/uploads")
	}
}

func TestHTTP_Operations(t *testing.T) {
	t.Parallel()
	w := messagingtest.New(t)
	a, b, _ := w.Pair()
	api := newAPI(w, a)
	clientID := uuid.Must(uuid.NewV7()).String()
	body := map[string]any{"recipientId": b.ID, "content": "hello", "clientId": clientID}
	require.Equal(t, http.StatusCreated, api.Post("/api/messages", body).Code)
	require.Equal(t, http.StatusOK, api.Post("/api/messages", body).Code)
	body["content"] = "other"
	require.Equal(t, http.StatusConflict, api.Post("/api/messages", body).Code)
	require.Equal(t, http.StatusNoContent, api.Post("/api/messages/"+b.ID.String()+"/receipts", map[string]any{"readSeq": 1}).Code)
	for path, want := range map[string]int{
		"/api/conversations":                                          200,
		"/api/conversations?limit=51":                                 422,
		"/api/conversations?cursor=x":                                 422,
		"/api/conversations/" + a.ID.String():                         200,
		"/api/conversations/" + b.ID.String():                         404,
		"/api/conversations?with=" + b.ID.String():                    200,
		"/api/conversations?with=" + uuid.NewString():                 200,
		"/api/conversations?with=x":                                   422,
		"/api/messages/" + b.ID.String():                              200,
		"/api/messages/" + b.ID.String() + "?after=0":                 200,
		"/api/messages/" + b.ID.String() + "?after=0&before=2":        422,
		"/api/messages/" + b.ID.String() + "?after=-2":                422,
		"/api/messages/" + a.ID.String() + "/" + b.ID.String():        200,
		"/api/messages/" + b.ID.String() + "/" + a.ID.String():        404,
		"/api/messages/" + a.ID.String():                              404,
		"/api/sync":                                                   200,
		"/api/sync?cursor=x":                                          422,
		"/api/messages/" + b.ID.String() + "?after=99999999999999999": 200,
	} {
		response := api.Get(path)
		require.Equal(t, want, response.Code, "%s: %s", path, response.Body)
	}
	var with []conversations.Conversation
	require.NoError(t, json.Unmarshal(api.Get("/api/conversations?with="+b.ID.String()).Body.Bytes(), &with))
	require.Len(t, with, 1)
	require.Contains(t, api.Get("/api/conversations?with="+with[0].ID.String()).Body.String(), with[0].ID.String())
	stranger, _, _ := w.Pair()
	for _, id := range []uuid.UUID{uuid.New(), stranger.ID, a.ID} {
		require.JSONEq(t, `[]`, api.Get("/api/conversations?with="+id.String()).Body.String())
	}
	var list []map[string]any
	require.NoError(t, json.Unmarshal(api.Get("/api/messages/"+a.ID.String()+"/"+b.ID.String()).Body.Bytes(), &list))
	require.Len(t, list, 1)
	for _, field := range []string{"id", "clientId", "conversationId", "seq", "senderId", "content", "messageType", "sentAt", "readAt"} {
		require.Contains(t, list[0], field)
	}
	require.Equal(t, clientID, list[0]["clientId"])
}

func TestHTTP_RefusesInvalidBodies(t *testing.T) {
	t.Parallel()
	w := messagingtest.New(t)
	a, b, _ := w.Pair()
	api := newAPI(w, a)
	good := func(change string, to any) map[string]any {
		body := map[string]any{"recipientId": b.ID, "content": "x", "clientId": uuid.Must(uuid.NewV7())}
		if body[change] = to; to == nil {
			delete(body, change)
		}
		return body
	}
	for _, body := range []map[string]any{
		good("recipientId", nil), good("recipientId", "x"), good("recipientId", 7), good("content", nil), good("content", 7),
		good("content", ""), good("content", "\x00"), good("content", strings.Repeat("x", 4001)), good("audioData", []int{1}),
		good("clientId", "x"), good("messageType", "audio"), good("messageType", "smoke"), good("extra", 1),
	} {
		response := api.Post("/api/messages", body)
		require.Equal(t, 422, response.Code, "%v: %s", body, response.Body)
		require.Equal(t, "application/problem+json", response.Header().Get("Content-Type"))
	}
	for _, body := range []any{map[string]any{"readSeq": -1}, map[string]any{"readSeq": "x"}, map[string]any{"readSeq": 1.5}, []int{1}} {
		require.Equal(t, 422, api.Post("/api/messages/"+b.ID.String()+"/receipts", body).Code, "%v", body)
	}
	require.Zero(t, w.Count(`SELECT count(*) FROM messages`))
}
