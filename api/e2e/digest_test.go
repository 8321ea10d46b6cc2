package e2e_test

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"heartward/api/digest"
	"heartward/api/platform/mail/mailtest"
	"heartward/api/platform/pgtest"
)

// digestCount is the number of members, digestKills that of kills, and digestWorkers that of
// concurrent mails of the two worker processes.
const digestCount, digestKills, digestWorkers = 2000, 6, 4

// Two worker processes send a run of 2,000 digests, and are killed at random points: when the
// mail server begins to receive a mail, between its end and the server's response, and after
// the response. No member gets two mails, and each has an outcome. A mail whose outcome is
// not known counts as failed.
func TestDigest_IsSentAtMostOnceWhenWorkersAreKilled(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t)
	i := newInstallation(t, "SMTP_URL="+server.URL.String(), "MAIL_PER_MINUTE=100000")
	i.Exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, created_at)
		SELECT gen_random_uuid(), n || '@many.test', 'Many', 'Many', '1990-01-01', 'MANY' || lpad(n::text, 8, '0'), now() - interval '2 days'
		FROM generate_series(1, $1) n`, digestCount)
	liker := i.member("Liker") // joined today, and gets no digest
	i.Exec(`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type)
		SELECT gen_random_uuid(), $1, id, 'like' FROM users WHERE id <> $1`, liker)
	week := digest.WeekOf(time.Now())
	i.Exec(`INSERT INTO digest_runs (week) VALUES ($1)`, week)
	_, err := pgtest.Jobs(t, i.Pool).Insert(t.Context(), digest.EnqueueArgs{Week: week}, &river.InsertOpts{ScheduledAt: time.Now()})
	require.NoError(t, err)

	var begun time.Time
	require.NoError(t, i.Pool.QueryRow(t.Context(), `SELECT clock_timestamp()`).Scan(&begun))
	workers := i.startDigestWorkers()
	for kill := range digestKills {
		at := (kill*digestCount)/(digestKills+1) + rand.IntN(digestCount/(digestKills+1))
		stop := server.StopAt(at, []mailtest.Moment{mailtest.BeforeContent, mailtest.BeforeResponse, mailtest.AfterResponse}[kill%3])
		select {
		case <-stop.Reached:
		case <-time.After(waitTimeout):
			t.Fatalf("waiting for mail %d of %d: %s", at, len(server.Mails("")), workers[0].log)
		}
		for _, worker := range workers {
			worker.stop(syscall.SIGKILL)
		}
		close(stop.Release)
		// PostgreSQL may finish the statement of a killed process. River makes its jobs available
		// five minutes later.
		require.Eventually(t, func() bool {
			return i.queryBool(`SELECT NOT EXISTS (SELECT FROM pg_stat_activity 
				WHERE datname = current_database() AND backend_type = 'client backend' AND backend_start > $1 AND pid <> pg_backend_pid())`, begun)
		}, waitTimeout, 5*time.Millisecond)
		i.Exec(`UPDATE river_job SET state = 'available' WHERE state = 'running'`)
		workers = i.startDigestWorkers()
	}
	require.Eventually(t, func() bool {
		return i.queryBool(`SELECT NOT EXISTS (SELECT FROM digest_mails WHERE state = 'queued')
			AND NOT EXISTS (SELECT FROM river_job WHERE kind IN ('enqueue_digests', 'send_digest') AND state <> 'completed')
			AND EXISTS (SELECT FROM digest_runs WHERE enqueued_at IS NOT NULL)`)
	}, waitTimeout, 20*time.Millisecond, "%s", workers[0].log)
	i.Exec(`UPDATE digest_mails SET changed_at = now() - interval '11 minutes'`)
	interrupted, err := digest.FailStale(t.Context(), i.Pool, digestCount)
	require.NoError(t, err)

	outcomes := i.digestOutcomes()
	require.Len(t, outcomes, digestCount)
	received := map[string]int{} // also those to whose end the server did not respond, because a mail server may deliver these
	for _, m := range server.Mails("") {
		received[m.To]++
	}
	for email, outcome := range outcomes {
		require.LessOrEqual(t, received[email], 1, "%s got the digest twice", email)
		if outcome == "sent" {
			require.Equal(t, 1, received[email], "%s is counted as sent", email)
		} else {
			require.Equal(t, "failed interrupted", outcome, email)
		}
	}
	require.LessOrEqual(t, interrupted, digestKills*digestWorkers, "at most the mails that were being sent")
	t.Logf("%d mails arrived, %d outcomes are not known", len(received), interrupted)
}

func (i *installation) startDigestWorkers() []*process {
	return []*process{i.machine().start(working, "work"), i.machine().start(working, "work")}
}

// digestOutcomes returns the states of the digests, by address.
func (i *installation) digestOutcomes() map[string]string {
	i.Helper()
	rows, _ := i.Pool.Query(i.Context(), `
		SELECT u.email, concat_ws(' ', d.state, d.reason)
		FROM digest_mails d
		JOIN users u ON u.id = d.user_id
		WHERE d.reason IS DISTINCT FROM 'new_member'`)
	outcomes := map[string]string{}
	var email, outcome string
	_, err := pgx.ForEachRow(rows, []any{&email, &outcome}, func() error {
		outcomes[email] = outcome
		return nil
	})
	require.NoError(i, err)
	return outcomes
}
