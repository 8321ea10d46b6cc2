package members_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/platform/blobs"
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

// env is a server with the operations of this package. A header contains the caller of a
// request, so that these tests need no sign-in.
type env struct {
	testkit.DB
	*members.Service
	media  *media.Service
	folder string // of the files
	store  *files.Store
	blobs  *blobs.Service
	http   http.Handler
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t), folder: t.TempDir()}
	var err error
	w.store, err = files.Open(context.Background(), "", w.folder)
	require.NoError(t, err)
	w.blobs = blobs.New(w.Pool, w.store)
	w.Service = members.New(w.Pool, w.blobs)
	w.media = media.New(w.Pool, w.blobs, w.Service, pgtest.Jobs(t, w.Pool), nil)
	mux := http.NewServeMux()
	api := humago.New(mux, huma.DefaultConfig("test", "1"))
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		if id, err := uuid.Parse(ctx.Header("X-Actor")); err == nil {
			ctx = huma.WithContext(ctx, web.WithActor(ctx.Context(), web.Actor{ID: id}))
		}
		next(ctx)
	})
	members.Register(web.ForFeature(api, "members"), w.Service)
	media.Register(web.ForFeature(api, "media"), w.media)
	w.http = mux
	return w
}

// join adds a member of 30 from Portland.
func (w *env) join(name string) uuid.UUID {
	w.Helper()
	id, err := w.create(members.NewMember{
		Email: strings.ReplaceAll(strings.ToLower(name), " ", ".") + "@example.test", FullName: name + " Example", Age: new(30), City: "Portland", State: "OR",
	})
	require.NoError(w, err)
	return id
}

func (w *env) create(n members.NewMember) (uuid.UUID, error) {
	draft, err := w.Check(context.Background(), n)
	if err != nil {
		return uuid.Nil, err
	}
	return pg.Tx(context.Background(), w.Pool, func(tx pgx.Tx) (uuid.UUID, error) {
		return members.Create(context.Background(), tx, draft)
	})
}

func (w *env) match(a, b uuid.UUID) {
	w.Exec(`INSERT INTO matches (id, user_a, user_b) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3))`, uuid.New(), a, b)
}

// call sends a request with a JSON body, if any, and returns the response.
func (w *env) call(actor uuid.UUID, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	return w.send(actor, method, path, "application/json", strings.NewReader(body), headers...)
}

func (w *env) send(actor uuid.UUID, method, path, contentType string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, body)
	r.Header.Set("X-Actor", actor.String())
	r.Header.Set("Content-Type", contentType)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp := httptest.NewRecorder()
	w.http.ServeHTTP(resp, r)
	return resp
}

// upload uploads a picture and sends its id as a photo of the profile in the field.
func (w *env) upload(actor uuid.UUID, field string, raw []byte) *httptest.ResponseRecorder {
	w.Helper()
	return w.add(actor, "POST", "/api/users/me/photos", map[string]any{field: raw})
}

// add sends a body whose bytes are replaced by the ids of complete uploads for the
// profile. It returns the refusal of an upload instead, and deletes the uploads when
// they were refused, as the app does.
func (w *env) add(actor uuid.UUID, method, path string, body map[string]any) *httptest.ResponseRecorder {
	w.Helper()
	sent := map[string]any{}
	var uploads []uuid.UUID
	for name, value := range body {
		sent[name] = value
		if raw, isFile := value.([]byte); isFile {
			id, refusal := w.sendFile(actor, raw)
			if refusal != nil {
				return refusal
			}
			sent[name], uploads = id, append(uploads, id)
		}
	}
	text, err := json.Marshal(sent)
	require.NoError(w, err)
	resp := w.call(actor, method, path, string(text))
	if resp.Code >= 400 && resp.Code < 500 {
		w.drop(actor, uploads...)
	}
	return resp
}

// uploaded returns a complete upload for the profile.
func (w *env) uploaded(actor uuid.UUID, raw []byte) uuid.UUID {
	w.Helper()
	id, refusal := w.sendFile(actor, raw)
	require.Nil(w, refusal)
	return id
}

func (w *env) drop(actor uuid.UUID, uploads ...uuid.UUID) {
	w.Helper()
	for _, id := range uploads {
		require.NoError(w, w.media.Remove(context.Background(), actor, id))
	}
	w.removeDue()
}

func (w *env) removeDue() {
	w.Helper()
	_, err := w.blobs.RemoveDue(context.Background())
	require.NoError(w, err)
}

// sendFile uploads a file. It returns the response that refuses it, or nil.
func (w *env) sendFile(actor uuid.UUID, raw []byte) (id uuid.UUID, refusal *httptest.ResponseRecorder) {
	w.Helper()
	created := w.send(actor, "POST", "/api/uploads?purpose=profile", "", nil, "Tus-Resumable", "1.0.0", "Upload-Length", strconv.Itoa(len(raw)))
	if created.Code != http.StatusCreated {
		return id, created
	}
	id = uuid.MustParse(strings.TrimPrefix(created.Header().Get("Location"), "/api/uploads/"))
	// Not by the protocol, because the recorder has no read deadline.
	_, err := w.media.Append(context.Background(), actor, id, 0, bytes.NewReader(raw), int64(len(raw)))
	require.NoError(w, err)
	return id, nil
}

func decode[T any](t testing.TB, resp *httptest.ResponseRecorder) (value T) {
	t.Helper()
	require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &value), "%s", resp.Body)
	return value
}

func picture(t *testing.T) []byte {
	m := image.NewNRGBA(image.Rect(0, 0, 60, 40))
	for i := range m.Pix {
		m.Pix[i] = uint8(i) | 1
	}
	m.Set(0, 0, color.White)
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, m))
	return out.Bytes()
}

// countFiles returns the number of files in the folder.
func (w *env) countFiles() (n int) {
	w.Helper()
	require.NoError(w, filepath.WalkDir(w.folder, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			n++
		}
		return err
	}))
	return n
}
