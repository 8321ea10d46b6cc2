package messages_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestSend_NumbersMessagesAndPublishesToBoth(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	in := messagingtest.Input(b, "  Hello\r\nthere \t ")
	in.Socket = "my-socket"
	sent, err := w.S.Messages.Send(context.Background(), a, in)
	require.NoError(t, err)
	require.Equal(t, "Hello\nthere", sent.Message.Content)
	require.EqualValues(t, 1, sent.Message.Seq)
	require.EqualValues(t, 2, w.Send(b, a, "Hi").Seq)
	events := w.Events.Take()
	require.Len(t, events, 4)
	require.True(t, strings.HasPrefix(events[0], "member."+b.ID.String()+` {"type":"new_message"`), events[0])
	require.True(t, strings.HasPrefix(events[1], "member."+a.ID.String()+" !my-socket\n{"), events[1])
}

func TestSend_RefusesInvalidMessages(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	stranger, suspended, closed := w.Member("Ada Moss"), w.Member("Ada Moss"), w.Member("Ada Moss")
	reviewed, unapproved := w.Member("Ada Moss"), w.Member("Ada Moss")
	w.Match(a, suspended)
	w.Match(a, reviewed)
	w.Match(a, unapproved)
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, suspended.ID)
	w.Exec(`UPDATE users SET profile_status = 'under_review' WHERE id = $1`, reviewed.ID)
	w.Exec(`UPDATE users SET is_approved = false WHERE id = $1`, unapproved.ID)
	w.Exec(`UPDATE conversations SET closed_at = now() WHERE id = $1`, w.Match(a, closed))
	inputOfType := func(kind string) messages.Outgoing {
		in := messagingtest.Input(b, "x")
		in.MessageType = kind
		return in
	}
	noID := messagingtest.Input(b, "x")
	noID.ClientID = uuid.Nil
	for name, c := range map[string]struct {
		in   messages.Outgoing
		kind fault.Kind
	}{
		"empty":               {messagingtest.Input(b, ""), fault.Invalid},
		"blank":               {messagingtest.Input(b, " \n\t  "), fault.Invalid},
		"invisible":           {messagingtest.Input(b, "\u200b\u200d"), fault.Invalid},
		"NUL":                 {messagingtest.Input(b, "a\x00b"), fault.Invalid},
		"control":             {messagingtest.Input(b, "a\x1bb"), fault.Invalid},
		"not UTF-8":           {messagingtest.Input(b, "a\xffb"), fault.Invalid},
		"too long":            {messagingtest.Input(b, strings.Repeat("é", 4001)), fault.Invalid},
		"recording":           {inputOfType("audio"), fault.Invalid},
		"unknown type":        {inputOfType("smoke"), fault.Invalid},
		"no client id":        {noID, fault.Invalid},
		"stranger":            {messagingtest.Input(stranger, "x"), fault.NotFound},
		"oneself":             {messagingtest.Input(a, "x"), fault.NotFound},
		"suspended":           {messagingtest.Input(suspended, "x"), fault.NotFound},
		"closed":              {messagingtest.Input(closed, "x"), fault.NotFound},
		"unknown member":      {messagingtest.Input(web.Actor{ID: uuid.New()}, "x"), fault.NotFound},
		"by the suspended":    {messagingtest.Input(a, "x"), fault.Forbidden},
		"by one under review": {messagingtest.Input(a, "x"), fault.Forbidden},
		"by one not approved": {messagingtest.Input(a, "x"), fault.Forbidden},
		"to one under review": {messagingtest.Input(reviewed, "x"), fault.NotFound},
	} {
		from, by := a, map[string]web.Actor{"by the suspended": suspended, "by one under review": reviewed, "by one not approved": unapproved}
		if other, ok := by[name]; ok {
			from = other
		}
		_, err := w.S.Messages.Send(context.Background(), from, c.in)
		testkit.RequireKind(t, err, c.kind)
	}
	require.Zero(t, w.Count(`SELECT count(*) FROM messages`))
	require.Empty(t, w.Events.Take())
	longest := strings.Repeat("🎻", 4000)
	require.Equal(t, longest, w.Send(a, b, longest).Content)
}

// A text with these characters would read "Your friend" as "dneirf ruoY". The marks of
// right-to-left scripts stay.
func TestSend_RemovesCharactersThatChangeDirection(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	message := messagingtest.Input(b, "\u202eabc\u202c \u2066+1 503\u2069 \u200fשלום\u200e")
	sent, err := w.S.Messages.Send(t.Context(), a, message)
	require.NoError(t, err)
	require.Equal(t, "abc +1 503 \u200fשלום\u200e", sent.Message.Content)
	again, err := w.S.Messages.Send(t.Context(), a, message)
	require.NoError(t, err)
	require.Equal(t, sent.Message.ID, again.Message.ID, "a retry is the same message")
	found, _, err := w.S.Search.Search(t.Context(), a, "ab\u2066c", "", 2)
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, sent.Message.Content, found[0].Message.Content)
	_, err = w.S.Messages.Send(t.Context(), a, messagingtest.Input(b, "\u202e\u2066"))
	testkit.RequireKind(t, err, fault.Invalid)
}

func TestSend_StoresClientIDOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	in := messagingtest.Input(b, "once")
	results := make([]messages.Sent, 100)
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() {
			var err error
			results[i], err = w.S.Messages.Send(context.Background(), a, in)
			require.NoError(t, err)
		})
	}
	all.Wait()
	firsts := 0
	for _, r := range results {
		require.Equal(t, results[0].Message, r.Message)
		if !r.Repeated {
			firsts++
		}
	}
	require.Equal(t, 1, firsts)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages`))
	require.EqualValues(t, 2, w.Send(a, b, "next").Seq, "a repeated call uses no seq")
	for _, own := range newMessages(w.Events.Take(), a, b) {
		require.Len(t, own, 100+1, "each call publishes")
		require.Len(t, slices.Compact(own), 2, "the same event for each repeated call")
	}
}

func TestSend_ClientIDOfAnotherMessageIsConflict(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	c := w.Member("Ada Moss")
	w.Match(a, c)
	in := messagingtest.Input(b, "first")
	_, err := w.S.Messages.Send(context.Background(), a, in)
	require.NoError(t, err)
	other := in
	other.Content = "second"
	_, err = w.S.Messages.Send(context.Background(), a, other)
	testkit.RequireKind(t, err, fault.Conflict)
	// A message to another member may have the same client id, and so may one of another sender.
	other = in
	other.RecipientID = c.ID
	sent, err := w.S.Messages.Send(context.Background(), a, other)
	require.NoError(t, err)
	require.False(t, sent.Repeated)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE $1 IN (c.user_a, c.user_b)`, c.ID))
	in.RecipientID = a.ID
	sent, err = w.S.Messages.Send(context.Background(), b, in)
	require.NoError(t, err)
	require.False(t, sent.Repeated)
	// A retry returns the first result even after the conversation was closed.
	w.Exec(`UPDATE conversations SET closed_at = now()`)
	in.RecipientID = b.ID
	sent, err = w.S.Messages.Send(context.Background(), a, in)
	require.NoError(t, err)
	require.True(t, sent.Repeated)
}

func TestSend_ParallelSendersLeaveNoGaps(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	const senders, each = 50, 10
	var all sync.WaitGroup
	for i := range senders {
		from, to := a, b
		if i%2 == 1 {
			from, to = b, a
		}
		all.Go(func() {
			last := int64(0)
			for range each {
				in := messagingtest.Input(to, "hey")
				sent, err := w.S.Messages.Send(context.Background(), from, in)
				require.NoError(t, err)
				require.Greater(t, sent.Message.Seq, last, "messages of a sender are in order")
				last = sent.Message.Seq
				again, err := w.S.Messages.Send(context.Background(), from, in)
				require.NoError(t, err)
				require.Equal(t, sent.Message, again.Message)
			}
		})
	}
	all.Wait()
	require.Equal(t, senders*each, w.Count(`SELECT count(*) FROM messages`))
	require.Equal(t, senders*each, w.Count(`SELECT max(seq) FROM messages`))
	require.Equal(t, senders*each, w.Count(`SELECT last_seq FROM conversations`))
	require.Zero(t, w.Count(`SELECT count(*) FROM messages m JOIN messages n ON n.seq = m.seq + 1 WHERE n.sent_at < m.sent_at`))
}

func TestSend_EnqueuesJobOnlyForRecipientsWithDevices(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	w.Send(a, b, "no device")
	require.Zero(t, w.Count(`SELECT count(*) FROM river_job`))
	w.Exec(`INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth) VALUES ($1, $2, 'https://push.example/1', 'k', 'a')`,
		uuid.Must(uuid.NewV7()), b.ID)
	for range 5 {
		w.Send(a, b, "wake up") // the device is found by the statement for the first message, and by the cache for the others
	}
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'notify' AND state = 'scheduled'`))
	w.Exec(`UPDATE river_job SET state = 'completed', finalized_at = now()`)
	w.Send(a, b, "again")
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM river_job`), "the next message after a completed job enqueues another")
	w.Exec(`DELETE FROM push_subscriptions`)
	w.Send(a, b, "signed out everywhere")
	w.Send(a, b, "and again")
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM river_job`))
	require.Equal(t, 9, w.Count(`SELECT last_seq FROM conversations`))
	// A repeated call stores no message.
	in := messagingtest.Input(b, "once")
	for range 3 {
		_, err := w.S.Messages.Send(context.Background(), a, in)
		require.NoError(t, err)
	}
	require.Equal(t, 10, w.Count(`SELECT last_seq FROM conversations`))
}

func TestSend_IsLimited(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	s := messagingtest.NewService(w.Pool, w.Events, w.Jobs, messages.Unguarded)
	sent, err := messagingtest.UntilRefused(t, 30, time.Second/3, func(int) error {
		_, err := s.Messages.Send(context.Background(), a, messagingtest.Input(b, "spam"))
		return err
	})
	require.Positive(t, fault.From(err).RetryAfter)
	require.GreaterOrEqual(t, sent, 30)
	_, err = s.Messages.Send(context.Background(), b, messagingtest.Input(a, "not me"))
	require.NoError(t, err)
}

func TestSend_PausedMemberMayWrite(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	w.Exec(`UPDATE users SET paused_at = now(), incognito = true WHERE id = $1`, a.ID)
	w.Send(a, b, "I'm away for a while")
	w.Send(b, a, "See you then")
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM messages`))
}
