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
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/files"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
	"heartward/api/verification"
)

func TestMain(m *testing.M) {
	web.Prepare()
	os.Exit(m.Run())
}

// env is a server with the operations of packages verification and members. Headers
// contain the actor of a request and whether the actor is an admin.
type env struct {
	*verification.Service
	t      *testing.T
	media  *media.Service
	blobs  *blobs.Service
	pool   *pgxpool.Pool
	folder string
	http   http.Handler
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{t: t, pool: pgtest.New(t), folder: t.TempDir()}
	store, err := files.Open(context.Background(), "", w.folder)
	require.NoError(t, err)
	w.blobs = blobs.New(w.pool, store)
	m := members.New(w.pool, w.blobs)
	w.media = media.New(w.pool, w.blobs, m, pgtest.Jobs(t, w.pool), nil)
	w.Service = verification.New(w.pool, w.media, w.blobs)
	mux := http.NewServeMux()
	api := humago.New(mux, huma.DefaultConfig("test", "1"))
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		actor := web.Actor{ID: uuid.MustParse(ctx.Header("X-Actor")), Moderator: ctx.Header("X-Admin") != ""}
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), actor)))
	})
	members.Register(web.ForFeature(api, "members"), m)
	media.Register(web.ForFeature(api, "media"), w.media)
	verification.Register(web.ForFeature(api, "verification"), w.Service)
	w.http = mux
	return w
}

type person struct {
	id    uuid.UUID
	admin bool
}

func (w *env) member(name string) person {
	w.t.Helper()
	id := uuid.Must(uuid.NewV7())
	w.exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		VALUES ($1, $2, $3, $3, '1990-01-01', $4)`, id, strings.ToLower(name)+"@example.test", name, id.String()[24:])
	return person{id: id}
}

func (w *env) exec(sql string, args ...any) {
	w.t.Helper()
	_, err := w.pool.Exec(context.Background(), sql, args...)
	require.NoError(w.t, err)
}

func (w *env) call(caller person, method, path, contentType, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("X-Actor", caller.id.String())
	r.Header.Set("Content-Type", contentType)
	if caller.admin {
		r.Header.Set("X-Admin", "yes")
	}
	resp := httptest.NewRecorder()
	w.http.ServeHTTP(resp, r)
	return resp
}

func (w *env) json(caller person, method, path, body string) *httptest.ResponseRecorder {
	return w.call(caller, method, path, "application/json", body)
}

// upload uploads a picture and sends its id. It deletes the upload when it was refused,
// as the app does.
func (w *env) upload(caller person, method, path string, raw []byte) *httptest.ResponseRecorder {
	w.t.Helper()
	upload := w.uploaded(caller, raw)
	resp := w.json(caller, method, path, `{"uploadId":"`+upload.String()+`"}`)
	if resp.Code >= 400 {
		w.drop(caller, upload)
	}
	return resp
}

// uploaded returns a complete upload for the profile.
func (w *env) uploaded(caller person, raw []byte) uuid.UUID {
	w.t.Helper()
	u, err := w.media.Create(context.Background(), caller.id, uuid.New(), media.ForProfile, int64(len(raw)))
	require.NoError(w.t, err)
	_, err = w.media.Append(context.Background(), caller.id, u.ID, 0, bytes.NewReader(raw), int64(len(raw)))
	require.NoError(w.t, err)
	return u.ID
}

func (w *env) drop(caller person, upload uuid.UUID) {
	w.t.Helper()
	require.NoError(w.t, w.media.Remove(context.Background(), caller.id, upload))
	_, err := w.blobs.RemoveDue(context.Background())
	require.NoError(w.t, err)
}

func (w *env) selfie(caller person) *httptest.ResponseRecorder {
	return w.upload(caller, "PUT", "/api/verification/selfie", picture(w.t))
}

// submitted returns a member with a pending selfie, and the verification's id.
func (w *env) submitted(name string) (person, uuid.UUID) {
	w.t.Helper()
	p := w.member(name)
	require.Equal(w.t, 200, w.json(p, "POST", "/api/verification", "").Code)
	require.Equal(w.t, 200, w.selfie(p).Code)
	var id uuid.UUID
	require.NoError(w.t, w.pool.QueryRow(context.Background(), `SELECT id FROM verifications WHERE user_id = $1`, p.id).Scan(&id))
	return p, id
}

func picture(t *testing.T) []byte { return pictureOf(t, 40, 30) }

func pictureOf(t *testing.T, width, height int) []byte {
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, image.NewGray(image.Rect(0, 0, width, height))))
	return out.Bytes()
}

func decode[T any](t *testing.T, resp *httptest.ResponseRecorder) (value T) {
	t.Helper()
	require.Equal(t, 200, resp.Code, "%s", resp.Body)
	require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &value))
	return value
}

func (w *env) countBlobs() (n int) {
	w.t.Helper()
	require.NoError(w.t, filepath.WalkDir(w.folder, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			n++
		}
		return err
	}))
	return n
}

func (w *env) count(sql string, args ...any) (n int) {
	w.t.Helper()
	require.NoError(w.t, w.pool.QueryRow(context.Background(), sql, args...).Scan(&n))
	return n
}

func (w *env) status(p person) verification.Status {
	return decode[verification.Status](w.t, w.json(p, "GET", "/api/verification", ""))
}
