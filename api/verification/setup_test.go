package verification_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/files"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/verification"
)

func TestMain(m *testing.M) {
	web.Prepare()
	os.Exit(m.Run())
}

// env is a server with the operations of packages verification and members. Headers
// contain the actor of a request and whether the actor is a moderator.
type env struct {
	testkit.DB
	*verification.Service
	media  *media.Service
	blobs  *blobs.Service
	folder string
	http   http.Handler
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t), folder: t.TempDir()}
	store, err := files.Open(context.Background(), "", w.folder)
	require.NoError(t, err)
	w.blobs = blobs.New(w.Pool, store)
	m := members.New(w.Pool, w.blobs)
	jobs := pgtest.Jobs(t, w.Pool)
	w.media = media.New(w.Pool, w.blobs, m, jobs, nil)
	w.Service = verification.New(w.Pool, w.media, w.blobs, jobs)
	mux := http.NewServeMux()
	api := humago.New(mux, huma.DefaultConfig("test", "1"))
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		actor := web.Actor{ID: uuid.MustParse(ctx.Header("X-Actor")), Moderator: ctx.Header("X-Moderator") != ""}
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), actor)))
	})
	members.Register(web.ForFeature(api, "members"), m)
	media.Register(web.ForFeature(api, "media"), w.media)
	verification.Register(web.ForFeature(api, "verification"), w.Service)
	w.http = mux
	return w
}

func (w *env) call(caller web.Actor, method, path, contentType, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("X-Actor", caller.ID.String())
	r.Header.Set("Content-Type", contentType)
	if caller.Moderator {
		r.Header.Set("X-Moderator", "yes")
	}
	resp := httptest.NewRecorder()
	w.http.ServeHTTP(resp, r)
	return resp
}

func (w *env) json(caller web.Actor, method, path, body string) *httptest.ResponseRecorder {
	return w.call(caller, method, path, "application/json", body)
}

// upload uploads a picture and sends its id. It deletes the upload when it was refused,
// as the app does.
func (w *env) upload(caller web.Actor, method, path string, raw []byte) *httptest.ResponseRecorder {
	w.Helper()
	upload := w.uploaded(caller, raw)
	resp := w.json(caller, method, path, `{"uploadId":"`+upload.String()+`"}`)
	if resp.Code >= 400 {
		w.drop(caller, upload)
	}
	return resp
}

// uploaded returns a complete upload for the profile.
func (w *env) uploaded(caller web.Actor, raw []byte) uuid.UUID {
	w.Helper()
	u, err := w.media.Create(context.Background(), caller.ID, uuid.New(), media.ForProfile, int64(len(raw)))
	require.NoError(w, err)
	_, err = w.media.Append(context.Background(), caller.ID, u.ID, 0, bytes.NewReader(raw), int64(len(raw)))
	require.NoError(w, err)
	return u.ID
}

func (w *env) drop(caller web.Actor, upload uuid.UUID) {
	w.Helper()
	require.NoError(w, w.media.Remove(context.Background(), caller.ID, upload))
	_, err := w.blobs.RemoveDue(context.Background())
	require.NoError(w, err)
}

func (w *env) selfie(caller web.Actor) *httptest.ResponseRecorder {
	return w.upload(caller, "PUT", "/api/verification/selfie", picture(w))
}

// submitted returns a member with a pending selfie, and the verification's id.
func (w *env) submitted(name string) (web.Actor, uuid.UUID) {
	w.Helper()
	p := w.Member(name)
	require.Equal(w, 200, w.json(p, "POST", "/api/verification", "").Code)
	require.Equal(w, 200, w.selfie(p).Code)
	id := testkit.Select[uuid.UUID](w, w.Pool, `SELECT id FROM verifications WHERE user_id = $1`, p.ID)
	return p, id
}

func picture(t testing.TB) []byte { return pictureOf(t, 40, 30) }

func pictureOf(t testing.TB, width, height int) []byte {
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, image.NewGray(image.Rect(0, 0, width, height))))
	return out.Bytes()
}

func decode[T any](t testing.TB, resp *httptest.ResponseRecorder) (value T) {
	t.Helper()
	require.Equal(t, 200, resp.Code, "%s", resp.Body)
	require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &value))
	return value
}

func (w *env) countBlobs() (n int) {
	w.Helper()
	require.NoError(w, filepath.WalkDir(w.folder, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			n++
		}
		return err
	}))
	return n
}

func (w *env) status(p web.Actor) verification.Status {
	return decode[verification.Status](w, w.json(p, "GET", "/api/verification", ""))
}
