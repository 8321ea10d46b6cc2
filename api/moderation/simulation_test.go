package moderation_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// A town of 1,000 members has 20 abusers, one of whom reports each of five victims for an urgent reason in every hour. In
// simulation the time is that of the database's rows, which step shifts into the past.
const (
	townMembers  = 1000
	townAbusers  = 20
	townVictims  = 5
	simulatedFor = 7 * 24 // hours
)

type simulation struct {
	*env
	random   *rand.Rand
	admin    web.Actor
	abusers  []web.Actor // every second one is established, the others have new accounts
	victims  []web.Actor
	others   []web.Actor // established
	decideIn int         // hours until a report is decided; 0: nobody decides

	hidden  map[uuid.UUID]int // hours, by victim
	longest map[uuid.UUID]int // hours in a row
	row     map[uuid.UUID]int
	hidings map[uuid.UUID]int // times that the profile was hidden
}

func newSimulation(t *testing.T, decideIn int) *simulation {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("TEST_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	t.Logf("TEST_SEED=%d", seed)
	s := &simulation{
		env: newEnv(t), random: rand.New(rand.NewPCG(seed, 29)), decideIn: decideIn,
		hidden: map[uuid.UUID]int{}, longest: map[uuid.UUID]int{}, row: map[uuid.UUID]int{}, hidings: map[uuid.UUID]int{},
	}
	s.admin = s.Admin("Admin Moss")
	s.Exec(`
		INSERT INTO users (id, email, full_name, first_name, last_name, birth_date, referral_code, created_at, bio, love_reflection, intention_tags, city,
			occupation, education, has_children, wants_children)
		SELECT gen_random_uuid(), n || '@town.test', 'Member Moss', 'Member', 'Moss', '1990-01-01', 'TOWN' || lpad(n::text, 8, '0'), now() - interval '1 year', 'Hi', 'Home', '{Healing}',
			'Portland', 'Cook', 'masters', false, true
		FROM generate_series(1, $1::int) n`, townMembers)
	s.Exec(`INSERT INTO files (id, owner_id, content_type, bytes) SELECT gen_random_uuid(), id, 'image/webp', 1 FROM users WHERE referral_code LIKE 'TOWN%'`)
	s.Exec(`INSERT INTO member_media (file_id, user_id, slot, position) SELECT id, owner_id, 'photo', 1 FROM files`)
	s.Exec(`INSERT INTO member_prompts (user_id, position, question, answer) SELECT owner_id, 1, 'A perfect Sunday', 'Home' FROM files`)
	var all []web.Actor
	for _, id := range testkit.SelectAll[uuid.UUID](t, s.Pool, `SELECT id FROM users WHERE referral_code LIKE 'TOWN%' ORDER BY id`) {
		all = append(all, web.Actor{ID: id})
	}
	s.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	s.abusers, s.victims, s.others = all[:townAbusers], all[townAbusers:townAbusers+townVictims], all[townAbusers+townVictims:]
	for i, abuser := range s.abusers {
		if i%2 == 1 {
			s.Exec(`UPDATE users SET created_at = now(), bio = '' WHERE id = $1`, abuser.ID)
		}
	}
	return s
}

// step passes an hour: hidings end, moderators decide, and the abusers report.
func (s *simulation) step() {
	s.Helper()
	s.Exec(`UPDATE reports SET created_at = created_at - interval '1 hour', reviewed_at = reviewed_at - interval '1 hour', hides_until = hides_until - interval '1 hour'`)
	s.Exec(`UPDATE report_additions SET created_at = created_at - interval '1 hour'`)
	for _, id := range testkit.SelectAll[uuid.UUID](s, s.Pool, `SELECT id FROM reports WHERE hides_profile AND status = 'pending' AND hides_until <= now()`) {
		require.NoError(s, s.s.EndHiding(context.Background(), id))
	}
	if s.decideIn > 0 {
		due := testkit.SelectAll[uuid.UUID](s, s.Pool, `SELECT id FROM reports WHERE status = 'pending' AND created_at < now() - make_interval(hours => $1)`, s.decideIn)
		for _, id := range due {
			require.NoError(s, s.decide(s.admin, id, moderation.NoAction))
		}
	}
	for _, victim := range s.victims {
		before := s.status(victim)
		in := urgent(victim)
		in.Reason = []moderation.Reason{"threat", "assault", "nonconsensual_images"}[s.random.IntN(3)]
		_, err := s.s.Report(context.Background(), s.abusers[s.random.IntN(len(s.abusers))], in)
		if err == nil || fault.From(err).Kind != fault.Conflict { // too many additions
			require.NoError(s, err)
		}
		if s.status(victim) == "active" {
			s.row[victim.ID] = 0
			continue
		}
		if before == "active" {
			s.hidings[victim.ID]++
		}
		s.hidden[victim.ID]++
		s.row[victim.ID]++
		s.longest[victim.ID] = max(s.longest[victim.ID], s.row[victim.ID])
	}
}

// No victim is hidden for longer than the rules allow, whether moderators decide or not.
func TestSimulation_AbusersAreBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ decideIn, total int }{
		// The first hiding ends, and then new evidence would be needed, which the victims do not give.
		"nobody decides":  {0, 72},
		"within 6 hours":  {6, 72},
		"within 24 hours": {24, 144},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSimulation(t, c.decideIn)
			lastHidings := 0
			for hour := range simulatedFor {
				s.step()
				if hour == simulatedFor/2 {
					lastHidings = total(s.hidings)
				}
			}
			t.Logf("%d members, %d abusers, %d hours: %d reports; hours hidden, longest in a row and times of each victim: %v %v %v", townMembers, townAbusers, simulatedFor,
				s.Count(`SELECT count(*) FROM reports`), values(s.victims, s.hidden), values(s.victims, s.longest), values(s.victims, s.hidings))
			for _, victim := range s.victims {
				require.LessOrEqual(t, s.longest[victim.ID], 72, "hours in a row")
				require.LessOrEqual(t, s.hidden[victim.ID], c.total)
			}
			require.Positive(t, total(s.hidings), "the abusers tried")
			require.Equal(t, lastHidings, total(s.hidings), "in the second half they hide nobody any more")
			require.Zero(t, s.Count(`SELECT count(*) FROM reports r JOIN users u ON u.id = r.reporter_id WHERE u.bio = '' AND r.hides_until IS NOT NULL`), "new accounts hide nobody")
			require.Zero(t, s.Count(`SELECT count(*) FROM users u WHERE profile_status = 'under_review' AND id NOT IN (SELECT user_id FROM members_under_report)`))
		})
	}
}

// A real urgent report hides the profile in its own transaction, for a second node too: at once where it reads the
// database, and with the next refresh in its search index.
func TestSimulation_RealReportHidesOnEveryNode(t *testing.T) {
	t.Parallel()
	s := newSimulation(t, 0)
	ctx := t.Context()
	secondPool, err := pgxpool.NewWithConfig(ctx, s.Pool.Config())
	require.NoError(t, err)
	t.Cleanup(secondPool.Close)
	second, search := members.New(secondPool, s.blobs), discovery.New(secondPool)
	require.NoError(t, search.Refresh(ctx))
	for range 24 {
		s.step()
	}
	victim, offender, friend := s.others[0], s.others[1], s.others[2]
	s.match(victim, offender)
	s.match(friend, offender)
	require.NoError(t, search.Refresh(ctx))
	before := search.IndexStats().Members
	_, err = second.Public(ctx, friend.ID, offender.ID)
	require.NoError(t, err)

	began := time.Now()
	s.report(victim, urgent(offender))
	_, err = second.Public(ctx, friend.ID, offender.ID)
	require.Error(t, err)
	require.NoError(t, search.Refresh(ctx))
	t.Logf("hidden on the second node %v after the call", time.Since(began).Round(time.Millisecond))
	require.Equal(t, before-1, search.IndexStats().Members)
	require.Equal(t, 1, s.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_alert' AND args->>'reportId' = (SELECT id::text FROM reports WHERE reported_user_id = $1)`, offender.ID))
}

func total(of map[uuid.UUID]int) (sum int) {
	for _, n := range of {
		sum += n
	}
	return sum
}

func values(all []web.Actor, of map[uuid.UUID]int) (list []int) {
	for _, a := range all {
		list = append(list, of[a.ID])
	}
	return list
}
