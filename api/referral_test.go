package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/moments"
	"heartward/api/platform/web"
	"heartward/api/referrals"
)

// A referral completes when the last missing part of the profile is added: a text or
// the first photo.
func TestReferral_CompletesWithTheProfile(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	host := s.idOf(s.viewer)
	me := func(cookie string) (me members.Me) {
		require.NoError(t, json.Unmarshal([]byte(s.send(cookie, http.MethodGet, "/api/users/me", "", "").body), &me))
		return me
	}
	stats := func() (stats referrals.Stats) {
		got := s.send(s.viewer, http.MethodGet, "/api/referrals/stats/"+host, "", "")
		require.Equal(t, http.StatusOK, got.status, got.body)
		require.NoError(t, json.Unmarshal([]byte(got.body), &stats))
		return stats
	}
	change := func(cookie string, fields map[string]any) {
		got := s.json(cookie, http.MethodPatch, "/api/users/me", fields)
		require.Equal(t, http.StatusOK, got.status, got.body)
	}
	byText, byPhoto := s.signUp("Text"), s.signUp("Photo")
	for _, friend := range []string{byText, byPhoto} {
		s.Exec(`INSERT INTO referrals (id, referrer_id, referred_user_id, referral_code, joined_at) VALUES (gen_random_uuid(), $1, $2, 'ABCDEF', now())`, host, s.idOf(friend))
		change(friend, map[string]any{"bio": "Hi", "loveReflection": "Home", "occupation": "Cook", "education": "masters", "hasChildren": false})
	}
	require.Equal(t, 2, stats().PendingReferrals)
	require.False(t, me(s.viewer).IsPremium)

	change(byText, map[string]any{"wantsChildren": true})
	require.True(t, me(byText).IsPremium)
	require.True(t, me(s.viewer).IsPremium)
	require.Equal(t, 1, stats().CompletedReferrals)

	require.Equal(t, 70, me(byPhoto).Completeness.Percent)
	s.addPhoto(byPhoto)
	require.True(t, me(byPhoto).IsPremium)
	require.Equal(t, 2, stats().CompletedReferrals)
	require.Equal(t, 2, me(s.viewer).Counts.Referrals)
}

// No response to the referrer tells which member the friend is, also after the friend has completed the profile.
func TestReferral_DoesNotTellWhoJoined(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	host, friend := s.idOf(s.viewer), s.signUp("quillon")
	s.Exec(`INSERT INTO referrals (id, referrer_id, referred_user_id, referral_code, joined_at) VALUES (gen_random_uuid(), $1, $2, 'ABCDEF', now())`, host, s.idOf(friend))
	got := s.json(friend, http.MethodPatch, "/api/users/me", map[string]any{
		"bio": "Hi", "loveReflection": "Home", "occupation": "Cook", "education": "masters", "hasChildren": false, "wantsChildren": true,
	})
	require.Equal(t, http.StatusOK, got.status, got.body)
	get := func(path string) string {
		got := s.send(s.viewer, http.MethodGet, path, "", "")
		require.Equal(t, http.StatusOK, got.status, got.body)
		require.NotContains(t, got.body, s.idOf(friend), path)
		require.NotContains(t, strings.ToLower(got.body), "quillon", path)
		return got.body
	}
	var list []referrals.Referral
	require.NoError(t, json.Unmarshal([]byte(get("/api/referrals/"+host)), &list))
	require.Len(t, list, 1)
	require.Equal(t, referrals.Completed, list[0].Status)
	require.NotNil(t, list[0].ReferredUserID, "the friend has joined")
	require.Contains(t, get("/api/notifications"), "friend_completed")
	require.Contains(t, get("/api/users/me/activity"), "friend_joined")
	var subjects []moments.Subject
	require.NoError(t, json.Unmarshal([]byte(get("/api/moments/subjects?type=referral")), &subjects))
	require.Len(t, subjects, 1)
	got = s.json(s.viewer, http.MethodPost, "/api/moments", map[string]any{"momentType": "referral", "subjectId": subjects[0].ID})
	require.Equal(t, http.StatusCreated, got.status, got.body)
	for _, path := range []string{"/api/moments", "/api/referrals/stats/" + host, "/api/badges/user/" + host, "/api/users/me"} {
		get(path)
	}
}

// A sign-up with a link is the referrer's, and the page to end invitations needs no session and no script.
func TestReferral_SignUpByLinkAndOptOutPage(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	host := s.idOf(s.viewer)
	var invitation referrals.Invitation
	got := s.json(s.viewer, http.MethodPost, "/api/referrals/generate/"+host, nil)
	require.NoError(t, json.Unmarshal([]byte(got.body), &invitation))
	const email = "friend@referral.test"
	code, browser := s.newCode(email)
	got = s.json(browser, http.MethodPost, "/api/users", map[string]any{
		"email": email, "fullName": "Fay", "age": 30, "code": code, "honorCode": true, "ref": invitation.Code,
	})
	require.Equal(t, http.StatusCreated, got.status, got.body)
	require.Equal(t, 1, s.Count(`SELECT count(*) FROM joined_referrals WHERE referrer_id = $1 AND referred_id = $2`, host, s.idOf(cookieOf(got))))

	path := referrals.OptOutPath + web.Seal("opt out of invitations", []byte("01234567890123456789012345678901"))
	page := s.send("", http.MethodGet, path, "", "")
	require.Equal(t, http.StatusOK, page.status, page.body)
	require.Contains(t, page.body, `<form method="post">`)
	require.Equal(t, "no-store", page.header.Get("Cache-Control"))
	require.Zero(t, s.Count(`SELECT count(*) FROM invited_addresses`), "opening the link changes nothing")
	page = s.send("", http.MethodPost, path, "application/x-www-form-urlencoded", "List-Unsubscribe=One-Click")
	require.Equal(t, http.StatusOK, page.status, page.body)
	require.Contains(t, page.body, "No more invitations")
	require.Equal(t, 1, s.Count(`SELECT count(*) FROM invited_addresses WHERE opted_out_at IS NOT NULL`))
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		page = s.send("", method, path+"A", "application/x-www-form-urlencoded", "")
		require.Equal(t, http.StatusNotFound, page.status)
		require.Contains(t, page.body, "This link is not valid")
	}
}
