package dates_test

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/dates"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func tokenOf(share dates.Link) string { return strings.TrimPrefix(share.URL, site+"/shared-date#") }

func TestShared_RevealsOnlyTheListedFields(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, _, date := w.accepted()
	share, err := w.s.Share(t.Context(), ada, date.ID, 12)
	require.NoError(t, err)
	token := tokenOf(share)
	raw, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(t, err)
	require.Len(t, raw, 32)
	shared, err := w.s.Shared(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, dates.SharedDate{
		FirstName: "Ada", With: "Ben", Place: date.Place, At: date.At, TimeZone: date.TimeZone, Status: dates.Accepted,
		UpdatedAt: date.UpdatedAt, ExpiresAt: share.ExpiresAt,
	}, shared)
	require.WithinDuration(t, time.Now().Add(12*time.Hour), share.ExpiresAt, time.Minute)

	sum := sha256.Sum256(raw)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM date_shares WHERE token_hash = $1`, sum[:]))
	require.Zero(t, w.Count(`SELECT count(*) FROM date_shares s WHERE to_jsonb(s)::text LIKE '%' || $1 || '%'`, token))
	require.NotContains(t, strings.Join(w.events.Take(), ""), token)

	adasView, err := w.s.Get(t.Context(), ada, date.ID)
	require.NoError(t, err)
	require.Equal(t, share.ExpiresAt, *adasView.SharedUntil)
}

func TestShared_FollowsChangesOfTheDate(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, date := w.accepted()
	share, err := w.s.Share(t.Context(), ada, date.ID, 72)
	require.NoError(t, err)
	bensView, err := w.s.Get(t.Context(), ben, date.ID)
	require.NoError(t, err)
	require.Nil(t, bensView.SharedUntil, "the other member's links are not returned")
	next := plan()
	next.Place = "Elsewhere"
	_, err = w.s.Change(t.Context(), ben, date.ID, 2, next)
	require.NoError(t, err)
	shared, err := w.s.Shared(t.Context(), tokenOf(share))
	require.NoError(t, err)
	require.Equal(t, []any{"Elsewhere", dates.Proposed}, []any{shared.Place, shared.Status})
	_, err = w.s.Cancel(t.Context(), ben, date.ID, 3)
	require.NoError(t, err)
	shared, err = w.s.Shared(t.Context(), tokenOf(share))
	require.NoError(t, err)
	require.Equal(t, dates.Cancelled, shared.Status)
}

func TestShared_LinkEnds(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, date := w.accepted()
	share := func(by web.Actor, hours int) string {
		link, err := w.s.Share(t.Context(), by, date.ID, hours)
		require.NoError(t, err)
		return tokenOf(link)
	}
	hasEnded := func(token string) bool {
		_, err := w.s.Shared(t.Context(), token)
		if err != nil {
			testkit.RequireKind(t, err, fault.NotFound)
		}
		return err != nil
	}
	shortLink, longLink, bensLink := share(ada, 1), share(ada, 8800), share(ben, 5)
	w.Exec(`UPDATE date_shares SET created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour'`)
	require.Equal(t, []bool{true, false, false}, []bool{hasEnded(shortLink), hasEnded(longLink), hasEnded(bensLink)}, "a link ends after the given hours")

	w.moveToPast(date.ID, 23*time.Hour)
	require.False(t, hasEnded(longLink))
	w.moveToPast(date.ID, 25*time.Hour)
	require.True(t, hasEnded(longLink), "a link ends at the latest a day after the date")
	_, err := w.s.Share(t.Context(), ada, date.ID, 5)
	testkit.RequireKind(t, err, fault.Conflict)
	w.Exec(`UPDATE dates SET at = now() + interval '1 hour'`)

	require.NoError(t, w.s.EndShares(t.Context(), ada, date.ID))
	require.NoError(t, w.s.EndShares(t.Context(), ada, date.ID), "a repeated call succeeds")
	require.Equal(t, []bool{true, false}, []bool{hasEnded(longLink), hasEnded(bensLink)}, "only the caller's links are deleted")
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, ben.ID)
	require.True(t, hasEnded(bensLink))
	for _, token := range []string{"", "x", "☃", strings.Repeat("A", 43), strings.Repeat("A", 44), uuid.NewString()} {
		require.True(t, hasEnded(token), token)
	}
}

func TestShare_RequiresAnAcceptedDate(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, conversation := w.Pair()
	date := w.propose(ada, conversation)
	_, err := w.s.Share(t.Context(), ada, date.ID, 5)
	testkit.RequireKind(t, err, fault.Conflict)
	_, err = w.s.Accept(t.Context(), ben, date.ID, 1)
	require.NoError(t, err)
	for _, hours := range []int{-1, 0, 367*24 + 1} {
		_, err = w.s.Share(t.Context(), ada, date.ID, hours)
		testkit.RequireKind(t, err, fault.Invalid)
	}
	for range 5 {
		_, err = w.s.Share(t.Context(), ada, date.ID, 72)
		require.NoError(t, err)
	}
	_, err = w.s.Share(t.Context(), ada, date.ID, 72)
	testkit.RequireKind(t, err, fault.Conflict)
}

func TestShared_IsRateLimitedByAddress(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, _, date := w.accepted()
	share, err := w.s.Share(t.Context(), ada, date.ID, 5)
	require.NoError(t, err)
	clientA, clientB := web.WithClient(t.Context(), "192.0.2.1"), web.WithClient(t.Context(), "192.0.2.2")
	for range 40 {
		_, err = w.s.Shared(clientA, strings.Repeat("A", 43))
		testkit.RequireKind(t, err, fault.NotFound)
	}
	_, err = w.s.Shared(clientA, tokenOf(share))
	testkit.RequireKind(t, err, fault.RateLimited)
	_, err = w.s.Shared(clientB, tokenOf(share))
	require.NoError(t, err)
}
