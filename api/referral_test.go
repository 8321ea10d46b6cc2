package api_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/members"
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
	byText, byPhoto := s.signUp("by.text"), s.signUp("by.photo")
	for _, friend := range []string{byText, byPhoto} {
		_, err := s.pool.Exec(t.Context(), `UPDATE users SET referred_by = $1 WHERE id = $2`, host, s.idOf(friend))
		require.NoError(t, err)
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
