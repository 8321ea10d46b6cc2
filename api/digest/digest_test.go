package digest_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/digest"
	"heartward/api/platform/mail"
	"heartward/api/platform/testkit"
)

func TestWeekOf_IsTheMondayOfTheISOWeek(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]digest.Week{
		"2026-11-23T00:00:00Z": "2026-11-23", "2026-11-29T23:59:59Z": "2026-11-23", "2026-11-30T00:00:00Z": "2026-11-30",
		"2026-11-30T01:00:00+02:00": "2026-11-23", "2027-01-01T12:00:00Z": "2026-12-28",
	} {
		parsed, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		require.Equal(t, want, digest.WeekOf(parsed), at)
	}
}

func TestTick_StartsOnMondaysAndUpTo48HoursLater(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	monday := time.Date(2026, 11, 23, 15, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		now  time.Time
		runs int
	}{
		{monday.Add(-time.Second), 0},
		{monday.Add(48 * time.Hour), 0},
		{monday.Add(47 * time.Hour), 1},
		{monday.Add(47 * time.Hour), 1},
		{monday.Add(7*24*time.Hour - time.Second), 1},
		{monday.Add(7 * 24 * time.Hour), 2},
	} {
		require.NoError(t, w.s.Tick(t.Context(), row.now))
		require.Equal(t, row.runs, w.Count(`SELECT count(*) FROM digest_runs`), row.now)
		require.Equal(t, row.runs, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'enqueue_digests'`), row.now)
	}
	before, err := w.s.Status(t.Context(), monday.Add(14*24*time.Hour-time.Hour))
	require.NoError(t, err)
	require.Equal(t, monday.Add(14*24*time.Hour), before.NextRunAt, "this week's run exists")
	before, err = w.s.Status(t.Context(), monday.Add(14*24*time.Hour))
	require.NoError(t, err)
	require.Equal(t, digest.NotStarted, before.State)
	require.Equal(t, monday.Add(14*24*time.Hour), before.NextRunAt, "due now")
}

func TestStartNow_StartsOnceAndIsAudited(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.likedMember("Ann")
	require.Equal(t, digest.NotStarted, w.status().State)
	w.start()
	require.Equal(t, digest.Running, w.status().State)
	require.Equal(t, 3, w.status().EmailsWaiting, "the admin, Ann and the one who likes her")
	w.sendAll()
	w.start()
	w.sendAll()
	status := w.status()
	require.Equal(t, digest.Done, status.State)
	require.Equal(t, []int{0, 1, 0, 2}, []int{status.EmailsWaiting, status.EmailsSent, status.EmailsFailed, status.Skipped})
	require.Equal(t, digest.SkippedBy{NothingNew: 2}, status.SkippedBy)
	require.Len(t, w.outbox.mails, 1)
	require.NotNil(t, w.mailTo(ann))
	sent, failed, skipped := w.s.Counts()
	require.Equal(t, []int64{1, 0, 2}, []int64{sent, failed, skipped})
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'digest.start' AND admin_id = $1 AND detail->>'week' = $2`,
		w.admin.ID, string(digest.WeekOf(w.now))))
}

// Each statement makes a member one who gets no digest, both before the mails are enqueued and
// while a mail waits.
func TestEnqueue_SkipsMembersAndCountsThem(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	rows := []struct {
		sql    string
		reason string
	}{
		{`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, "not_active"},
		{`UPDATE users SET profile_status = 'under_review' WHERE id = $1`, "not_active"},
		{`UPDATE users SET profile_status = 'leaving', deletion_due_at = now() + interval '1 day' WHERE id = $1`, "not_active"},
		{`UPDATE users SET is_approved = false WHERE id = $1`, "not_active"},
		{`UPDATE users SET is_graduated = true WHERE id = $1`, "graduated"},
		{`UPDATE users SET paused_at = now() WHERE id = $1`, "paused"},
		{`INSERT INTO notification_settings (user_id, preferences) VALUES ($1, '{"digest": false}')`, "opted_out"},
		{`INSERT INTO member_activity (user_id, last_active_at) VALUES ($1, now() - interval '91 days')`, "inactive"},
		{`UPDATE users SET created_at = now() - interval '23 hours' WHERE id = $1`, "new_member"},
	}
	before, after := map[uuid.UUID]int{}, map[uuid.UUID]int{}
	for i, row := range rows {
		id := w.likedMember(fmt.Sprintf("Before%d", i))
		w.Exec(row.sql, id)
		before[id] = i
		after[w.likedMember(fmt.Sprintf("After%d", i))] = i
	}
	w.start()
	for id, i := range before {
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM digest_mails WHERE user_id = $1 AND state = 'skipped' AND reason = $2`, id, rows[i].reason), rows[i].sql)
	}
	for id, i := range after {
		w.Exec(rows[i].sql, id)
	}
	w.sendAll()
	require.Empty(t, w.outbox.mails)
	for id, i := range after {
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM digest_mails WHERE user_id = $1 AND state = 'skipped' AND reason = $2`, id, rows[i].reason), rows[i].sql)
	}
	by := w.status().SkippedBy
	require.Equal(t, []int{8, 2, 2, 2, 2, 2}, []int{by.NotActive, by.Graduated, by.Paused, by.OptedOut, by.Inactive, by.NewMembers})
	require.Equal(t, digest.Done, w.status().State)
}

// Three workers enqueue, and then send each mail three times, concurrently.
func TestSend_ConcurrentWorkersSendOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	const count = 1200 // more than a batch
	w.Exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, created_at)
		SELECT gen_random_uuid(), n || '@many.test', 'Many', 'Many', '1990-01-01', 'MANY' || lpad(n::text, 8, '0'), now() - interval '2 days'
		FROM generate_series(1, $1) n`, count)
	w.Exec(`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type)
		SELECT gen_random_uuid(), $1, id, 'like' FROM users WHERE email LIKE '%@many.test'`, w.admin.ID)
	_, err := w.s.StartNow(t.Context(), w.admin, w.now)
	require.NoError(t, err)
	var workers sync.WaitGroup
	for range 3 {
		workers.Go(func() {
			if err := w.s.Enqueue(t.Context(), digest.WeekOf(w.now)); err != nil {
				t.Error(err)
			}
		})
	}
	workers.Wait()
	jobs := w.jobs()
	require.Len(t, jobs, count+1, "one for each member")
	for range 3 {
		workers.Go(func() {
			for _, args := range jobs {
				if err := w.s.Send(t.Context(), args, false); err != nil {
					t.Error(err)
				}
			}
		})
	}
	workers.Wait()
	receivers := map[string]int{}
	for _, m := range w.outbox.mails {
		receivers[m.To]++
	}
	require.Len(t, receivers, count)
	require.Len(t, w.outbox.mails, count)
	require.Equal(t, count, w.status().EmailsSent)
}

// unsent returns the error of a mail that the server certainly did not accept.
func unsent(permanent bool) error {
	return &mail.UnsentError{Permanent: permanent, Cause: errors.New("no")}
}

// withheld returns the error of a mail to an address that takes no such mail.
func withheld() error {
	return &mail.UnsentError{Permanent: true, Withheld: true, Cause: errors.New("no")}
}

// The address is known to take no mail: the status counts the digest as skipped, not as failed.
func TestStatus_CountsWithheldAsSkipped(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.likedMember("Ann")
	w.start()
	w.outbox.errors = []error{withheld()}
	w.sendAll()
	status := w.status()
	require.Equal(t, []int{0, 0, 0, 3}, []int{status.EmailsWaiting, status.EmailsSent, status.EmailsFailed, status.Skipped})
	require.Equal(t, digest.SkippedBy{NothingNew: 2, Withheld: 1}, status.SkippedBy)
	_, failed, skipped := w.s.Counts()
	require.Equal(t, []int64{0, 3}, []int64{failed, skipped})
}

func TestSend_RepeatsOnlyWhatWasCertainlyNotAccepted(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		errors []error // of the attempts
		last   bool    // the first attempt is the last one
		mails  int
		state  string
		reason string
	}{
		"accepted":                     {nil, false, 1, "sent", ""},
		"not accepted, then accepted":  {[]error{unsent(false)}, false, 1, "sent", ""},
		"not accepted in any attempt":  {[]error{unsent(false)}, true, 0, "failed", "unavailable"},
		"refused":                      {[]error{unsent(true)}, false, 0, "failed", "refused"},
		"not for this address":         {[]error{withheld()}, false, 0, "skipped", "withheld"},
		"perhaps accepted":             {[]error{errors.New("connection lost")}, false, 0, "failed", "interrupted"},
		"perhaps accepted after retry": {[]error{unsent(false), errors.New("connection lost")}, false, 0, "failed", "interrupted"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			ann := w.likedMember("Ann")
			w.start()
			w.outbox.errors = slices.Clone(row.errors)
			args := digest.SendArgs{MemberID: ann, Week: digest.WeekOf(w.now)}
			for range 4 { // River repeats after an error; more jobs do nothing
				isRepeated := w.s.Send(t.Context(), args, row.last) != nil
				require.Equal(t, isRepeated, w.Count(`SELECT count(*) FROM digest_mails WHERE user_id = $1 AND state = 'queued'`, ann) == 1)
			}
			require.Len(t, w.outbox.mails, row.mails)
			require.Equal(t, 1, w.Count(`SELECT count(*) FROM digest_mails WHERE user_id = $1 AND state = $2 AND coalesce(reason, '') = $3`, ann, row.state, row.reason))
		})
	}
}

func TestFailStale_EndsInterruptedAndOldDigests(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben, cleo := w.likedMember("Ann"), w.likedMember("Ben"), w.likedMember("Cleo")
	w.start()
	w.Exec(`UPDATE digest_mails SET state = 'sending', changed_at = now() - interval '9 minutes' WHERE user_id = $1`, ann)
	w.Exec(`UPDATE digest_mails SET state = 'sending', changed_at = now() - interval '11 minutes' WHERE user_id = $1`, ben)
	w.sendAll()
	require.Len(t, w.outbox.mails, 1, "only Cleo's: the others may have been sent")
	require.NotNil(t, w.mailTo(cleo))
	failed, err := digest.FailStale(t.Context(), w.Pool, 10)
	require.NoError(t, err)
	require.Equal(t, 1, failed)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM digest_mails WHERE user_id = $1 AND state = 'failed' AND reason = 'interrupted'`, ben))

	w.Exec(`UPDATE digest_mails SET state = 'queued' WHERE user_id = $1`, ann)
	w.Exec(`UPDATE digest_runs SET started_at = now() - interval '49 hours'`)
	require.NoError(t, w.s.Send(t.Context(), digest.SendArgs{MemberID: ann, Week: digest.WeekOf(w.now)}, false))
	require.Len(t, w.outbox.mails, 1)
	w.Exec(`UPDATE digest_mails SET state = 'queued', reason = NULL WHERE user_id = $1`, ann)
	failed, err = digest.FailStale(t.Context(), w.Pool, 10)
	require.NoError(t, err)
	require.Equal(t, 1, failed)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM digest_mails WHERE user_id = $1 AND state = 'failed' AND reason = 'expired'`, ann))
}

// A transaction that fails or is repeated counts no digests.
func TestEnqueue_CountsSkippedDigestsAfterTheCommit(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.Exec(`UPDATE users SET is_graduated = true`)
	_, err := w.s.StartNow(t.Context(), w.admin, w.now)
	require.NoError(t, err)
	w.Exec(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'at the commit'; END $$`)
	w.Exec(`CREATE CONSTRAINT TRIGGER fail AFTER UPDATE ON digest_runs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail()`)
	require.Error(t, w.s.Enqueue(t.Context(), digest.WeekOf(w.now)))
	_, _, skipped := w.s.Counts()
	require.Zero(t, skipped)
	w.Exec(`DROP TRIGGER fail ON digest_runs`)
	require.NoError(t, w.s.Enqueue(t.Context(), digest.WeekOf(w.now)))
	_, _, skipped = w.s.Counts()
	require.EqualValues(t, 1, skipped)
}

func TestSend_DoesNothingForADeletedMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.likedMember("Ann")
	w.start()
	w.Exec(`DELETE FROM users WHERE id = $1`, ann)
	w.sendAll()
	require.Empty(t, w.outbox.mails)
}

// Without a lock on the members, the foreign key of one who is deleted meanwhile would fail the
// whole batch.
func TestEnqueue_LeavesOutMemberBeingDeleted(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	leaving, staying := w.likedMember("Ada"), w.likedMember("Ben")
	_, err := w.s.StartNow(t.Context(), w.admin, w.now)
	require.NoError(t, err)
	tx, err := w.Pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `DELETE FROM users WHERE id = $1`, leaving)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- w.s.Enqueue(t.Context(), digest.WeekOf(w.now)) }()
	require.Eventually(t, func() bool {
		return w.Count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
	}, testkit.Timeout, 10*time.Millisecond)
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-done)
	require.Equal(t, 0, w.Count(`SELECT count(*) FROM digest_mails WHERE user_id = $1`, leaving))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM digest_mails WHERE user_id = $1 AND state = 'queued'`, staying))
}
