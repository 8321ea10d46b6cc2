package members_test

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/webp"

	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestAddPhoto_StoresAndDeletePhotoRemovesBlobs(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id, other := w.join("Ada"), w.join("Bob")
	resp := w.upload(id, "uploadId", picture(t))
	require.Equal(t, 201, resp.Code, "%s", resp.Body)
	photo := decode[members.Photo](t, resp)
	require.Equal(t, "/files/"+photo.ID.String()+"/full.webp", photo.URL)
	require.Equal(t, [2]int{60, 40}, [2]int{photo.Width, photo.Height})
	require.True(t, strings.HasPrefix(photo.Placeholder, "data:image/webp;base64,"))
	me := decode[members.Me](t, w.call(id, "GET", "/api/users/me", ""))
	require.Equal(t, []members.Photo{photo}, me.Photos)
	require.Equal(t, photo.URL, *me.ProfilePhoto)
	cards, err := members.Cards(context.Background(), w.Pool, other, []uuid.UUID{id})
	require.NoError(t, err)
	require.Equal(t, photo.ThumbURL, *cards[id].ProfileImageURL)
	require.Equal(t, photo.Placeholder, cards[id].Placeholder)
	public := decode[members.PublicMember](t, w.call(other, "GET", "/api/users/"+id.String(), ""))
	require.Equal(t, []string{photo.URL}, public.ProfilePhotos)

	require.Equal(t, 404, w.call(other, "DELETE", "/api/users/me/photos/"+photo.ID.String(), "").Code, "a photo of another member")
	require.Equal(t, 2, w.countFiles())
	require.Equal(t, 204, w.call(id, "DELETE", "/api/users/me/photos/"+photo.ID.String(), "").Code)
	require.Equal(t, 0, w.countFiles())
	require.Equal(t, 404, w.call(id, "GET", photo.URL, "").Code)
	require.Equal(t, 404, w.call(id, "DELETE", "/api/users/me/photos/"+photo.ID.String(), "").Code)
	require.Equal(t, 0, w.countRows("files"))
}

func (w *env) countRows(table string) int {
	w.Helper()
	return testkit.Select[int](w, w.Pool, `SELECT count(*) FROM `+table)
}

func TestAddPhoto_ConcurrentUploadsRespectLimit(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id := w.join("Ada")
	raw := picture(t)
	var added, refused atomic.Int32
	var uploads []uuid.UUID
	for range 10 {
		uploads = append(uploads, w.uploaded(id, raw))
	}
	var group sync.WaitGroup
	for _, upload := range uploads {
		group.Go(func() {
			switch _, err := w.media.AddPicture(context.Background(), id, upload, members.PhotoSlot); {
			case err == nil:
				added.Add(1)
			case fault.Is(err, fault.Conflict):
				refused.Add(1)
				w.drop(id, upload)
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.Equal(t, [2]int32{6, 4}, [2]int32{added.Load(), refused.Load()})
	require.Equal(t, 6, w.countRows("files"))
	require.Equal(t, 12, w.countFiles(), "refused uploads leave no files")
	require.Equal(t, 409, w.upload(id, "uploadId", raw).Code)
	me, err := w.Me(context.Background(), id)
	require.NoError(t, err)
	require.Equal(t, 204, w.call(id, "DELETE", "/api/users/me/photos/"+me.Photos[2].ID.String(), "").Code)
	require.Equal(t, 201, w.upload(id, "uploadId", raw).Code, "a place is free again")
}

func TestAddPhoto_FailureLeavesNothing(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id := w.join("Ada")
	require.Equal(t, 404, w.upload(uuid.New(), "uploadId", picture(t)).Code, "no such member")
	require.Equal(t, 0, w.countFiles())
	upload := w.uploaded(id, picture(t))
	require.NoError(t, w.store.Close())
	require.Equal(t, 500, w.call(id, "POST", "/api/users/me/photos", `{"uploadId":"`+upload.String()+`"}`).Code)
	require.Equal(t, 0, w.countRows("files"))
}

func TestAddPhoto_RefusesInvalidFiles(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id := w.join("Ada")
	for name, raw := range map[string][]byte{
		"empty": {}, "svg": []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), "cut": picture(t)[:60],
	} {
		resp := w.upload(id, "uploadId", raw)
		require.Equal(t, 422, resp.Code, "%s: %s", name, resp.Body)
		location := "body.uploadId"
		if len(raw) == 0 {
			location = "header.Upload-Length"
		}
		require.Equal(t, location, decode[web.Problem](t, resp).Errors[0].Location, name)
	}
	require.Equal(t, 422, w.upload(id, "picture", picture(t)).Code, "another field")
	require.Equal(t, 413, w.upload(id, "uploadId", make([]byte, 10<<20+1)).Code)
	require.Equal(t, 0, w.countFiles())
}

func TestAddPhoto_AllowsThirtyUploadsADay(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id := w.join("Ada")
	for range 30 {
		require.Equal(t, 422, w.upload(id, "uploadId", []byte("no picture")).Code)
	}
	require.Equal(t, 429, w.upload(id, "uploadId", picture(t)).Code)
}

func TestOrderPhotos_SetsOrder(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id, other := w.join("Ada"), w.join("Bob")
	var ids []string
	for range 3 {
		ids = append(ids, decode[members.Photo](t, w.upload(id, "uploadId", picture(t))).ID.String())
	}
	othersPhoto := decode[members.Photo](t, w.upload(other, "uploadId", picture(t))).ID.String()
	order := func(ids ...string) string { return `{"ids":["` + strings.Join(ids, `","`) + `"]}` }
	currentOrder := func() (got []string) {
		for _, p := range decode[members.Me](t, w.call(id, "GET", "/api/users/me", "")).Photos {
			got = append(got, p.ID.String())
		}
		return got
	}
	require.Equal(t, ids, currentOrder())
	for _, wrong := range []string{order(ids[0], ids[1]), order(ids[0], ids[1], ids[1]), order(ids[0], ids[1], othersPhoto),
		order(append(slices.Clone(ids), othersPhoto)...), order(ids[0], ids[1], uuid.NewString()), `{"ids":[]}`, `{"ids":["x"]}`, `{}`} {
		require.Equal(t, 422, w.call(id, "PUT", "/api/users/me/photos/order", wrong).Code, wrong)
		require.Equal(t, ids, currentOrder(), wrong)
	}
	reordered := []string{ids[2], ids[0], ids[1]}
	require.Equal(t, 200, w.call(id, "PUT", "/api/users/me/photos/order", order(reordered...)).Code)
	require.Equal(t, reordered, currentOrder())
}

func TestOpenFile_RequiresVisibleOwner(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, other := w.join("Ada"), w.join("Bob")
	photo := decode[members.Photo](t, w.upload(owner, "uploadId", picture(t)))
	resp := w.call(other, "GET", photo.ThumbURL, "")
	require.Equal(t, 200, resp.Code)
	_, err := webp.Decode(bytes.NewReader(resp.Body.Bytes()))
	require.NoError(t, err)
	for name, value := range map[string]string{
		"Content-Type": "image/webp", "Cache-Control": "private, no-cache", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'", "Cross-Origin-Resource-Policy": "same-origin",
		"Content-Disposition": `inline; filename="image.webp"`, "Accept-Ranges": "bytes", "Content-Length": strconv.Itoa(resp.Body.Len()),
	} {
		require.Equal(t, value, resp.Header().Get(name))
	}
	w.Exec(`UPDATE users SET is_approved = false WHERE id = $1`, owner)
	require.Equal(t, 404, w.call(other, "GET", photo.URL, "").Code)
	require.Equal(t, 200, w.call(owner, "GET", photo.URL, "").Code)
	for _, path := range []string{"/files/" + uuid.NewString() + "/full.webp", "/files/" + photo.ID.String() + "/original.jpg"} {
		require.Equal(t, 404, w.call(owner, "GET", path, "").Code, path)
	}
}

// An account reads 3,000 different files of others a day. A file that it has read, or that
// its browser has stored, and its own files are not counted.
func TestGetFile_AllowsOnly3000FilesOfOthersADay(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, other := w.join("Ada"), w.join("Bob")
	first := decode[members.Photo](t, w.upload(owner, "uploadId", picture(t)))
	second := decode[members.Photo](t, w.upload(owner, "uploadId", picture(t)))
	w.Exec(`INSERT INTO daily_counts (day, member_id, rule, items) VALUES ((now() AT TIME ZONE 'UTC')::date, $1, 'files', 2999)`, other)
	resp := w.call(other, "GET", first.ThumbURL, "")
	require.Equal(t, 200, resp.Code)
	require.Equal(t, 200, w.call(other, "GET", first.URL, "").Code, "another variant of the same file")
	refused := w.call(other, "GET", second.ThumbURL, "")
	require.Equal(t, 429, refused.Code)
	require.NotEmpty(t, refused.Header().Get("Retry-After"))
	require.Equal(t, 304, w.call(other, "GET", second.ThumbURL, "", "If-None-Match", resp.Header().Get("Etag")).Code)
	require.Equal(t, 200, w.call(owner, "GET", second.ThumbURL, "").Code)
	own := decode[members.Photo](t, w.upload(other, "uploadId", picture(t)))
	require.Equal(t, 200, w.call(other, "GET", own.URL, "").Code)
}

func TestGetFile_SendsRanges(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id := w.join("Ada")
	url := decode[members.Photo](t, w.upload(id, "uploadId", picture(t))).URL
	whole := w.call(id, "GET", url, "").Body.Bytes()
	n := len(whole)
	for header, want := range map[string]struct {
		status       int
		body         []byte
		contentRange string
	}{
		"bytes=0-9":     {206, whole[:10], "bytes 0-9/"},
		"bytes=10-":     {206, whole[10:], "bytes 10-" + strconv.Itoa(n-1) + "/"},
		"bytes=-5":      {206, whole[n-5:], "bytes " + strconv.Itoa(n-5) + "-"},
		"bytes=-999999": {206, whole, "bytes 0-"},
		"bytes=0-99999": {206, whole, "bytes 0-" + strconv.Itoa(n-1) + "/"},
		"bytes=99999-":  {416, nil, "bytes */"},
		"bytes=-0":      {416, nil, "bytes */"},
		"bytes=9-5":     {200, whole, ""},
		"bytes=0-1,4-5": {200, whole, ""},
		"bytes=x":       {200, whole, ""},
		"lines=0-9":     {200, whole, ""},
	} {
		resp := w.call(id, "GET", url, "", "Range", header)
		require.Equal(t, want.status, resp.Code, header)
		require.True(t, bytes.Equal(want.body, resp.Body.Bytes()), header)
		if want.contentRange != "" {
			require.True(t, strings.HasPrefix(resp.Header().Get("Content-Range"), want.contentRange), "%s: %s", header, resp.Header().Get("Content-Range"))
		}
	}
	require.Equal(t, http.StatusOK, w.call(id, "GET", url, "").Code)
}

// The blobs cannot be deleted while the store fails; RemoveDue deletes them later.
func TestDeletePhoto_RemovesBlobsAfterFailure(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	id := w.join("Ada")
	photo := decode[members.Photo](t, w.upload(id, "uploadId", picture(t)))
	w.removeDue() // the part of the upload
	require.NoError(t, w.store.Close())
	require.NoError(t, w.DeletePhoto(ctx, id, photo.ID))
	require.Equal(t, 404, w.call(id, "GET", photo.URL, "").Code, "the deleted photo cannot be read")
	_, err := w.blobs.RemoveDue(ctx)
	require.Error(t, err)
	require.Equal(t, 2, w.countFiles())

	store, err := files.Open(ctx, "", w.folder)
	require.NoError(t, err)
	removed, err := blobs.New(w.Pool, store).RemoveDue(ctx)
	require.NoError(t, err)
	require.Equal(t, 1, removed)
	require.Equal(t, 0, w.countFiles())
	require.Equal(t, 0, w.countRows("blob_removals"))
}

// An upload is refused if the removal of its blobs has begun before it is complete.
func TestAddPhoto_RefusedIfBlobsWereRemoved(t *testing.T) {
	t.Parallel()
	for name, removal := range map[string]string{
		"removed":       `DELETE FROM blob_removals WHERE file_id = NEW.id`,
		"being removed": `UPDATE blob_removals SET claimed_until = now() - interval '1 second' WHERE file_id = NEW.id`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			ada := w.join("Ada")
			w.Exec(`CREATE FUNCTION swept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ` + removal + `; RETURN NEW; END $$`)
			w.Exec(`CREATE TRIGGER swept BEFORE INSERT ON files FOR EACH ROW EXECUTE FUNCTION swept()`)
			upload := w.uploaded(ada, picture(t))
			_, err := w.media.AddPicture(context.Background(), ada, upload, members.PhotoSlot)
			testkit.RequireKind(t, err, fault.Unavailable)
			w.drop(ada, upload)
			require.Zero(t, w.countFiles())
			me, err := w.Me(context.Background(), ada)
			require.NoError(t, err)
			require.Empty(t, me.Photos)
		})
	}
}
