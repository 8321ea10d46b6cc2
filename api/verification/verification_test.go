package verification_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/verification"
)

func TestDecide_ApprovesSelfie(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, admin := w.Member("Ada"), w.Member("Admin")
	admin.Moderator = true
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
	queue := decode[[]verification.QueuedVerification](t, w.json(admin, "GET", "/api/admin/verifications", ""))
	require.Len(t, queue, 1)
	require.Equal(t, ada.ID, queue[0].User.ID)
	path := "/api/admin/verifications/" + queue[0].ID.String()
	opened := w.open(admin, queue[0].ID)
	require.Equal(t, queue[0], opened.QueuedVerification)
	require.Len(t, opened.Photos, 1)
	for _, url := range []string{opened.SelfieURL, opened.Photos[0].URL} {
		got := w.json(admin, "GET", url, "")
		require.Equal(t, 200, got.Code)
		require.Equal(t, "no-store", got.Header().Get("Cache-Control"), "of what staff reviews")
	}
	require.Equal(t, "private, no-cache", w.json(ada, "GET", opened.Photos[0].URL, "").Header().Get("Cache-Control"))
	require.Equal(t, *requested.Pose, opened.Pose)
	require.Equal(t, *requested.Instruction, opened.Instruction)

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
	require.Equal(t, 404, w.json(ada, "GET", opened.SelfieURL, "").Code)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users WHERE id = $1 AND verified_at IS NOT NULL`, ada.ID))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE admin_id = $1 AND subject_id = $2
		AND action = 'verification.approved' AND reason = 'the same face'`, admin.ID, ada.ID))
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM audit_log`), "opening and deciding")
}

func TestDecide_RejectsSelfie(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, id := w.submitted("Ada")
	admin := w.Admin("Admin")
	before := w.status(ada)
	reject := func() int {
		return w.json(admin, "PUT", "/api/admin/verifications/"+id.String(), `{"decision":"reject","reason":"The face is too dark."}`).Code
	}
	require.Equal(t, 409, reject(), "not opened")
	require.Equal(t, before, w.status(ada))
	w.open(admin, id)
	require.Equal(t, 204, reject())
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
	require.Equal(t, 0, w.Count(`SELECT count(*) FROM users WHERE verified_at IS NOT NULL`))
}

func TestRequestPose_AllowsThreeADay(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.Member("Ada")
	last := ""
	for range 3 {
		status := decode[verification.Status](t, w.json(ada, "POST", "/api/verification", ""))
		require.NotEqual(t, last, *status.Pose, "a new pose")
		last = *status.Pose
	}
	resp := w.json(ada, "POST", "/api/verification", "")
	require.Equal(t, 429, resp.Code)
	require.NotEmpty(t, resp.Header().Get("Retry-After"))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM verifications`))
	require.Equal(t, 200, w.selfie(ada).Code, "the last pose is unchanged")
}

// Only the member, and for an hour the moderator who opened it with a reason, can see a selfie. No
// profile and no list contains it.
func TestSelfie_VisibleToMemberAndOpeningModerator(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, id := w.submitted("Ada")
	bob, admin, other := w.Member("Bob"), w.Admin("Admin"), w.Admin("Other")
	selfie := testkit.Select[uuid.UUID](t, w.Pool, `SELECT selfie_id FROM verifications`)
	require.Equal(t, 404, w.json(admin, "GET", members.PictureURL(selfie), "").Code, "not opened yet")
	require.NotContains(t, w.json(admin, "GET", "/api/admin/verifications", "").Body.String(), selfie.String())
	path := "/api/admin/verifications/" + id.String() + "/open"
	require.Equal(t, 422, w.json(admin, "POST", path, `{"reason":" "}`).Code)
	require.Equal(t, 404, w.json(admin, "GET", members.PictureURL(selfie), "").Code, "opened without a reason")
	require.Equal(t, 404, w.json(web.Actor{ID: ada.ID, Moderator: true}, "POST", path, `{"reason":"My own"}`).Code)
	require.Equal(t, 404, w.json(admin, "POST", "/api/admin/verifications/"+uuid.NewString()+"/open", `{"reason":"Unknown"}`).Code)
	require.Zero(t, w.Count(`SELECT count(*) FROM audit_log`))
	url := w.open(admin, id).SelfieURL
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE admin_id = $1 AND subject_id = $2
		AND action = 'verification.open' AND reason = 'To compare'`, admin.ID, ada.ID))
	require.Equal(t, 404, w.json(other, "GET", url, "").Code, "another moderator has not opened it")
	w.Match(ada, bob)
	require.Equal(t, 200, w.json(ada, "GET", url, "").Code)
	require.Equal(t, 200, w.json(admin, "GET", url, "").Code)
	require.Equal(t, 404, w.json(bob, "GET", url, "").Code)
	require.Equal(t, 404, w.json(web.Actor{ID: admin.ID}, "GET", url, "").Code, "without the rights of a moderator")
	require.NotContains(t, w.json(bob, "GET", "/api/users/"+ada.ID.String(), "").Body.String(), strings.Split(url, "/")[2])

	// A moderator can open the photos of hidden members as well.
	resp := w.upload(ada, "POST", "/api/users/me/photos", picture(t))
	var photo members.Photo
	require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &photo))
	w.Exec(`UPDATE users SET paused_at = now(), profile_status = 'under_review' WHERE id = $1`, ada.ID)
	require.Equal(t, 200, w.json(admin, "GET", photo.URL, "").Code)
	require.Equal(t, 404, w.json(w.Member("Eve"), "GET", photo.URL, "").Code)
	w.Exec(`UPDATE verifications SET opened_at = now() - interval '61 minutes'`)
	require.Equal(t, 404, w.json(admin, "GET", url, "").Code, "opened more than an hour ago")
	require.Equal(t, 404, w.json(admin, "GET", photo.URL, "").Code)
	w.open(admin, id)
	w.Exec(`UPDATE verifications SET status = 'rejected', decided_at = now()`)
	require.Equal(t, 404, w.json(admin, "GET", photo.URL, "").Code, "no selfie is pending")
	require.Equal(t, 404, w.json(admin, "GET", url, "").Code)
}

func TestSubmit_ReplacesPendingSelfie(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, id := w.submitted("Ada")
	require.Equal(t, 200, w.upload(ada, "PUT", "/api/verification/selfie", pictureOf(t, 1700, 100)).Code)
	require.Equal(t, 2, w.countBlobs(), "there are the two sizes of one selfie")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM files`))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM verifications WHERE id = $1 AND status = 'pending'`, id))
	require.Equal(t, 1600, w.Count(`SELECT width FROM files`))
	for name, raw := range map[string][]byte{"svg": []byte("<svg/>"), "cut": picture(t)[:60]} {
		resp := w.upload(ada, "PUT", "/api/verification/selfie", raw)
		require.Equal(t, 422, resp.Code, "%s: %s", name, resp.Body)
		require.Contains(t, resp.Body.String(), "body.uploadId")
	}
	_, err := w.media.Create(t.Context(), ada.ID, uuid.New(), media.ForProfile, 0)
	testkit.RequireKind(t, err, fault.Invalid, "empty")
	require.Equal(t, 2, w.countBlobs())
	selfie := testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM files`)
	w.Exec(`DELETE FROM users WHERE id = $1`, ada.ID)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM blob_removals WHERE file_id = $1`, selfie), "the selfie is deleted with the account")
}

// Repeated calls with one upload store one selfie. An upload of another member is not
// found.
func TestSubmit_RepeatedForOneUpload(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, id := w.submitted("Ada")
	upload := w.uploaded(ada, picture(t))
	for range 2 {
		status, err := w.Submit(t.Context(), ada.ID, upload)
		require.NoError(t, err)
		require.Equal(t, "pending", status.Status)
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM files`))
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM verifications WHERE id = $1 AND selfie_id = $2`, id, upload))
	}
	bob, _ := w.submitted("Bob")
	_, err := w.Submit(t.Context(), ada.ID, w.uploaded(bob, picture(t)))
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = w.Submit(t.Context(), bob.ID, upload)
	testkit.RequireKind(t, err, fault.NotFound)
}

func TestQueue_SortsAndPages(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin := w.Admin("Admin")
	var want []uuid.UUID
	for _, name := range []string{"Ada", "Bob", "Cid"} {
		_, id := w.submitted(name)
		want = append(want, id)
	}
	w.Exec(`UPDATE verifications SET submitted_at = date_trunc('day', submitted_at)`) // equal times
	dan := w.Member("Dan")
	require.Equal(t, 200, w.json(dan, "POST", "/api/verification", "").Code)
	var got []uuid.UUID
	for path := "/api/admin/verifications?limit=2"; path != ""; {
		resp := w.json(admin, "GET", path, "")
		for _, selfie := range decode[[]verification.QueuedVerification](t, resp) {
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
	ada.Moderator = true
	body := `{"decision":"approve","reason":"it is me"}`
	require.Equal(t, 403, w.json(ada, "PUT", "/api/admin/verifications/"+id.String(), body).Code)
	require.Equal(t, 404, w.json(ada, "PUT", "/api/admin/verifications/"+uuid.NewString(), body).Code)
	bob := w.Member("Bob")
	require.Equal(t, 200, w.json(bob, "POST", "/api/verification", "").Code)
	requested := testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM verifications WHERE user_id = $1`, bob.ID)
	require.Equal(t, 404, w.json(ada, "PUT", "/api/admin/verifications/"+requested.String(), body).Code, "no selfie yet")
	require.Equal(t, 0, w.Count(`SELECT count(*) FROM audit_log`))
}

func TestDecide_ConcurrentWithSubmitStoresOneDecisionAndNoFile(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	ada, id := w.submitted("Ada")
	moderators := []web.Actor{w.Member("One"), w.Member("Two")}
	for _, moderator := range moderators {
		w.openAndRelease(moderator, id)
	}
	var decided atomic.Int32
	var group sync.WaitGroup
	for i, moderator := range moderators {
		group.Go(func() {
			err := w.Decide(ctx, moderator.ID, id, i == 0, "A reason")
			if err == nil {
				decided.Add(1)
			} else if !fault.Is(err, fault.Conflict) {
				t.Error(err)
			}
		})
	}
	upload := w.uploaded(ada, picture(t))
	group.Go(func() {
		switch _, err := w.Submit(ctx, ada.ID, upload); {
		case fault.Is(err, fault.Conflict):
			w.drop(ada, upload)
		case err != nil:
			t.Error(err)
		}
	})
	group.Wait()
	require.Equal(t, int32(1), decided.Load())
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action <> 'verification.open'`))
	require.Equal(t, 0, w.Count(`SELECT count(*) FROM files`))
	require.Equal(t, 0, w.countBlobs())
}

// openAndRelease opens a verification and gives up the claim on it, so that another moderator can open it, too.
func (w *env) openAndRelease(moderator web.Actor, id uuid.UUID) {
	w.Helper()
	_, err := w.Open(w.Context(), moderator.ID, id, "To compare")
	require.NoError(w, err)
	w.Exec(`DELETE FROM queue_claims`)
}

// open opens a verification as a moderator.
func (w *env) open(moderator web.Actor, id uuid.UUID) verification.PendingSelfie {
	w.Helper()
	response := w.json(moderator, "POST", "/api/admin/verifications/"+id.String()+"/open", `{"reason":"To compare"}`)
	require.Equal(w, 200, response.Code, response.Body.String())
	return decode[verification.PendingSelfie](w, response)
}
