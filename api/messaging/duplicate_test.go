package messaging_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/messaging"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// If another node stores one of the client ids of a batch concurrently, one more
// transaction stores the rest of the batch.
func TestSend_RetriesBatchWithoutClientIDOfAnotherNode(t *testing.T) {
	t.Parallel()
	for name, devices := range map[string]bool{"without devices": false, "with devices": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testClientIDStoredElsewhere(t, devices)
		})
	}
}

func testClientIDStoredElsewhere(t *testing.T, devices bool) {
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	c := w.Member("Ada Moss")
	w.Match(a, c)
	w.pushDevice(c)
	pairs := [][2]web.Actor{{a, b}}
	for len(pairs) < 50 {
		x, y, _ := w.Pair()
		pairs = append(pairs, [2]web.Actor{x, y})
	}
	seq := 1
	if devices { // a message fills the device cache
		seq = 2
		for _, p := range pairs {
			w.pushDevice(p[1])
			w.send(p[0], p[1], "first")
		}
	}
	// The other node has inserted a message to c and not yet committed it.
	twice := input(b, "one client id, two recipients")
	toC := twice
	toC.RecipientID = c.ID
	stored, commit := make(chan struct{}), make(chan struct{})
	otherNode := newService(w.Pool, w.events, &hookedInserter{Inserter: w.jobs, first: func() error {
		close(stored)
		<-commit
		return nil
	}}, messaging.Unguarded)
	other := make(chan outcome, 1)
	go func() {
		sent, err := otherNode.Send(ctx, a, toC)
		other <- outcome{sent, err}
	}()
	<-stored

	release := w.s.PauseQueue()
	all := []<-chan outcome{w.sendLater(ctx, a, twice)}
	for _, p := range pairs[1:] {
		all = append(all, w.sendLater(ctx, p[0], input(p[1], "together")))
	}
	release()
	w.waitForLock()
	close(commit)

	require.NoError(t, (<-other).err)
	testkit.RequireKind(t, (<-all[0]).err, fault.Conflict)
	for _, done := range all[1:] {
		o := <-done
		require.NoError(t, o.err)
		require.EqualValues(t, seq, o.Message.Seq)
	}
	require.Equal(t, 49, w.Count(`SELECT count(*) FROM messages WHERE content = 'together'`))
	require.Equal(t, 1, w.Count(`SELECT count(DISTINCT xmin::text) FROM messages WHERE content = 'together'`), "one transaction stores all others")
	if devices {
		require.Equal(t, 49, w.Count(`SELECT count(DISTINCT args ->> 'recipientId') FROM river_job WHERE args ->> 'recipientId' NOT IN ($1, $2)`, b.ID.String(), c.ID.String()))
	}
}
