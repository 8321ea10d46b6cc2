package messages_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

// A message of another feature is an ordinary message in that feature's transaction.
func TestPostTx_InsertsInCallersTransaction(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b := w.Member("Ada Moss"), w.Member("Ada Moss")
	conversation, date := w.Match(a, b), uuid.Must(uuid.NewV7())
	w.Exec(`INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth) VALUES ($1, $1, 'https://push.example/1', 'k', 'a')`, b.ID)
	sender := a.ID
	post := messages.Outgoing{MessageType: "date", Content: "Proposed a date", DateID: &date, ClientID: uuid.Must(uuid.NewV7())}
	postThen := func(post messages.Outgoing, after error) (m messages.Stored, err error) {
		err = pgx.BeginFunc(ctx, w.Pool, func(tx pgx.Tx) error {
			if m, err = w.S.Messages.PostTx(ctx, tx, sender, conversation, post); err != nil {
				return err
			}
			return after
		})
		return m, err
	}
	_, err := postThen(post, context.Canceled)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, w.Count(`SELECT count(*) FROM messages`))
	require.Zero(t, w.Count(`SELECT last_seq FROM conversations`))

	m, err := postThen(post, nil)
	require.NoError(t, err)
	require.EqualValues(t, 1, m.Seq)
	require.Equal(t, date, *m.DateID)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job`))
	require.Empty(t, w.Events.Take(), "no event before the commit")
	w.S.Messages.Publish(m)
	require.Len(t, w.Events.Take(), 2)
	list, err := w.S.Messages.List(ctx, b, a.ID, messages.Page{Limit: 50})
	require.NoError(t, err)
	require.Equal(t, []messages.Message{m.Message}, list)

	_, err = postThen(post, nil)
	testkit.RequireKind(t, err, fault.Conflict)
	post.ClientID, sender = uuid.Must(uuid.NewV7()), w.Member("Ada Moss").ID
	_, err = postThen(post, nil)
	testkit.RequireKind(t, err, fault.NotFound)
	sender = a.ID
	w.Exec(`UPDATE conversations SET requested_by = $1`, a.ID)
	_, err = postThen(post, nil)
	testkit.RequireKind(t, err, fault.NotFound)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages`))
}

// A change raises the rev of the conversation. Each member's event has only the fields that
// the member may see.
func TestTouchTx_RaisesRev(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	first := w.Send(a, b, "first")
	w.Send(b, a, "second")
	w.Exec(`UPDATE messages SET flag = 'spam' WHERE seq = 1`)
	touch := func(seq int64) (m messages.Message, err error) {
		err = pgx.BeginFunc(ctx, w.Pool, func(tx pgx.Tx) error {
			m, err = messages.TouchTx(ctx, tx, first.ConversationID, seq)
			return err
		})
		return m, err
	}
	for i, seq := range []int64{1, 2, 1} {
		m, err := touch(seq)
		require.NoError(t, err)
		require.EqualValues(t, i+1, m.Rev)
	}
	m, err := touch(1)
	require.NoError(t, err)
	require.Equal(t, "spam", *m.For(b.ID).Flag)
	require.Nil(t, m.For(a.ID).Flag)
	for _, seq := range []int64{-1, 0, 3} {
		_, err = touch(seq)
		testkit.RequireKind(t, err, fault.NotFound)
	}
	conversation, err := w.S.Conversations.Get(ctx, a, b.ID)
	require.NoError(t, err)
	require.EqualValues(t, 4, conversation.LastRev)
	w.Events.Take()
	w.S.Messages.PublishChange(m, b.ID)
	published := w.Events.Take()
	require.Len(t, published, 2)
	for i, to := range []uuid.UUID{a.ID, b.ID} {
		require.True(t, strings.HasPrefix(published[i], "member."+to.String()+` {"type":"message_changed","message":{`), published[i])
	}
	require.Contains(t, published[0], `"flag":null`)
	require.Contains(t, published[1], `"flag":"spam"`)
}
