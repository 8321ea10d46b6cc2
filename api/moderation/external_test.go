package moderation_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/moderation"
	"heartward/api/platform/testkit"
)

const (
	flaggedResponse = `{"results":[{"flagged":true,"categories":{"harassment":true,"sexual":false,"self-harm":true},
		"category_scores":{"harassment":0.83,"sexual":0.9,"self-harm":0.99}}]}`
	cleanResponse = `{"results":[{"flagged":false,"categories":{"harassment":false},"category_scores":{"harassment":0.01}}]}`
)

// sendMessage sends a message between new members and returns its id.
func (w *env) sendMessage(content string) uuid.UUID {
	w.Helper()
	ann, ben := w.Member("Ann Moss"), w.Member("Ben Moss")
	w.match(ann, ben)
	require.NoError(w, w.send(ann, ben, content))
	return testkit.Select[uuid.UUID](w, w.Pool, `SELECT id FROM messages WHERE content = $1`, content)
}

func endpoint(t *testing.T, serve http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	return server.URL
}

// external returns a client of the endpoint.
func (w *env) external(e moderation.Endpoint) *moderation.External {
	files := media.New(w.Pool, w.blobs, w.members, w.jobs, nil)
	return moderation.NewExternal(w.s, w.chat.Flags, files, e)
}

func TestReview_StoresFlag(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	requests := make(chan map[string]string, 10)
	url := endpoint(t, func(out http.ResponseWriter, in *http.Request) {
		body := map[string]string{"auth": in.Header.Get("Authorization")}
		_ = json.NewDecoder(in.Body).Decode(&body)
		requests <- body
		response := flaggedResponse
		if body["input"] == "calm words" {
			response = cleanResponse
		}
		_, _ = out.Write([]byte(response))
	})
	external := w.external(moderation.Endpoint{URL: url, Key: "key", Model: "a-model"})
	ctx := context.Background()
	harmless, insulting := w.sendMessage("calm words"), w.sendMessage("rough words")
	require.NoError(t, external.Review(ctx, harmless))
	require.Equal(t, map[string]string{"input": "calm words", "model": "a-model", "auth": "Bearer key"}, <-requests)
	require.Zero(t, w.Count(`SELECT count(*) FROM message_flags`))

	require.NoError(t, external.Review(ctx, insulting))
	<-requests
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM message_flags WHERE message_id = $1 AND source = 'external' AND category = 'harassment'
		AND abs(score - 0.83) < 0.001 AND content = 'rough words' AND open`, insulting))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages WHERE id = $1 AND flag = 'harassment' AND rev = 0`, insulting))
	require.Len(t, w.queue(50), 1)

	for _, id := range []uuid.UUID{insulting, uuid.New()} { // already flagged, and unknown
		require.NoError(t, external.Review(ctx, id))
	}
	require.Empty(t, requests, "no request to the endpoint")
	w.Exec(`UPDATE messages SET flag_answer = 'fine' WHERE id = $1`, insulting)
	require.NoError(t, w.chat.Flags.Raise(ctx, insulting, "spam", 1), "the recipient accepts the message")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages WHERE id = $1 AND flag = 'harassment' AND flag_answer = 'fine'`, insulting))
}

func TestReview_FailingEndpointChangesNothing(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id := w.sendMessage("some words")
	ctx := context.Background()
	var later *moderation.RetryLaterError
	var refused *moderation.RefusedError
	for name, c := range map[string]struct {
		status int
		body   string
		check  func(error) bool
	}{
		"too many":    {429, "", func(err error) bool { return errors.As(err, &later) && later.After == 10*time.Second }},
		"broken":      {500, "", func(err error) bool { return err != nil && !errors.As(err, &refused) }},
		"forbidden":   {401, "", func(err error) bool { return errors.As(err, &refused) && refused.Status == 401 }},
		"redirect":    {302, "", func(err error) bool { return errors.As(err, &refused) && refused.Status == 302 }},
		"garbage":     {200, "<html>", func(err error) bool { return err != nil }},
		"no results":  {200, `{"results":[]}`, func(err error) bool { return err != nil }},
		"wrong types": {200, `{"results":[{"flagged":"yes"}]}`, func(err error) bool { return err != nil }},
		"nothing":     {200, "", func(err error) bool { return err != nil }},
	} {
		url := endpoint(t, func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Retry-After", "3")
			out.Header().Set("Location", "http://127.0.0.1:1/")
			out.WriteHeader(c.status)
			_, _ = out.Write([]byte(c.body))
		})
		err := w.external(moderation.Endpoint{URL: url, Model: "m"}).Review(ctx, id)
		require.True(t, c.check(err), "%s: %v", name, err)
	}
	hangingURL := endpoint(t, func(_ http.ResponseWriter, in *http.Request) {
		_, _ = io.Copy(io.Discard, in.Body) // the server detects a closed connection only after the body was read
		<-in.Context().Done()
	})
	shortCtx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, w.external(moderation.Endpoint{URL: hangingURL, Model: "m"}).Review(shortCtx, id), context.DeadlineExceeded)
	require.Zero(t, w.Count(`SELECT count(*) FROM message_flags`))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages WHERE id = $1 AND flag IS NULL AND rev = 0`, id))
}

func TestEnableReview_EnqueuesReviews(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.Member("Ann Moss"), w.Member("Ben Moss")
	w.match(ann, ben)
	require.NoError(t, w.send(ann, ben, "not reviewed"))
	require.Zero(t, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'review_message'`))
	w.chat.Messages.EnableReview(false)
	require.NoError(t, w.send(ann, ben, "looked at"))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job j JOIN messages m ON m.id = (j.args->>'messageId')::uuid
		WHERE j.kind = 'review_message' AND j.queue = $1 AND m.content = 'looked at'`, media.ReviewQueue))
}
