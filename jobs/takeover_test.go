package jobs_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	osexec "os/exec"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/moderation"
	"heartward/api/notifications"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/jobs"
	"heartward/push"
)

// workerAddress is the variable that makes this program a worker of a database.
const workerAddress = "TEST_WORKER_DATABASE"

// Kills a worker process while it sends a push. Another worker sends the push without waiting
// for River, which rescues jobs after five minutes only.
func TestTakeover_SendsThePushOfAKilledProcess(t *testing.T) {
	if address := os.Getenv(workerAddress); address != "" {
		workUntilKilled(t, address)
	}
	t.Parallel()
	pool := pgtest.New(t)
	id, from, to := conversation(t, pool, "https://push.test")
	write(t, pool, pgtest.Jobs(t, pool), id, from, to)
	makeAvailable(t, pool, "notify")
	kill := startProcess(t, pool)
	kill()
	running := testkit.Select[int](t, pool, `SELECT count(*) FROM river_job WHERE kind = 'push' AND state = 'running'`)
	require.Equal(t, 1, running)

	sent := make(sentPushes, 10)
	deps := newDeps(t, pool, sent)
	deps.GoneAfter = time.Second
	startWorkersWith(t, pool, deps)
	select {
	case <-sent:
	case <-time.After(time.Minute):
		t.Fatal("no other worker took over the job")
	}
	pushJob(t, pool, "completed")
	require.Empty(t, sent)
}

// startProcess starts a worker process and returns when it sends a push, which never ends.
func startProcess(t *testing.T, pool *pgxpool.Pool) (kill func()) {
	t.Helper()
	cmd := osexec.Command(os.Args[0], "-test.run=^TestTakeover_SendsThePushOfAKilledProcess$")
	// The killed process leaves its temporary files.
	cmd.Env = append(os.Environ(), workerAddress+"="+pool.Config().ConnString(), "TMPDIR="+t.TempDir())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	kill = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	t.Cleanup(kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "sending\n", line)
	return kill
}

// workUntilKilled runs jobs in this process and prints a line when it sends a push.
func workUntilKilled(t *testing.T, address string) {
	t.Helper()
	pool, err := pg.Open(context.Background(), address, 20)
	require.NoError(t, err)
	sending := make(chan push.Message)
	startWorkersWith(t, pool, newDeps(t, pool, hangingSender{sending}))
	<-sending
	fmt.Println("sending")
	select {}
}

// A client that renews its row keeps its jobs, however long they run.
func TestTakeover_TakesOnlyJobsOfClientsThatAreGone(t *testing.T) {
	t.Parallel()
	sending := make(chan push.Message, 10)
	pool := pgtest.New(t)
	deps := newDeps(t, pool, hangingSender{sending})
	deps.GoneAfter = time.Hour // it does not renew its row during the test
	client, _ := startWorkersWith(t, pool, deps)
	id, from, to := conversation(t, pool, "https://push.test")
	write(t, pool, client, id, from, to)
	makeAvailable(t, pool, "notify")
	<-sending
	require.Zero(t, takeOver(t, pool), "the job has just begun")
	// After 5 minutes River itself would make it available.
	testkit.Exec(t, pool, `UPDATE river_job SET attempted_at = now() - interval '3 minutes' WHERE kind = 'push'`)
	require.Zero(t, takeOver(t, pool), "the client runs")

	testkit.Exec(t, pool, `UPDATE job_clients SET seen_at = now() - interval '1 day'`)
	for _, excluded := range []string{`attempt = max_attempts`, `metadata = '{"cancel_attempted_at": "2026-01-01T00:00:00Z"}'`, `kind = 'cleanup'`} {
		testkit.Exec(t, pool, `CREATE TABLE kept AS SELECT * FROM river_job WHERE kind = 'push'`)
		testkit.Exec(t, pool, `UPDATE river_job SET `+excluded+` WHERE kind = 'push'`)
		require.Zero(t, takeOver(t, pool), excluded)
		testkit.Exec(t, pool, `UPDATE river_job j SET attempt = k.attempt, metadata = k.metadata, kind = k.kind FROM kept k WHERE k.id = j.id`)
		testkit.Exec(t, pool, `DROP TABLE kept`)
	}
	require.EqualValues(t, 1, takeOver(t, pool))
	require.Zero(t, takeOver(t, pool), "it is taken over once")
}

func takeOver(t *testing.T, pool *pgxpool.Pool) int64 {
	t.Helper()
	taken, err := jobs.TakeOver(t.Context(), pool, 2*time.Minute)
	require.NoError(t, err)
	return taken
}

func TestTakeover_IncludesAlertsAndNotifications(t *testing.T) {
	t.Parallel()
	require.Subset(t, jobs.UrgentKinds(), []string{
		moderation.AlertArgs{}.Kind(), moderation.AlertMailArgs{}.Kind(), messages.NotifyArgs{}.Kind(), notifications.PushArgs{}.Kind(),
	})
	require.NotContains(t, jobs.UrgentKinds(), moderation.SanctionArgs{}.Kind())
}
