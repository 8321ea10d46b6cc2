package referrals_test

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/humatest"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
	"heartward/api/referrals"
)

func exec(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) {
	t.Helper()
	_, err := pool.Exec(context.Background(), sql, args...)
	require.NoError(t, err)
}

// member stores a member with an optional referrer.
func member(t *testing.T, pool *pgxpool.Pool, referrer *uuid.UUID) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	exec(t, pool, `INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, referred_by)
		VALUES ($1, $2 || '@example.test', 'Ann', 'Ann', '1990-01-01', right($2, 12), $3)`, id, id.String(), referrer)
	return id
}

// fill completes a profile to 80 percent.
func fill(t *testing.T, pool *pgxpool.Pool, id uuid.UUID) {
	t.Helper()
	exec(t, pool, `UPDATE users SET bio = 'Hi', love_reflection = 'Home', intention_tags = '{Healing}', city = 'Portland',
		occupation = 'Cook', education = 'masters', has_children = false, wants_children = true WHERE id = $1`, id)
}

func complete(t *testing.T, pool *pgxpool.Pool, id uuid.UUID) {
	t.Helper()
	require.NoError(t, pg.TxDo(context.Background(), pool, func(tx pgx.Tx) error {
		return referrals.Complete(context.Background(), tx, id)
	}))
}

// premium returns the remaining days of Premium, rounded.
func premium(t *testing.T, pool *pgxpool.Pool, id uuid.UUID) (days int) {
	t.Helper()
	require.NoError(t, pool.QueryRow(context.Background(),
		`SELECT coalesce(round(extract(epoch FROM premium_until - now()) / 86400), 0)::int FROM users WHERE id = $1`, id).Scan(&days))
	return days
}

func stats(t *testing.T, pool *pgxpool.Pool, id uuid.UUID) referrals.Stats {
	t.Helper()
	stats, err := referrals.New(pool).Stats(t.Context(), web.Actor{ID: id}, id)
	require.NoError(t, err)
	assert.Len(t, stats.Tiers, 5)
	days := premium(t, pool, id)
	require.Equal(t, days > 0, stats.PremiumUntil != nil)
	if days > 0 && days < 36_000 {
		assert.InDelta(t, days, time.Until(*stats.PremiumUntil).Hours()/24, 1)
	}
	stats.Tiers, stats.PremiumUntil = nil, nil
	return stats
}

func TestComplete_RewardsBothOnce(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ann := member(t, pool, nil)
	friend, alone := member(t, pool, &ann), member(t, pool, nil)
	exec(t, pool, `UPDATE users SET premium_until = now() - interval '1 year' WHERE id = $1`, friend)

	exec(t, pool, `UPDATE users SET bio = 'Hi', city = 'Portland' WHERE id = $1`, friend)
	complete(t, pool, friend)
	assert.Equal(t, referrals.Stats{TotalReferrals: 1, PendingReferrals: 1}, stats(t, pool, ann), "a profile with 20 percent is not complete")
	assert.Zero(t, premium(t, pool, ann))

	fill(t, pool, friend)
	fill(t, pool, alone)
	for range 3 {
		complete(t, pool, friend)
		complete(t, pool, alone)
	}
	assert.Equal(t, referrals.Stats{TotalReferrals: 1, CompletedReferrals: 1}, stats(t, pool, ann))
	assert.Equal(t, 7, premium(t, pool, ann))
	assert.Equal(t, 7, premium(t, pool, friend), "the reward starts now")
	assert.Zero(t, premium(t, pool, alone), "a member without a referrer gets no reward")

	second := member(t, pool, &ann)
	fill(t, pool, second)
	complete(t, pool, second)
	assert.Equal(t, 14, premium(t, pool, ann), "the reward is added to the remaining time")

	exec(t, pool, `UPDATE users SET bio = '', love_reflection = '', city = '' WHERE id = $1`, friend)
	complete(t, pool, friend)
	assert.Equal(t, 2, stats(t, pool, ann).CompletedReferrals, "a referral stays completed")
}

func TestComplete_RewardsEachTierOnce(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ann := member(t, pool, nil)
	completeFriend := func(n int) {
		for range n {
			friend := member(t, pool, &ann)
			fill(t, pool, friend)
			complete(t, pool, friend)
		}
	}
	tier := func(level, days int) {
		t.Helper()
		assert.Equal(t, level, stats(t, pool, ann).CurrentTier)
		assert.InDelta(t, days, premium(t, pool, ann), 4, "months have 28 to 31 days")
	}
	completeFriend(2)
	tier(0, 14)
	completeFriend(1)
	tier(1, 3*7+30)
	completeFriend(7)
	tier(2, 10*7+30+91)
	exec(t, pool, `DELETE FROM users WHERE id = (SELECT referred_id FROM referral_rewards LIMIT 1)`)
	assert.Equal(t, 1, stats(t, pool, ann).CurrentTier, "deleted members do not count")
	completeFriend(1)
	tier(2, 11*7+30+91)
	completeFriend(15)
	tier(3, 26*7+30+91+182)
	completeFriend(25)
	assert.Equal(t, 4, stats(t, pool, ann).CurrentTier)
	assert.Greater(t, premium(t, pool, ann), 36_000, "the last tier is for life")
}

func TestComplete_ConcurrentCallsAllCount(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ann := member(t, pool, nil)
	var wait sync.WaitGroup
	for range 6 {
		friend := member(t, pool, &ann)
		fill(t, pool, friend)
		for range 2 {
			wait.Go(func() { complete(t, pool, friend) })
		}
	}
	wait.Wait()
	assert.Equal(t, referrals.Stats{TotalReferrals: 6, CompletedReferrals: 6, CurrentTier: 1}, stats(t, pool, ann))
	assert.InDelta(t, 6*7+30, premium(t, pool, ann), 2)
}

func TestReferrals_RequireTheCallersID(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	s := referrals.New(pool)
	ann, bob := member(t, pool, nil), member(t, pool, nil)
	var friends []uuid.UUID
	for i := range 5 {
		friend := member(t, pool, &ann)
		exec(t, pool, `UPDATE users SET created_at = $2 WHERE id = $1`, friend, time.Now().Add(-time.Duration(i/2)*time.Minute).Truncate(time.Minute))
		friends = append(friends, friend)
	}
	fill(t, pool, friends[4])
	complete(t, pool, friends[4])
	caller := ann
	_, api := humatest.New(t)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), web.Actor{ID: caller})))
	})
	referrals.Register(api, s)

	var got []uuid.UUID
	for cursor := ""; ; {
		page, next, err := s.List(t.Context(), web.Actor{ID: ann}, ann, cursor, 2)
		require.NoError(t, err)
		for _, r := range page {
			got = append(got, r.ReferredUserID)
			assert.Equal(t, r.ID == friends[4], r.Status == referrals.Completed)
		}
		if cursor = next; next == "" {
			break
		}
	}
	assert.Equal(t, []uuid.UUID{friends[1], friends[0], friends[3], friends[2], friends[4]}, got, "the newest first, then by id")

	var code struct{ Code string }
	resp := api.Post("/api/referrals/generate/" + ann.String())
	require.Equal(t, http.StatusOK, resp.Code, resp.Body)
	require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &code))
	assert.Equal(t, ann.String()[24:], code.Code)
	page := api.Get("/api/referrals/" + ann.String() + "?limit=4")
	assert.Contains(t, page.Body.String(), friends[0].String())
	assert.Contains(t, page.Header().Get("Link"), "/api/referrals/"+ann.String()+"?cursor=")
	for _, id := range []uuid.UUID{ann, uuid.New()} {
		caller = bob
		for _, status := range []int{
			api.Get("/api/referrals/" + id.String()).Code, api.Get("/api/referrals/stats/" + id.String()).Code,
			api.Post("/api/referrals/generate/" + id.String()).Code,
		} {
			assert.Equal(t, http.StatusNotFound, status)
		}
	}
	assert.JSONEq(t, `[]`, api.Get("/api/referrals/"+bob.String()).Body.String())
	_, _, err := s.List(t.Context(), web.Actor{ID: ann}, ann, "nonsense", 2)
	assert.True(t, fault.Is(err, fault.Invalid), "%v", err)
}
