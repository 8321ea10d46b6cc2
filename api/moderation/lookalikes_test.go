package moderation_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/queue"
)

// person returns a new member with a photo of the seed's pattern, which is compared as after an upload.
func (w *env) person(name string, seed int) web.Actor {
	w.Helper()
	member := w.Member(name)
	require.NoError(w, w.s.ComparePhoto(w.Context(), w.addPicture(member, "photo", photo(w, seed))))
	return member
}

// secondAccounts returns the pending reports about possible second accounts.
func (w *env) secondAccounts() []uuid.UUID {
	w.Helper()
	return testkit.SelectAll[uuid.UUID](w, w.Pool, `SELECT id FROM reports WHERE source = 'block' AND status = 'pending' ORDER BY id`)
}

// A second account of a blocked member and the blocker are hidden from each other, but from nobody else. A moderator sees
// why. No member is informed, neither before nor after the decision.
func TestComparePhoto_KeepsBlocksAgainstSecondAccount(t *testing.T) {
	t.Parallel()
	for decision, isFree := range map[string]bool{moderation.NoAction: true, moderation.KeepApart: false} {
		t.Run(decision, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			admin := w.Admin("Admin Moss")
			ann, eve := w.person("Ann Moss", 7), w.person("Eve Moss", 9)
			bob := w.person("Bob Moss", 1)
			w.block(ann, bob)
			again := w.Member("Rob Moss")
			picture := w.addPicture(again, "photo", photo(t, 1))
			require.NotEmpty(t, w.visibleOn(ann, again))
			require.NoError(t, w.s.ComparePhoto(t.Context(), picture))
			require.NoError(t, w.s.ComparePhoto(t.Context(), picture), "a job may run twice")
			require.Empty(t, w.visibleOn(ann, again))
			require.Empty(t, w.visibleOn(again, ann))
			require.NotEmpty(t, w.visibleOn(eve, again))
			require.Equal(t, "active", w.status(again))

			reports := w.secondAccounts()
			require.Len(t, reports, 1)
			entries, _, err := queue.New(w.Pool).List(t.Context(), web.Actor{ID: admin.ID}, queue.Report, web.Page{Limit: 10})
			require.NoError(t, err)
			require.Equal(t, "second_account", entries[0].Why)
			require.Equal(t, []string{"no_action", "keep_apart", "warn", "remove", "suspend"}, entries[0].Actions)
			opened, err := w.s.OpenReport(t.Context(), admin.ID, reports[0], "the queue")
			require.NoError(t, err)
			require.Equal(t, "A photo looks like one of member "+bob.ID.String()+", whom 1 member has blocked; 0 of 64 parts differ", opened.Description)
			require.NoError(t, w.s.DecideReport(t.Context(), admin.ID, reports[0], moderation.Decision{Action: decision, Reason: "seen"}))
			require.Equal(t, isFree, len(w.visibleOn(ann, again)) > 0)
			require.Equal(t, isFree, len(w.visibleOn(again, ann)) > 0)
			require.NoError(t, w.s.ComparePhoto(t.Context(), picture))
			require.Empty(t, w.secondAccounts(), "a moderator has decided")
			require.Zero(t, w.Count(`SELECT count(*) FROM river_job WHERE kind IN ('report_outcome', 'sanction', 'profile_hidden', 'profile_hidden_mail')`), "nobody is told")
			require.Zero(t, w.Count(`SELECT count(*) FROM sanctions`))
			blocked, _, err := w.s.Blocks(t.Context(), ann, "", 10)
			require.NoError(t, err)
			require.Len(t, blocked, 1, "the list has the chosen block only")

			require.NoError(t, w.s.Unblock(t.Context(), ann, bob.ID))
			require.NotEmpty(t, w.visibleOn(ann, again), "the end of the block is the end of what follows from it")
		})
	}
}

// The second account may be older than the block. A match that the blocker has with it stays, and another person is not concerned.
func TestCompareBlocked_FindsOlderAccounts(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob, rob, other := w.person("Ann Moss", 7), w.person("Bob Moss", 1), w.person("Rob Moss", 1), w.person("Kim Moss", 5)
	matched := w.person("Mel Moss", 1)
	w.match(ann, matched)
	require.Empty(t, w.secondAccounts(), "nobody is blocked")
	w.block(ann, bob)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'compare_blocked' AND args->>'memberId' = $1`, bob.ID.String()))
	require.NoError(t, w.s.CompareBlocked(t.Context(), moderation.CompareBlockedArgs{MemberID: bob.ID}))
	require.NoError(t, w.s.CompareBlocked(t.Context(), moderation.CompareBlockedArgs{MemberID: bob.ID}), "a job may run twice")
	require.Len(t, w.secondAccounts(), 2)
	require.Empty(t, w.visibleOn(ann, rob))
	require.NotEmpty(t, w.visibleOn(ann, other))
	require.NotEmpty(t, w.visibleOn(ann, matched))
	w.Exec(`DELETE FROM users WHERE id = $1`, bob.ID)
	require.NotEmpty(t, w.visibleOn(ann, rob), "a block ends with either account")
}

// Only a possible second account can be kept apart, and without an explanation for its member.
func TestDecideReport_KeepApartIsForSecondAccounts(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob, admin := w.Member("Ann Moss"), w.Member("Bob Moss"), w.Admin("Admin Moss")
	receipt, err := w.s.Report(t.Context(), ann, moderation.ReportInput{UserID: bob.ID, Reason: "spam", Place: "card"})
	require.NoError(t, err)
	err = w.s.DecideReport(t.Context(), admin.ID, receipt.ID, moderation.Decision{Action: moderation.KeepApart, Reason: "x"})
	testkit.RequireKind(t, err, fault.Invalid)
	err = w.s.DecideReport(t.Context(), admin.ID, receipt.ID, moderation.Decision{Action: moderation.KeepApart, Explanation: "x", Reason: "x"})
	testkit.RequireKind(t, err, fault.Invalid)
}

// Stored hashes are keyed: another secret makes others, and the distances stay.
func TestStoredHashes_AreKeyed(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	file := w.addPicture(w.Member("Ann Moss"), "photo", photo(t, 1))
	stored := func(secret string) int64 {
		s := moderation.New(w.Pool, w.events, w.matching, w.blobs, w.jobs, []byte(secret))
		require.NoError(t, s.ComparePhoto(t.Context(), file))
		return testkit.Select[int64](t, w.Pool, `SELECT hash FROM photo_hashes`)
	}
	one, two := stored("0123456789abcdef0123456789abcdef"), stored("another secret of thirty-two byte")
	require.NotEqual(t, one, two)
	require.Equal(t, one, stored("0123456789abcdef0123456789abcdef"))
}
