package messages_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

// A full disk makes a statement in the middle of a transaction fail. No message is
// acknowledged or partly stored. When there is space again, a retry stores it once.
func TestSend_FullDiskStoresNothing(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	c, d, _ := w.Pair()
	w.Send(a, b, "before")
	events := 0
	require.Eventually(t, func() bool { events += len(w.Events.Take()); return events == 2 }, timeout, time.Millisecond)
	w.Exec(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`)
	w.Exec(`CREATE TRIGGER full_disk BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION full_disk()`)
	one, two := messagingtest.Input(b, "after"), messagingtest.Input(d, "after")
	release := w.S.Messages.PauseQueue()
	x, y := w.sendLater(ctx, a, one), w.sendLater(ctx, c, two)
	release()
	testkit.RequireKind(t, (<-x).err, fault.Unavailable)
	testkit.RequireKind(t, (<-y).err, fault.Unavailable)
	require.Empty(t, w.Events.Take())
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages`))
	require.Zero(t, w.Count(`SELECT count(*) FROM conversations c WHERE last_seq <> (SELECT count(*) FROM messages WHERE conversation_id = c.id)`))

	w.Exec(`DROP TRIGGER full_disk ON messages`)
	sent, err := w.S.Messages.Send(ctx, a, one)
	require.NoError(t, err)
	require.False(t, sent.Repeated)
	require.EqualValues(t, 2, sent.Message.Seq)
	sent, err = w.S.Messages.Send(ctx, c, two)
	require.NoError(t, err)
	require.EqualValues(t, 1, sent.Message.Seq)
}
