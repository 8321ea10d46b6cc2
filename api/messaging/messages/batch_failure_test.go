package messages

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/sendqueue"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
)

// A message that violates a constraint undoes its batch. Each message is then stored separately, and only that one fails.
func TestStoreBatch_FailureLeavesMessagesToStoreOne(t *testing.T) {
	t.Parallel()
	db, events := pgtest.NewDB(t), &bustest.Recorder{}
	jobs := pgtest.Jobs(t, db.Pool)
	s := New(db.Pool, events, jobs, Unguarded)
	message := func(sender, recipient web.Actor, content string) write {
		m, err := s.Prepare(sender.ID, Outgoing{RecipientID: recipient.ID, ClientID: uuid.New(), Content: content})
		require.NoError(t, err)
		return write{message: m}
	}
	a, b, _ := db.Pair()
	c, d, _ := db.Pair()
	good, bad := message(a, b, "good"), message(c, d, "")

	for _, result := range s.storeBatch(t.Context(), withoutJobs, []write{good, bad}) {
		require.ErrorIs(t, result.Err, sendqueue.ErrStoreSeparately)
	}
	require.Zero(t, db.Count(`SELECT count(*) FROM messages`))
	require.Empty(t, events.Take())

	_, err := s.storeOne(t.Context(), bad)
	require.True(t, pg.ViolatesConstraint(err, "messages_text"), err)
	stored, err := s.storeOne(t.Context(), good)
	require.NoError(t, err)
	require.EqualValues(t, 1, stored.message.Seq)
	require.Len(t, events.Take(), 2)
	require.Equal(t, 1, db.Count(`SELECT count(*) FROM messages`))
}
