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
	"sync"
	"sync/atomic"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
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
		actor := web.Actor{ID: uuid.MustParse(ctx.Header("X-Actor")), Admin: ctx.Header("X-Admin") != ""}
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), actor)))
	})
	members.Register(api, m)
	media.Register(api, w.media)
	verification.Register(api, w.Service)
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
	u, err := w.media.Create(context.Background(), caller.id, media.ForProfile, int64(len(raw)))
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

func TestDecide_ApprovesSelfie(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, admin := w.member("Ada"), w.member("Admin")
	admin.admin = true
	require.Equal(t, verification.Status{Status: "none"}, w.status(ada))
	require.Equal(t, 409, w.selfie(ada).Code, "no pose yet")
	require.Equal(t, 0, w.countBlobs())

	requested := decode[verification.Status](t, w.json(ada, "POST", "/api/verification", ""))
	require.Equal(t, "requested", requested.Status)
	require.NotEqual(t, *requested.Pose, *requested.Instruction)
	pending := decode[verification.Status](t, w.selfie(ada))
	require.Equal(t, "pending", pending.Status)
	require.Equal(t, requested.Pose, pending.Pose)
	require.Equal(t, 409, w.json(ada, "POST", "/api/verification", "").Code, "a selfie is pending")

	require.Equal(t, 201, w.upload(ada, "POST", "/api/users/me/photos", picture(t)).Code)
	queue := decode[[]verification.PendingSelfie](t, w.json(admin, "GET", "/api/admin/verifications", ""))
	require.Len(t, queue, 1)
	require.Equal(t, ada.id, queue[0].User.ID)
	require.Len(t, queue[0].Photos, 1)
	require.Equal(t, *requested.Pose, queue[0].Pose)
	require.Equal(t, *requested.Instruction, queue[0].Instruction)

	path := "/api/admin/verifications/" + queue[0].ID.String()
	require.Equal(t, 422, w.json(admin, "PUT", path, `{"decision":"approve","reason":"  "}`).Code)
	require.Equal(t, 422, w.json(admin, "PUT", path, `{"decision":"approve"}`).Code)
	require.Equal(t, 422, w.json(admin, "PUT", path, `{"decision":"perhaps","reason":"x"}`).Code)
	for range 2 { // repeated
		require.Equal(t, 204, w.json(admin, "PUT", path, `{"decision":"approve","reason":"the same face"}`).Code)
	}
	require.Equal(t, 409, w.json(admin, "PUT", path, `{"decision":"reject","reason":"on second thoughts"}`).Code)
	require.Equal(t, "approved", w.status(ada).Status)
	require.Equal(t, 409, w.json(ada, "POST", "/api/verification", "").Code)
	require.Equal(t, 2, w.countBlobs(), "only the two sizes of the photo remain")
	require.Equal(t, 404, w.json(ada, "GET", queue[0].SelfieURL, "").Code)
	require.Equal(t, 1, w.count(`SELECT count(*) FROM users WHERE id = $1 AND verified_at IS NOT NULL`, ada.id))
	require.Equal(t, 1, w.count(`SELECT count(*) FROM audit_log WHERE admin_id = $1 AND subject_id = $2
		AND action = 'verification.approved' AND reason = 'the same face'`, admin.id, ada.id))
	require.Equal(t, 1, w.count(`SELECT count(*) FROM audit_log`))
}

func TestDecide_RejectsSelfie(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, id := w.submitted("Ada")
	admin := person{w.member("Admin").id, true}
	before := w.status(ada)
	require.Equal(t, 204, w.json(admin, "PUT", "/api/admin/verifications/"+id.String(), `{"decision":"reject","reason":"The face is too dark."}`).Code)
	rejected := w.status(ada)
	require.Equal(t, "rejected", rejected.Status)
	require.Equal(t, "The face is too dark.", rejected.Reason)
	require.Nil(t, rejected.Pose)
	require.Equal(t, 0, w.countBlobs())
	require.Equal(t, 409, w.selfie(ada).Code)
	next := decode[verification.Status](t, w.json(ada, "POST", "/api/verification", ""))
	require.Equal(t, "requested", next.Status)
	require.Empty(t, next.Reason)
	require.NotEmpty(t, *before.Pose)
	require.Equal(t, 200, w.selfie(ada).Code)
	require.Equal(t, 0, w.count(`SELECT count(*) FROM users WHERE verified_at IS NOT NULL`))
}

func TestRequestPose_AllowsThreeADay(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.member("Ada")
	poses := map[string]bool{}
	last := ""
	for range 3 {
		status := decode[verification.Status](t, w.json(ada, "POST", "/api/verification", ""))
		require.NotEqual(t, last, *status.Pose, "a new pose")
		last = *status.Pose
		poses[last] = true
	}
	require.GreaterOrEqual(t, len(poses), 2)
	resp := w.json(ada, "POST", "/api/verification", "")
	require.Equal(t, 429, resp.Code)
	require.NotEmpty(t, resp.Header().Get("Retry-After"))
	require.Equal(t, 1, w.count(`SELECT count(*) FROM verifications`))
	require.Equal(t, 200, w.selfie(ada).Code, "the last pose is unchanged")
}

// Only the member and admins can open a selfie, and no profile contains it.
func TestSelfie_VisibleToMemberAndAdmins(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, _ := w.submitted("Ada")
	bob, admin := w.member("Bob"), person{w.member("Admin").id, true}
	url := decode[[]verification.PendingSelfie](t, w.json(admin, "GET", "/api/admin/verifications", ""))[0].SelfieURL
	w.exec(`INSERT INTO matches (id, user_a, user_b) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3))`, uuid.New(), ada.id, bob.id)
	require.Equal(t, 200, w.json(ada, "GET", url, "").Code)
	require.Equal(t, 200, w.json(admin, "GET", url, "").Code)
	require.Equal(t, 404, w.json(bob, "GET", url, "").Code)
	require.Equal(t, 404, w.json(person{id: admin.id}, "GET", url, "").Code, "the admin without the admin flag")
	require.NotContains(t, w.json(bob, "GET", "/api/users/"+ada.id.String(), "").Body.String(), strings.Split(url, "/")[2])

	// An admin can open the photos of hidden members as well.
	resp := w.upload(ada, "POST", "/api/users/me/photos", picture(t))
	var photo members.Photo
	require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &photo))
	w.exec(`UPDATE users SET paused_at = now(), profile_status = 'under_review' WHERE id = $1`, ada.id)
	require.Equal(t, 200, w.json(admin, "GET", photo.URL, "").Code)
	require.Equal(t, 404, w.json(person{id: w.member("Eve").id}, "GET", photo.URL, "").Code)
	w.exec(`UPDATE verifications SET status = 'rejected', decided_at = now()`)
	require.Equal(t, 404, w.json(admin, "GET", photo.URL, "").Code, "no selfie is pending")
	require.Equal(t, 404, w.json(admin, "GET", url, "").Code)
}

func TestSubmit_ReplacesPendingSelfie(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, id := w.submitted("Ada")
	require.Equal(t, 200, w.upload(ada, "PUT", "/api/verification/selfie", pictureOf(t, 1700, 100)).Code)
	require.Equal(t, 2, w.countBlobs(), "there are the two sizes of one selfie")
	require.Equal(t, 1, w.count(`SELECT count(*) FROM files`))
	require.Equal(t, 1, w.count(`SELECT count(*) FROM verifications WHERE id = $1 AND status = 'pending'`, id))
	require.Equal(t, 1600, w.count(`SELECT width FROM files`))
	for name, raw := range map[string][]byte{"svg": []byte("<svg/>"), "cut": picture(t)[:60]} {
		resp := w.upload(ada, "PUT", "/api/verification/selfie", raw)
		require.Equal(t, 422, resp.Code, "%s: %s", name, resp.Body)
		require.Contains(t, resp.Body.String(), "body.uploadId")
	}
	_, err := w.media.Create(t.Context(), ada.id, media.ForProfile, 0)
	require.True(t, fault.Is(err, fault.Invalid), "empty")
	require.Equal(t, 2, w.countBlobs())
	var selfie uuid.UUID
	require.NoError(t, w.pool.QueryRow(t.Context(), `SELECT id FROM files`).Scan(&selfie))
	w.exec(`DELETE FROM users WHERE id = $1`, ada.id)
	require.Equal(t, 1, w.count(`SELECT count(*) FROM blob_removals WHERE file_id = $1`, selfie), "the selfie is deleted with the account")
}

// Repeated calls with one upload store one selfie. An upload of another member is not
// found.
func TestSubmit_RepeatedForOneUpload(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, id := w.submitted("Ada")
	upload := w.uploaded(ada, picture(t))
	for range 2 {
		status, err := w.Submit(t.Context(), ada.id, upload)
		require.NoError(t, err)
		require.Equal(t, "pending", status.Status)
		require.Equal(t, 1, w.count(`SELECT count(*) FROM files`))
		require.Equal(t, 1, w.count(`SELECT count(*) FROM verifications WHERE id = $1 AND selfie_id = $2`, id, upload))
	}
	bob, _ := w.submitted("Bob")
	_, err := w.Submit(t.Context(), ada.id, w.uploaded(bob, picture(t)))
	require.True(t, fault.Is(err, fault.NotFound), "%v", err)
	_, err = w.Submit(t.Context(), bob.id, upload)
	require.True(t, fault.Is(err, fault.NotFound), "%v", err)
}

func TestQueue_SortsAndPages(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin := person{w.member("Admin").id, true}
	var want []uuid.UUID
	for _, name := range []string{"Ada", "Bob", "Cid"} {
		_, id := w.submitted(name)
		want = append(want, id)
	}
	w.exec(`UPDATE verifications SET submitted_at = date_trunc('day', submitted_at)`) // equal times
	dan := w.member("Dan")
	require.Equal(t, 200, w.json(dan, "POST", "/api/verification", "").Code)
	var got []uuid.UUID
	for path := "/api/admin/verifications?limit=2"; path != ""; {
		resp := w.json(admin, "GET", path, "")
		for _, selfie := range decode[[]verification.PendingSelfie](t, resp) {
			require.Equal(t, []members.Photo{}, selfie.Photos)
			got = append(got, selfie.ID)
		}
		path, _, _ = strings.Cut(strings.TrimPrefix(resp.Header().Get("Link"), "<"), ">")
		if path != "" {
			path += "&limit=2"
		}
	}
	require.Equal(t, want, got)
	require.Equal(t, 422, w.json(admin, "GET", "/api/admin/verifications?cursor=x", "").Code)
}

func TestDecide_RefusesOwnSelfie(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, id := w.submitted("Ada")
	ada.admin = true
	body := `{"decision":"approve","reason":"it is me"}`
	require.Equal(t, 403, w.json(ada, "PUT", "/api/admin/verifications/"+id.String(), body).Code)
	require.Equal(t, 404, w.json(ada, "PUT", "/api/admin/verifications/"+uuid.NewString(), body).Code)
	bob := w.member("Bob")
	require.Equal(t, 200, w.json(bob, "POST", "/api/verification", "").Code)
	var requested uuid.UUID
	require.NoError(t, w.pool.QueryRow(context.Background(), `SELECT id FROM verifications WHERE user_id = $1`, bob.id).Scan(&requested))
	require.Equal(t, 404, w.json(ada, "PUT", "/api/admin/verifications/"+requested.String(), body).Code, "no selfie yet")
	require.Equal(t, 0, w.count(`SELECT count(*) FROM audit_log`))
}

// After two concurrent decisions and a new selfie, one decision is stored and no file
// remains.
func TestDecide_ConcurrentWithSubmit(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	ada, id := w.submitted("Ada")
	admins := []person{w.member("One"), w.member("Two")}
	var decided atomic.Int32
	var group sync.WaitGroup
	for i, admin := range admins {
		group.Go(func() {
			err := w.Decide(ctx, admin.id, id, i == 0, "A reason")
			if err == nil {
				decided.Add(1)
			} else if !fault.Is(err, fault.Conflict) {
				t.Error(err)
			}
		})
	}
	upload := w.uploaded(ada, picture(t))
	group.Go(func() {
		switch _, err := w.Submit(ctx, ada.id, upload); {
		case fault.Is(err, fault.Conflict):
			w.drop(ada, upload)
		case err != nil:
			t.Error(err)
		}
	})
	group.Wait()
	require.Equal(t, int32(1), decided.Load())
	require.Equal(t, 1, w.count(`SELECT count(*) FROM audit_log`))
	require.Equal(t, 0, w.count(`SELECT count(*) FROM files`))
	require.Equal(t, 0, w.countBlobs())
}
