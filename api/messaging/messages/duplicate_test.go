package messages_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// A message that another node is storing waits for that node and is stored once. The others of its batch do not wait.
func TestSend_MessageBeingStoredElsewhereDelaysNoOther(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		devices      bool // of all recipients
		otherContent bool // than that of the other node
	}{
		"without devices": {},
		"with devices":    {devices: true},
		"other content":   {otherContent: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testStoredElsewhere(t, c.devices, c.otherContent)
		})
	}
}

func testStoredElsewhere(t *testing.T, devices, otherContent bool) {
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	w.PushDevice(b)
	pairs := [][2]web.Actor{{a, b}}
	for len(pairs) < 50 {
		x, y, _ := w.Pair()
		pairs = append(pairs, [2]web.Actor{x, y})
	}
	seq := 1
	if devices { // a message fills the device cache
		seq = 2
		for _, p := range pairs {
			if p[1] != b {
				w.PushDevice(p[1])
			}
			w.Send(p[0], p[1], "first")
		}
	}
	// The other node has inserted the message and not yet committed it.
	in := messagingtest.Input(b, "on two nodes")
	inserted, commit := make(chan struct{}), make(chan struct{})
	otherNode := messagingtest.NewService(w.Pool, w.Events, &hookedInserter{Inserter: w.Jobs, first: func() error {
		close(inserted)
		<-commit
		return nil
	}}, messages.Unguarded)
	other := make(chan outcome, 1)
	go func() {
		sent, err := otherNode.Messages.Send(ctx, a, in)
		other <- outcome{sent, err}
	}()
	<-inserted

	if otherContent {
		in.Content = "something else"
	}
	release := w.S.Messages.PauseQueue()
	waiting := w.sendLater(ctx, a, in)
	var rest []<-chan outcome
	for _, p := range pairs[1:] {
		rest = append(rest, w.sendLater(ctx, p[0], messagingtest.Input(p[1], "together")))
	}
	release()
	for _, done := range rest {
		o := <-done
		require.NoError(t, o.err)
		require.EqualValues(t, seq, o.Message.Seq)
	}
	require.Equal(t, 49, w.Count(`SELECT count(*) FROM messages WHERE content = 'together'`))
	require.Equal(t, 1, w.Count(`SELECT count(DISTINCT xmin::text) FROM messages WHERE content = 'together'`))
	if devices {
		require.Equal(t, 49, w.Count(`SELECT count(DISTINCT args ->> 'recipientId') FROM river_job WHERE args ->> 'recipientId' <> $1`, b.ID.String()))
	}
	w.waitForLock()
	require.Empty(t, waiting)
	close(commit)

	first := <-other
	require.NoError(t, first.err)
	o := <-waiting
	if otherContent {
		testkit.RequireKind(t, o.err, fault.Conflict)
	} else {
		require.NoError(t, o.err)
		require.True(t, o.Repeated)
		require.Equal(t, first.Message, o.Message)
	}
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages WHERE client_id = $1`, in.ClientID))
}
