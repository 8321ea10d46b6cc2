package verification_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// verified returns a verified member with two compared photos.
func (w *env) verified(name string) (p web.Actor, first, second members.Photo) {
	w.Helper()
	p, id := w.submitted(name)
	first, second = w.photo(p), w.photo(p)
	w.approve(id.String())
	return p, first, second
}

func (w *env) approve(id string) {
	w.Helper()
	admin := w.Admin("Admin" + id)
	w.open(admin, uuid.MustParse(id))
	require.Equal(w, 204, w.json(admin, "PUT", "/api/admin/verifications/"+id, `{"decision":"approve","reason":"the same face"}`).Code)
}

func (w *env) photo(p web.Actor) members.Photo {
	w.Helper()
	require.Equal(w, 201, w.upload(p, "POST", "/api/users/me/photos", picture(w)).Code)
	photos := w.me(p).Photos
	return photos[len(photos)-1]
}

func (w *env) me(p web.Actor) members.Me {
	return decode[members.Me](w, w.json(p, "GET", "/api/users/me", ""))
}

func (w *env) order(p web.Actor, photos ...members.Photo) {
	w.Helper()
	ids := ""
	for i, photo := range photos {
		if i > 0 {
			ids += ","
		}
		ids += `"` + photo.ID.String() + `"`
	}
	require.Equal(w, 200, w.json(p, "PUT", "/api/users/me/photos/order", `{"ids":[`+ids+`]}`).Code)
}

// A member who was verified cannot pass the badge on to another name, age or face.
func TestVerification_EndsWithAnotherIdentity(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(w *env, p web.Actor, first, second members.Photo){
		"name":       func(w *env, p web.Actor, _, _ members.Photo) { w.change(p, `{"fullName":"Eve"}`) },
		"age":        func(w *env, p web.Actor, _, _ members.Photo) { w.change(p, fmt.Sprintf(`{"age":%d}`, w.me(p).Age-1)) },
		"birth date": func(w *env, p web.Actor, _, _ members.Photo) { w.change(p, `{"birthDate":"1990-02-03"}`) },
		"new photo moved to the front": func(w *env, p web.Actor, first, second members.Photo) {
			w.order(p, w.photo(p), first, second)
		},
		"new photo after the others are deleted": func(w *env, p web.Actor, first, second members.Photo) {
			w.deletePhotos(p, first, second)
			require.True(w, w.me(p).IsVerified, "no photo shows another face")
			w.photo(p)
		},
		"compared photos deleted before a new one": func(w *env, p web.Actor, first, second members.Photo) {
			w.photo(p)
			w.deletePhotos(p, first, second)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			p, first, second := w.verified("Ada")
			require.True(t, w.me(p).IsVerified)
			change(w, p, first, second)
			require.False(t, w.me(p).IsVerified)
			require.Equal(t, "ended", w.status(p).Status)

			// Another selfie renews it, also with the new photo.
			require.Equal(t, 200, w.json(p, "POST", "/api/verification", "").Code)
			require.Equal(t, 200, w.selfie(p).Code)
			id := testkit.Select[string](t, w.Pool, `SELECT id FROM verifications WHERE status = 'pending'`)
			w.approve(id)
			me := w.me(p)
			require.True(t, me.IsVerified)
			require.Len(t, me.ComparedPhotos, len(me.Photos))
		})
	}
}

func TestVerification_OutlastsOtherChanges(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	p, first, second := w.verified("Ada")
	third := w.photo(p)
	w.order(p, second, third, first)
	w.order(p, first, third, second)
	w.deletePhotos(p, first)
	require.False(t, w.me(p).IsVerified, "the third has become the first")

	p, first, second = w.verified("Bea")
	w.order(p, second, first)
	w.deletePhotos(p, second)
	w.photo(p)
	birth := w.me(p).BirthDate
	require.Nil(t, birth)
	w.change(p, `{"fullName":"Bea","bio":"New words","birthDate":"1990-01-01"}`)
	require.Equal(t, 201, w.upload(p, "POST", "/api/users/me/gallery", picture(t)).Code)
	me := w.me(p)
	require.True(t, me.IsVerified)
	require.Equal(t, fmt.Sprint([]any{first.ID}), fmt.Sprint(me.ComparedPhotos))
	require.Equal(t, "approved", w.status(p).Status)
}

func (w *env) change(p web.Actor, body string) {
	w.Helper()
	require.Equal(w, 200, w.json(p, "PATCH", "/api/users/me", body).Code)
}

func (w *env) deletePhotos(p web.Actor, photos ...members.Photo) {
	w.Helper()
	for _, photo := range photos {
		require.Equal(w, 204, w.json(p, "DELETE", "/api/users/me/photos/"+photo.ID.String(), "").Code)
	}
}
