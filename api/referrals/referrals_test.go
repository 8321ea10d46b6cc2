package referrals_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/humatest"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/referrals"
)

func TestComplete_RewardsBothOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("")
	friend, alone := w.member(w.code(ann)), w.member("")
	w.Exec(`UPDATE users SET premium_until = now() - interval '1 year' WHERE id = $1`, friend)

	w.Exec(`UPDATE users SET bio = 'Hi', city = 'Portland' WHERE id = $1`, friend)
	w.complete(friend)
	assert.Equal(t, referrals.Stats{TotalReferrals: 1, PendingReferrals: 1}, w.stats(ann), "a profile with 20 percent is not complete")
	assert.Zero(t, w.premium(ann))

	w.fill(friend)
	w.fill(alone)
	for range 3 {
		w.complete(friend)
		w.complete(alone)
	}
	assert.Equal(t, referrals.Stats{TotalReferrals: 1, CompletedReferrals: 1}, w.stats(ann))
	assert.Equal(t, 7, w.premium(ann))
	assert.Equal(t, 7, w.premium(friend), "the reward starts now")
	assert.Zero(t, w.premium(alone), "a member without a referrer gets no reward")

	w.friend(ann)
	assert.Equal(t, 14, w.premium(ann), "the reward is added to the remaining time")

	w.Exec(`UPDATE users SET bio = '', love_reflection = '', city = '' WHERE id = $1`, friend)
	w.complete(friend)
	assert.Equal(t, 2, w.stats(ann).CompletedReferrals, "a referral stays completed")
}

func TestComplete_RewardsEachTierOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("")
	completeFriends := func(n int) {
		for range n {
			w.friend(ann)
		}
	}
	tier := func(level, days int) {
		t.Helper()
		assert.Equal(t, level, w.stats(ann).CurrentTier)
		assert.InDelta(t, days, w.premium(ann), 4, "months have 28 to 31 days")
		assert.Equal(t, level, w.list(ann)[0].RewardTier)
	}
	completeFriends(2)
	tier(0, 14)
	completeFriends(1)
	tier(1, 3*7+30)
	completeFriends(7)
	tier(2, 10*7+30+91)
	w.Exec(`DELETE FROM users WHERE id = (SELECT referred_user_id FROM referrals LIMIT 1)`)
	assert.Equal(t, 1, w.stats(ann).CurrentTier, "deleted members do not count")
	assert.Equal(t, 2, w.stats(ann).ReachedTier, "and take no reward back")
	completeFriends(1)
	tier(2, 11*7+30+91)
	completeFriends(15)
	tier(3, 26*7+30+91+182)
	completeFriends(25)
	assert.Equal(t, 4, w.stats(ann).CurrentTier)
	assert.Greater(t, w.premium(ann), 36_000, "the last tier is for life")
}

func TestComplete_ConcurrentCallsAllCount(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("")
	var wait sync.WaitGroup
	for range 6 {
		friend := w.member(w.code(ann))
		w.fill(friend)
		for range 2 {
			wait.Go(func() { w.complete(friend) })
		}
	}
	wait.Wait()
	assert.Equal(t, referrals.Stats{TotalReferrals: 6, CompletedReferrals: 6, CurrentTier: 1, ReachedTier: 1}, w.stats(ann))
	assert.InDelta(t, 6*7+30, w.premium(ann), 2)
}

// A friend who seems to be the referrer, a member who invited the referrer, or another friend of the referrer earns
// nothing, whether that is found at the sign-up or later.
func TestJoin_RefusesOnePersonTwice(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	at := func(email, browser, ref string) uuid.UUID { return w.memberAt(uuid.New(), email, browser, ref) }
	ann := at("ann.lee@gmail.com", "ann's phone", "")
	bob := at("bob@example.test", "bob's phone", w.code(ann))
	cleo := at("cleo@example.test", "cleo's phone", w.code(ann))
	for name, row := range map[string]struct {
		email, browser string
		by             uuid.UUID
	}{
		"own mailbox":                          {"annlee+2@gmail.com", "another phone", ann},
		"own browser":                          {"other@example.test", "ann's phone", ann},
		"mailbox of the referrer's referrer":   {"a.n.n.lee@googlemail.com", "third phone", bob},
		"browser of the referrer's referrer":   {"fourth@example.test", "ann's phone", bob},
		"mailbox of another friend":            {"bob+again@example.test", "fifth phone", ann},
		"browser of another friend of the two": {"sixth@example.test", "cleo's phone", ann},
	} {
		before := w.stats(row.by)
		friend := at(row.email, row.browser, w.code(row.by))
		w.fill(friend)
		w.complete(friend)
		assert.Zero(t, w.premium(friend), name)
		assert.Equal(t, referrals.Refused, w.list(row.by)[0].Status, name)
		before.TotalReferrals++
		assert.Equal(t, before, w.stats(row.by), name)
		w.Exec(`DELETE FROM users WHERE id = $1`, friend)
	}
	dan := at("dan@example.test", "cleo's phone", w.code(bob))
	w.fill(dan)
	w.complete(dan)
	assert.Equal(t, 7, w.premium(dan), "a friend of another referrer is not compared")

	w.Exec(`INSERT INTO known_browsers (user_id, browser_hash) VALUES ($1, sha256('ann''s phone'))`, cleo)
	w.fill(cleo)
	w.complete(cleo)
	w.complete(cleo)
	assert.Zero(t, w.premium(cleo), "signed in in the referrer's browser since the sign-up")
	w.fill(bob)
	w.complete(bob)
	assert.Equal(t, 14, w.premium(bob), "for himself and for dan")
	assert.Equal(t, 7, w.premium(ann))
	assert.Equal(t, 0, w.Count(`SELECT count(*) FROM joined_referrals WHERE referred_id = $1`, cleo))
}

// Three friends of a referrer in one network earn a reward in 30 days. Another one waits until the network is erased.
func TestComplete_RewardsThreeFriendsInANetwork(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.member(""), w.member("")
	for i, client := range []string{"192.0.2.1", "192.0.2.77", "192.0.2.250"} {
		w.client = client
		w.friend(ann)
		require.Equal(t, i+1, w.stats(ann).CompletedReferrals)
	}
	days := w.premium(ann)
	w.client = "192.0.2.9"
	fourth := w.friend(ann)
	require.Equal(t, referrals.Pending, w.list(ann)[0].Status)
	require.Equal(t, referrals.Stats{TotalReferrals: 4, CompletedReferrals: 3, PendingReferrals: 1, CurrentTier: 1, ReachedTier: 1}, w.stats(ann))
	require.Equal(t, days, w.premium(ann))
	require.Zero(t, w.premium(fourth))

	require.Equal(t, 7, w.premium(w.friend(bob)), "of another referrer")
	w.client = "192.0.3.1"
	require.Equal(t, 7, w.premium(w.friend(ann)), "in another network")
	for _, client := range []string{"2001:db8:1:1::/64", "2001:db8:1:2::/64", "2001:db8:1:3::/64", "2001:db8:1:4::/64"} {
		w.client = client
		w.friend(ann)
	}
	require.Equal(t, 2, w.stats(ann).PendingReferrals, "a site has many networks")
	w.client = ""
	require.Equal(t, 7, w.premium(w.friend(ann)), "in a network that is not known")

	w.Exec(`UPDATE referrals SET joined_at = now() - interval '31 days' WHERE referrer_id = $1 AND status = 'completed'`, ann)
	erased, err := referrals.EraseNetworks(t.Context(), w.Pool, 100)
	require.NoError(t, err)
	require.Equal(t, 7, erased)
	require.Equal(t, 3, w.Count(`SELECT count(*) FROM referrals WHERE network_mac IS NOT NULL`))
	w.complete(fourth)
	require.Equal(t, 7, w.premium(fourth))
	require.Equal(t, 1, w.stats(ann).PendingReferrals)
}

func TestComplete_ConcurrentFriendsInANetworkAreLimited(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.client = "192.0.2.1"
	ann := w.member("")
	var wait sync.WaitGroup
	for range 8 {
		friend := w.member(w.code(ann))
		w.fill(friend)
		wait.Go(func() { w.complete(friend) })
	}
	wait.Wait()
	require.Equal(t, 3, w.stats(ann).CompletedReferrals)
	require.Equal(t, 5, w.stats(ann).PendingReferrals)
}

// A mailbox earns one reward, even after the account was deleted and with another referrer.
func TestComplete_RewardsAMailboxOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.member(""), w.member("")
	first := w.memberAt(uuid.New(), "cleo@gmail.com", "one", w.code(ann))
	w.fill(first)
	w.complete(first)
	require.Equal(t, 7, w.premium(first))
	w.Exec(`DELETE FROM users WHERE id = $1`, first)
	again := w.memberAt(uuid.New(), "c.l.e.o+2@gmail.com", "two", w.code(bob))
	w.fill(again)
	w.complete(again)
	require.Zero(t, w.premium(again))
	require.Zero(t, w.premium(bob))
	require.Equal(t, referrals.Refused, w.list(bob)[0].Status)
}

func TestList_PagesTheNewestFirst(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("")
	var friends []uuid.UUID
	for i := range 5 {
		friend := w.member(w.code(ann))
		w.Exec(`UPDATE referrals SET created_at = $2 WHERE referred_user_id = $1`, friend, time.Now().Add(-time.Duration(i/2)*time.Minute).Truncate(time.Minute))
		friends = append(friends, friend)
	}
	w.fill(friends[4])
	w.complete(friends[4])
	var got []uuid.UUID
	for cursor := ""; ; {
		page, next, err := w.s.List(t.Context(), web.Actor{ID: ann}, ann, cursor, 2)
		require.NoError(t, err)
		for _, r := range page {
			friend := w.friendOf(r)
			got = append(got, friend)
			assert.Equal(t, friend == friends[4], r.Status == referrals.Completed)
			assert.Nil(t, r.Email)
		}
		if cursor = next; next == "" {
			break
		}
	}
	assert.Equal(t, []uuid.UUID{friends[1], friends[0], friends[3], friends[2], friends[4]}, got, "those of the same time by id")
	_, _, err := w.s.List(t.Context(), web.Actor{ID: ann}, ann, "nonsense", 2)
	testkit.RequireKind(t, err, fault.Invalid)
}

// serve returns the operations of the feature for a caller.
func (w *env) serve(t *testing.T, caller uuid.UUID) humatest.TestAPI {
	t.Helper()
	_, api := humatest.New(t)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), web.Actor{ID: caller})))
	})
	referrals.Register(web.ForFeature(api, "referrals"), w.s)
	return api
}

func TestReferrals_OperationsOfTheCaller(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("")
	friends := []uuid.UUID{w.member(w.code(ann)), w.member(w.code(ann))}
	api := w.serve(t, ann)
	var code struct{ Code string }
	resp := api.Post("/api/referrals/generate/" + ann.String())
	require.Equal(t, http.StatusOK, resp.Code, resp.Body)
	require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &code))
	assert.Equal(t, strings.ToUpper(ann.String()[24:]), code.Code)
	page := api.Get("/api/referrals/" + ann.String() + "?limit=1")
	assert.Contains(t, page.Header().Get("Link"), "/api/referrals/"+ann.String()+"?cursor=")
	for _, friend := range friends {
		assert.NotContains(t, page.Body.String(), friend.String(), "the referrer is not told who joined")
	}
}

func TestReferrals_OtherIDsAreNotFound(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.member(""), w.member("")
	w.member(w.code(ann))
	api := w.serve(t, bob)
	for _, id := range []uuid.UUID{ann, uuid.New()} {
		invitation := map[string]any{"clientId": uuid.New(), "email": "kim@friend.test"}
		for _, status := range []int{
			api.Get("/api/referrals/" + id.String()).Code, api.Get("/api/referrals/stats/" + id.String()).Code,
			api.Post("/api/referrals/generate/" + id.String()).Code, api.Post("/api/referrals/invite/"+id.String(), invitation).Code,
			api.Put("/api/referrals/look/"+id.String(), map[string]any{"theme": nil, "frame": nil}).Code,
		} {
			assert.Equal(t, http.StatusNotFound, status)
		}
	}
	assert.JSONEq(t, `[]`, api.Get("/api/referrals/"+bob.String()).Body.String())
}

// model counts the referrals of a member without the database.
type model struct{ total, completed, pending int }

// The counts equal those of a model after random operations.
func TestStats_EqualARecountAfterRandomOperations(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	random := rand.New(rand.NewPCG(1, 46))
	hosts := []uuid.UUID{w.member(""), w.member("")}
	want := map[uuid.UUID]*model{hosts[0]: {}, hosts[1]: {}}
	type friend struct{ id, by uuid.UUID }
	var open []friend // joined, with an incomplete profile
	var done []friend
	mailed := map[uuid.UUID][]string{} // codes of unused invitations
	for i := range 150 {
		by := hosts[random.IntN(2)]
		m := want[by]
		switch random.IntN(7) {
		case 0, 1: // join by the link
			open = append(open, friend{w.member(w.code(by)), by})
			m.total, m.pending = m.total+1, m.pending+1
		case 2: // complete
			if len(open) > 0 {
				f := open[0]
				open, done = open[1:], append(done, f)
				w.fill(f.id)
				w.complete(f.id)
				want[f.by].completed, want[f.by].pending = want[f.by].completed+1, want[f.by].pending-1
			}
		case 3: // invite by mail
			w.Exec(`DELETE FROM daily_items`)
			w.Exec(`DELETE FROM daily_counts`)
			_, err := w.invite(by, fmt.Sprintf("friend%d@example.test", i))
			require.NoError(t, err)
			code := testkit.Select[string](t, w.Pool, `SELECT referral_code FROM referrals WHERE referrer_id = $1 ORDER BY id DESC LIMIT 1`, by)
			mailed[by] = append(mailed[by], code)
			m.total, m.pending = m.total+1, m.pending+1
		case 4: // join by a mail: the row is the same
			if codes := mailed[by]; len(codes) > 0 {
				open = append(open, friend{w.member(codes[0]), by})
				mailed[by] = codes[1:]
			}
		case 5: // expire the unused invitations of all
			w.Exec(`UPDATE referrals SET created_at = now() - interval '91 days' WHERE email IS NOT NULL`)
			_, err := referrals.ExpireInvitations(t.Context(), w.Pool, 1000)
			require.NoError(t, err)
			for host, codes := range mailed {
				want[host].pending -= len(codes)
				mailed[host] = nil
			}
		case 6: // a friend deletes the account
			if len(done) > 0 {
				w.Exec(`DELETE FROM users WHERE id = $1`, done[0].id)
				want[done[0].by].completed--
				want[done[0].by].total--
				done = done[1:]
			}
		}
		for _, host := range hosts {
			expected, got := *want[host], w.stats(host)
			require.Equal(t, expected, model{got.TotalReferrals, got.CompletedReferrals, got.PendingReferrals}, "after operation %d", i)
		}
	}
}

func TestList_ReadsOnlyItsPage(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("")
	pgtest.Fill(t, w.Pool, []string{"referrals"}, pgx.NamedArgs{"ann": ann}, `
		INSERT INTO referrals (id, referrer_id, referral_code, email, address_mac, client_id, created_at)
		SELECT gen_random_uuid(), @ann, 'MAIL' || lpad(n::text, 8, '0'), n || '@friend.test', sha256(n::text::bytea), gen_random_uuid(), now() - n * interval '1 minute'
		FROM generate_series(1, 100000) n`)
	w.Exec(`ANALYZE referrals`)
	plan := pgtest.Explain(t, w.Pool, "", referrals.ListSQL, web.StartCursor.At, web.StartCursor.ID, ann, 51)
	pgtest.CheckPlan(t, "the list", plan, 999)
}
