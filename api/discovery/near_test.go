package discovery_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// insertMany adds members of a town.
func insertMany(t testing.TB, pool *pgxpool.Pool, count int, with row) {
	t.Helper()
	for range count {
		insert(t, pool, with)
	}
}

func nextDay(days int) time.Time { return time.Now().UTC().AddDate(0, 0, days) }

func TestBandOf_NamesRoughNumbers(t *testing.T) {
	t.Parallel()
	for count, want := range map[int]discovery.Band{
		0: discovery.FewerThanTen, 1: discovery.FewerThanTen, 9: discovery.FewerThanTen, 10: discovery.AboutTwenty, 29: discovery.AboutTwenty,
		30: discovery.AboutFifty, 99: discovery.AboutFifty, 100: discovery.Hundreds, 999: discovery.Hundreds, 1000: discovery.Thousands,
	} {
		require.Equal(t, want, discovery.BandOf(count), count)
	}
	for _, band := range discovery.Bands() {
		require.Contains(t, band.Sentence(), "within 50 miles")
	}
}

// The circle is 50 miles around the town's centre, and has only members who are shown to everyone.
func TestNear_CountsShownMembersWithinFiftyMiles(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	insertMany(t, pool, 5, row{})                                 // Portland
	insertMany(t, pool, 4, row{"city": "Salem"})                  // 45 miles
	insertMany(t, pool, 30, row{"city": "Corvallis"})             // 70 miles
	insertMany(t, pool, 5, row{"city": "Xyzzy"})                  // unknown
	insertMany(t, pool, 5, row{"incognito": true})                // shown to those they like
	insertMany(t, pool, 5, row{"paused_at": time.Now()})          //
	insertMany(t, pool, 5, row{"profile_status": "suspended"})    //
	insertMany(t, pool, 5, row{"is_graduated": true})             //
	away := visiting("Portland", "OR", time.Now().Add(time.Hour)) // lives elsewhere
	away["city"], away["state"] = "Seattle", "WA"
	insertMany(t, pool, 5, away)
	near, err := discovery.New(pool).Near(t.Context(), "portland", "oregon")
	require.NoError(t, err)
	require.Equal(t, discovery.Near{Town: "Portland, Oregon", Band: discovery.FewerThanTen, Text: discovery.FewerThanTen.Sentence()}, near)

	testkit.Exec(t, pool, `DELETE FROM near_snapshots`)
	insert(t, pool, row{})
	near, err = discovery.New(pool).Near(t.Context(), "Portland", "Oregon")
	require.NoError(t, err)
	require.Equal(t, discovery.AboutTwenty, near.Band, "the tenth member")

	_, err = discovery.New(pool).Near(t.Context(), "Xyzzy", "Oregon")
	testkit.RequireInvalid(t, err, "query.city")
	_, err = discovery.New(pool).Near(t.Context(), "Portland", "")
	testkit.RequireInvalid(t, err, "query.city")
}

// The answers of a day do not change with a member who joins or moves, on no node, so that nobody is found by comparing two.
func TestNear_AnswersOfADayDoNotChange(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	insertMany(t, pool, 9, row{})
	first := discovery.New(pool)
	band := func(s *discovery.Service) discovery.Band {
		near, err := s.Near(t.Context(), "Portland", "Oregon")
		require.NoError(t, err)
		return near.Band
	}
	require.Equal(t, discovery.FewerThanTen, band(first))
	insertMany(t, pool, 9, row{})
	require.Equal(t, discovery.FewerThanTen, band(first))
	require.Equal(t, discovery.FewerThanTen, band(discovery.New(pool)), "another node, or after a restart")
	require.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM near_snapshots`))
}

func TestNear_NodesTakeOneSnapshot(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	insertMany(t, pool, 12, row{})
	var nodes sync.WaitGroup
	bands := make([]discovery.Band, 6)
	for i := range bands {
		nodes.Go(func() {
			near, err := discovery.New(pool).Near(t.Context(), "Portland", "Oregon")
			if err == nil {
				bands[i] = near.Band
			}
		})
	}
	nodes.Wait()
	for _, band := range bands {
		require.Equal(t, discovery.AboutTwenty, band)
	}
	require.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM near_snapshots`))
}

func TestNear_IsLimitedForANetwork(t *testing.T) {
	t.Parallel()
	s := discovery.New(pgtest.New(t))
	ctx := web.WithClient(t.Context(), "203.0.113.9")
	for n := range 30 {
		_, err := s.Near(ctx, "Portland", "Oregon")
		require.NoError(t, err, n)
	}
	_, err := s.Near(ctx, "Salem", "Oregon")
	testkit.RequireKind(t, err, fault.RateLimited)
	_, err = s.Near(web.WithClient(t.Context(), "203.0.113.10"), "Salem", "Oregon")
	require.NoError(t, err, "another network")
}

func TestWaitForMore_NeedsAKnownTown(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	s := discovery.New(pool)
	for _, city := range []string{"", "Xyzzy"} {
		me := insert(t, pool, row{"city": city})
		_, err := s.WaitForMore(t.Context(), me, false)
		testkit.RequireInvalid(t, err, "city")
		_, err = s.NearMe(t.Context(), me)
		testkit.RequireInvalid(t, err, "city")
	}
	require.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM near_waits`))
}

func TestWaitForMore_CanBeRepeatedAndTakenBack(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	s, me := discovery.New(pool), insert(t, pool, row{})
	for _, byMail := range []bool{false, true, true} {
		near, err := s.WaitForMore(t.Context(), me, byMail)
		require.NoError(t, err)
		require.Equal(t, discovery.NearMe{
			Near: discovery.Near{Town: "Portland, Oregon", Band: discovery.FewerThanTen, Text: discovery.FewerThanTen.Sentence()}, Waiting: true, ByMail: byMail,
		}, near)
	}
	for range 2 {
		require.NoError(t, s.StopWaiting(t.Context(), me))
		near, err := s.NearMe(t.Context(), me)
		require.NoError(t, err)
		require.False(t, near.Waiting)
	}
}

// notices returns the numbers of pushes and mails that were enqueued, after the checks of a day.
func notices(t *testing.T, pool *pgxpool.Pool, day time.Time) (pushes, mails int) {
	t.Helper()
	require.NoError(t, discovery.CheckWaits(t.Context(), pool, pgtest.Jobs(t, pool), day))
	return testkit.Count(t, pool, `SELECT count(*) FROM river_job WHERE kind = 'notify_near'`),
		testkit.Count(t, pool, `SELECT count(*) FROM river_job WHERE kind = 'mail_near'`)
}

func requireNotices(t *testing.T, pool *pgxpool.Pool, day time.Time, pushes, mails int, why string) {
	t.Helper()
	gotPushes, gotMails := notices(t, pool, day)
	require.Equal(t, [2]int{pushes, mails}, [2]int{gotPushes, gotMails}, why)
}

func TestCheckWaits_TellsOnceWhenTwentyMoreAreNear(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	s := discovery.New(pool)
	quiet, mailed, far := insert(t, pool, row{}), insert(t, pool, row{}), insert(t, pool, row{"city": "Seattle", "state": "WA"})
	for member, byMail := range map[uuid.UUID]bool{quiet: false, mailed: true, far: true} {
		_, err := s.WaitForMore(t.Context(), member, byMail)
		require.NoError(t, err)
	}
	insertMany(t, pool, 19, row{"city": "Salem"})
	requireNotices(t, pool, nextDay(1), 0, 0, "19 more")
	insert(t, pool, row{})
	requireNotices(t, pool, nextDay(1), 0, 0, "the counts of a day do not change")
	requireNotices(t, pool, nextDay(2), 2, 1, "20 more")
	insertMany(t, pool, 40, row{})
	for range 2 {
		requireNotices(t, pool, nextDay(3), 2, 1, "told once")
	}
	near, err := s.NearMe(t.Context(), quiet)
	require.NoError(t, err)
	require.False(t, near.Waiting)
	require.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM near_waits WHERE told_at IS NULL`), "the one who is far waits on")

	_, err = s.WaitForMore(t.Context(), quiet, false)
	require.NoError(t, err)
	require.Equal(t, 2, testkit.Count(t, pool, `SELECT count(*) FROM near_waits WHERE told_at IS NULL`), "a new wait begins")
}

func TestCheckWaits_AMoveBeginsAgain(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	s, me := discovery.New(pool), insert(t, pool, row{})
	_, err := s.WaitForMore(t.Context(), me, false)
	require.NoError(t, err)
	insertMany(t, pool, 50, row{"city": "Seattle", "state": "WA"})
	testkit.Exec(t, pool, `UPDATE users u SET city = s.city, state = s.state, town_lat = s.town_lat, town_lon = s.town_lon
		FROM (SELECT * FROM users WHERE city = 'Seattle' LIMIT 1) s WHERE u.id = $1`, me)
	requireNotices(t, pool, nextDay(1), 0, 0, "50 were there before the move")
	insertMany(t, pool, 20, row{"city": "Seattle", "state": "WA"})
	requireNotices(t, pool, nextDay(2), 1, 0, "20 more in the new town")
}

func TestCheckWaits_SuspendedMembersAreNotTold(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	s, me := discovery.New(pool), insert(t, pool, row{})
	_, err := s.WaitForMore(t.Context(), me, true)
	require.NoError(t, err)
	insertMany(t, pool, 30, row{})
	testkit.Exec(t, pool, `UPDATE users SET profile_status = 'suspended' WHERE id = $1`, me)
	requireNotices(t, pool, nextDay(1), 0, 0, "suspended")
	testkit.Exec(t, pool, `UPDATE users SET profile_status = 'active' WHERE id = $1`, me)
	requireNotices(t, pool, nextDay(2), 1, 1, "active again")
}

// More waits than one transaction has, and two workers at the same time.
func TestCheckWaits_TellsAllWithSeveralWorkers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	insertMany(t, pool, 25, row{})
	testkit.Exec(t, pool, `INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, city, state, town_lat, town_lon)
		SELECT gen_random_uuid(), 'w' || n || '@example.test', 'Kim Doe', 'Kim', '1990-01-01', 'code' || lpad(n::text, 8, '0'), u.city, u.state, u.town_lat, u.town_lon
		FROM generate_series(1, 1100) n, (SELECT * FROM users LIMIT 1) u`)
	testkit.Exec(t, pool, `INSERT INTO near_waits (user_id, town_lat, town_lon, baseline, by_mail, checked_on)
		SELECT id, town_lat, town_lon, 0, false, '2020-01-01' FROM users`)
	var workers sync.WaitGroup
	failures := make([]error, 2)
	for i := range failures {
		workers.Go(func() { failures[i] = discovery.CheckWaits(t.Context(), pool, pgtest.Jobs(t, pool), time.Now()) })
	}
	workers.Wait()
	require.Equal(t, []error{nil, nil}, failures)
	requireNotices(t, pool, time.Now(), 1125, 0, "each once")
}

func TestSendNearMail_OnlyWhileWanted(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	folder, err := mail.NewFolder(t.TempDir())
	require.NoError(t, err)
	send := func() int {
		require.NoError(t, discovery.SendNearMail(t.Context(), pool, folder, "https://heartward.test", discovery.NearMailArgs{MemberID: me, Day: "2026-01-01"}))
		mails, err := folder.List(me.String()+"@example.test", 10)
		require.NoError(t, err)
		return len(mails)
	}
	require.Zero(t, send(), "taken back")
	testkit.Exec(t, pool, `INSERT INTO near_waits (user_id, town_lat, town_lon, baseline, by_mail, checked_on, told_at) VALUES ($1, 45, -122, 0, true, '2026-01-01', now())`, me)
	testkit.Exec(t, pool, `UPDATE users SET profile_status = 'suspended'`)
	require.Zero(t, send(), "suspended")
	testkit.Exec(t, pool, `UPDATE users SET profile_status = 'active'`)
	require.Equal(t, 1, send())
	testkit.Exec(t, pool, `UPDATE near_waits SET by_mail = false`)
	require.Equal(t, 1, send(), "no mail any more")
}
