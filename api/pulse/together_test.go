package pulse_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/pulse"
)

func (w *env) share(member uuid.UUID, shares bool) pulse.Together {
	w.Helper()
	together, err := w.Share(w.Context(), member, shares)
	require.NoError(w, err)
	return together
}

// seen returns what the member reads of the partner's entries, the newest first.
func (w *env) seen(member uuid.UUID) []string {
	w.Helper()
	days, _, err := w.SharedDays(w.Context(), member, web.Page{Limit: 50})
	require.NoError(w, err)
	seen := []string{}
	for _, d := range days {
		if d.Theirs != nil {
			seen = append(seen, d.Theirs.Reflection)
		}
	}
	return seen
}

func TestTogether_IsForGraduatesOnly(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia, noah := w.graduates("Mia", "Noah")
	stranger := w.join("Zoe")
	together, err := w.Together(t.Context(), mia)
	require.NoError(t, err)
	require.Equal(t, noah, together.Partner.ID)
	require.False(t, together.GraduatedAt.Before(together.MatchedAt))
	_, err = w.Together(t.Context(), stranger)
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = w.Share(t.Context(), stranger, true)
	testkit.RequireKind(t, err, fault.NotFound)
	_, _, err = w.SharedDays(t.Context(), stranger, web.Page{Limit: 50})
	testkit.RequireKind(t, err, fault.NotFound)

	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, noah)
	_, err = w.Together(t.Context(), mia)
	testkit.RequireKind(t, err, fault.NotFound, "the partner is suspended")
}

func TestSharedDays_AreThoseWrittenWhileBothShare(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia, noah := w.graduates("Mia", "Noah")
	w.save(noah, yesterday(), hopeful+"before")
	require.Nil(t, w.share(mia, true).SharedSince)
	w.save(noah, today(), hopeful+"one side")
	require.Empty(t, w.seen(mia), "only one shares")
	require.Empty(t, w.seen(noah))

	require.NotNil(t, w.share(noah, true).SharedSince)
	require.Empty(t, w.seen(mia), "nothing older is shared")
	w.save(noah, today(), hopeful+"both")
	w.save(mia, today(), hopeful+"mine")
	require.Equal(t, []string{"both"}, w.seen(mia))
	require.Equal(t, []string{"mine"}, w.seen(noah))
	days, _, err := w.SharedDays(t.Context(), mia, web.Page{Limit: 50})
	require.NoError(t, err)
	require.True(t, days[0].SameMood)

	// An end hides everything at once, and a new beginning brings nothing back.
	w.share(noah, false)
	require.Empty(t, w.seen(mia))
	require.Empty(t, w.seen(noah))
	together, err := w.Together(t.Context(), mia)
	require.NoError(t, err)
	require.True(t, together.Shares)
	require.False(t, together.PartnerShares)
	w.share(noah, true)
	require.Empty(t, w.seen(mia))
	w.save(noah, yesterday(), "🤍 Grateful: anew")
	require.Equal(t, []string{"anew"}, w.seen(mia))

	// Sharing twice keeps the time.
	since := w.share(noah, true).SharedSince
	require.Equal(t, since, w.share(noah, true).SharedSince)
	require.Equal(t, []string{"anew"}, w.seen(mia))

	// An edit that was written before and arrives later is not shared.
	w.share(mia, false)
	w.share(mia, true)
	_, err = w.Save(t.Context(), noah, noah, pulse.Edit{
		Date: yesterday(), Question: questionOf(yesterday()), Response: hopeful + "written before", TimeZone: zone.String(), Age: time.Hour,
	})
	require.NoError(t, err)
	require.Empty(t, w.seen(mia))
}

func TestSharedDays_EndWithTheCouple(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia, noah := w.graduates("Mia", "Noah")
	w.share(mia, true)
	w.share(noah, true)
	w.save(noah, today(), hopeful+"both")
	require.Equal(t, []string{"both"}, w.seen(mia))
	_, err := w.couples.Withdraw(t.Context(), noah)
	require.NoError(t, err)
	_, err = w.Together(t.Context(), mia)
	testkit.RequireKind(t, err, fault.NotFound)
	sharing := testkit.Select[int](t, w.Pool, `SELECT count(*) FROM pulse_sharing`)
	require.Zero(t, sharing, "a later couple of the two begins without consent")
}

func TestSharedDays_HaveEveryDayOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia, noah := w.graduates("Mia", "Noah")
	w.share(mia, true)
	w.share(noah, true)
	w.Exec(`UPDATE pulse_sharing SET since = now() - interval '1 year'`)
	newest := time.Now().UTC()
	w.insert(mia, newest, 70)
	w.insert(noah, newest.AddDate(0, 0, -30), 70)
	var dates []string
	for cursor, more := "", true; more; more = cursor != "" {
		page, next, err := w.SharedDays(t.Context(), mia, web.Page{Limit: 20, Cursor: cursor})
		require.NoError(t, err)
		for _, d := range page {
			dates = append(dates, d.Date)
			i := len(dates) - 1
			require.Equal(t, i < 70, d.Mine != nil, i)
			require.Equal(t, i >= 30, d.Theirs != nil, i)
		}
		cursor = next
	}
	require.Len(t, dates, 100)
}

func TestChanges_AreAnnouncedToThePartnerWhoReads(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia, noah := w.graduates("Mia", "Noah")
	w.save(mia, today(), hopeful+"alone")
	require.Equal(t, []uuid.UUID{mia}, w.changed, "the member's other devices")
	w.share(mia, true)
	w.share(noah, true)
	w.changed = nil
	w.save(mia, today(), hopeful+"both")
	require.Equal(t, []uuid.UUID{mia, noah}, w.changed)
}

func TestExport_HasTheOwnEntriesOnly(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia, noah := w.graduates("Mia", "Noah")
	w.share(mia, true)
	w.share(noah, true)
	w.save(mia, today(), hopeful+"mine alone")
	w.save(noah, today(), hopeful+"of the other")
	require.Equal(t, []string{"of the other"}, w.seen(mia))
	archive := w.export(mia)
	require.Contains(t, archive["love-pulse/entries.json"], "mine alone")
	require.Contains(t, archive["love-pulse/sharing.json"], "since")
	for name, contents := range archive {
		require.NotContains(t, contents, "of the other", name)
	}
}
