package messages_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/flags"
	"heartward/api/messaging/messages"
	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestReact_ByBothMembers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	m := w.Send(a, b, "how was it?")
	w.Events.Take()
	m = w.React(b, m, "❤️")
	require.Equal(t, "❤️", *m.RecipientReaction)
	require.Nil(t, m.SenderReaction)
	require.EqualValues(t, 1, m.Rev)
	published := w.Events.Take()
	for _, side := range []web.Actor{a, b} {
		events := messagingtest.EventsOfType(published, side, "message_changed")
		require.Len(t, events, 1)
		require.Contains(t, events[0], `"receiverReaction":"❤️"`)
	}
	m = w.React(a, m, "😂")
	require.Equal(t, []string{"😂", "❤️"}, []string{*m.SenderReaction, *m.RecipientReaction})
	require.EqualValues(t, 2, m.Rev)
	require.EqualValues(t, 2, w.React(a, m, "😂").Rev, "repeating a reaction changes nothing")
	w.Events.Take()
	m = w.React(b, m, "👍🏽")
	require.Equal(t, "👍🏽", *m.RecipientReaction, "the new reaction replaces the old one")
	m = w.React(b, m, "")
	require.Nil(t, m.RecipientReaction)
	require.EqualValues(t, 4, m.Rev)
	w.Events.Take()
	require.EqualValues(t, 4, w.React(b, m, "").Rev)
	require.Len(t, messagingtest.EventsOfType(w.Events.Take(), a, "message_changed"), 1, "the first call may have published nothing")
	for _, side := range []web.Actor{a, b} {
		require.EqualValues(t, 4, w.Sync(side, "").Conversations[0].LastRev)
	}
}

func TestReact_RefusesInvalidReactions(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	m := w.Send(a, b, "mine")
	stranger, _, _ := w.Pair()
	try := func(actor web.Actor, conversation uuid.UUID, seq int64, emoji string) error {
		_, err := w.S.Messages.React(context.Background(), actor, conversation, seq, emoji)
		return err
	}
	testkit.RequireKind(t, try(stranger, m.ConversationID, 1, "👍"), fault.NotFound)
	testkit.RequireKind(t, try(b, m.ConversationID, 2, "👍"), fault.NotFound)
	testkit.RequireKind(t, try(b, uuid.New(), 1, "👍"), fault.NotFound)
	for _, text := range []string{"a", "👍👍", "<b>", "👍\x00", strings.Repeat("👍", 20)} {
		testkit.RequireKind(t, try(b, m.ConversationID, 1, text), fault.Invalid)
	}
	w.Exec(`UPDATE users SET is_approved = false WHERE id = $1`, b.ID)
	testkit.RequireKind(t, try(b, m.ConversationID, 1, "👍"), fault.Forbidden)
	w.Exec(`UPDATE users SET is_approved = true WHERE id = $1`, b.ID)
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, a.ID)
	testkit.RequireKind(t, try(b, m.ConversationID, 1, "👍"), fault.NotFound)
	w.Exec(`UPDATE users SET profile_status = 'active' WHERE id = $1`, a.ID)
	w.Exec(`UPDATE conversations SET closed_at = now()`)
	testkit.RequireKind(t, try(b, m.ConversationID, 1, "👍"), fault.NotFound)
	require.Zero(t, w.Count(`SELECT count(*) FROM messages WHERE rev > 0 OR receiver_reaction IS NOT NULL`))
}

// A deleted message keeps its seq and client id, but no text, files, reactions or flag.
func TestDelete_RemovesContentFilesAndReactions(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	w.Send(b, a, "first")
	m := w.Send(a, b, "a secret")
	file := uuid.Must(uuid.NewV7())
	w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes, duration_ms) VALUES ($1, $2, 'audio/webm', 5, 12000)`, file, a.ID)
	w.Exec(`UPDATE messages SET message_type = 'audio', flag = 'spam' WHERE id = $1`, m.ID)
	w.Exec(`INSERT INTO message_files (file_id, conversation_id, seq, position) VALUES ($1, $2, $3, 0)`, file, m.ConversationID, m.Seq)
	m = w.React(b, m, "😮")
	require.Len(t, m.Attachments, 1)
	require.NotNil(t, m.Flag)
	before := w.Sync(b, "")
	require.Equal(t, 1, before.Conversations[0].UnreadCount)
	w.Events.Take()

	m = w.Delete(a, m)
	require.Empty(t, m.Content)
	require.NotNil(t, m.DeletedAt)
	require.Empty(t, m.Attachments)
	require.Nil(t, m.RecipientReaction)
	require.Nil(t, m.Flag)
	require.EqualValues(t, 2, m.Rev)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM blob_removals WHERE file_id = $1`, file))
	require.Zero(t, w.Count(`SELECT count(*) FROM files`)+w.Count(`SELECT count(*) FROM message_files`))
	events := w.Events.Take()
	require.Len(t, messagingtest.EventsOfType(events, b, "message_changed"), 1)
	require.NotContains(t, strings.Join(events, ""), "secret")

	after := w.Sync(b, before.Cursor).Conversations
	require.Len(t, after, 1)
	require.True(t, after[0].LastMessage.Deleted)
	require.Empty(t, after[0].LastMessage.Content)
	require.Zero(t, after[0].LastMessage.AttachmentCount)
	require.Zero(t, after[0].UnreadCount, "a deleted message is not unread")
	again := w.Delete(a, m)
	require.Equal(t, m, again)
	_, err := w.S.Messages.React(context.Background(), b, m.ConversationID, m.Seq, "😮")
	testkit.RequireKind(t, err, fault.Conflict)
	require.Equal(t, m, w.React(b, m, ""), "removing the reaction of a deleted message succeeds")

	// A retry of sending the message returns the deleted message.
	sent, err := w.S.Messages.Send(context.Background(), a, messages.Outgoing{
		RecipientID: b.ID, Content: "a secret", MessageType: "audio", ClientID: m.ClientID, FileIDs: []uuid.UUID{file},
	})
	require.NoError(t, err)
	require.True(t, sent.Repeated)
	require.NotNil(t, sent.Message.DeletedAt)
}

// Changes are rate limited, because each is an event for the other member.
func TestReact_IsLimited(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	m := w.Send(a, b, "hello")
	s := messagingtest.NewService(w.Pool, w.Events, w.Jobs, messages.Unguarded)
	allowed, err := messagingtest.UntilRefused(t, 60, time.Second, func(n int) error {
		_, err := s.Messages.React(context.Background(), b, m.ConversationID, m.Seq, []string{"👍", "❤️"}[n%2])
		return err
	})
	require.GreaterOrEqual(t, allowed, 60)
	require.Positive(t, fault.From(err).RetryAfter)
	messagingtest.UntilRefused(t, 0, time.Second, func(int) error {
		_, err := s.Flags.Answer(context.Background(), b, m.ConversationID, m.Seq, flags.Bothers)
		return err
	})
	_, err = s.Messages.React(context.Background(), a, m.ConversationID, m.Seq, "👍")
	require.NoError(t, err, "the limit is per member")
}

func TestDelete_OnlyOwnMessagesAndNoDates(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	m := w.Send(a, b, "keep me")
	stranger := w.Member("Ada Moss")
	for _, actor := range []web.Actor{b, stranger} {
		_, err := w.S.Messages.Delete(context.Background(), actor, m.ConversationID, m.Seq)
		testkit.RequireKind(t, err, fault.NotFound)
	}
	_, err := w.S.Messages.Delete(context.Background(), a, m.ConversationID, 9)
	testkit.RequireKind(t, err, fault.NotFound)
	w.Exec(`UPDATE messages SET message_type = 'date'`)
	_, err = w.S.Messages.Delete(context.Background(), a, m.ConversationID, m.Seq)
	testkit.RequireKind(t, err, fault.Conflict)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages WHERE content = 'keep me' AND rev = 0`))
}

// Two members react, remove reactions and delete concurrently. Revs have no gaps, the
// events match the database, and deleted messages have no reaction.
func TestChanges_RevsHaveNoGapsUnderConcurrency(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	var list []messages.Message
	for range 6 {
		list = append(list, w.Send(a, b, "text"))
	}
	conversation := list[0].ConversationID
	w.Events.Take()
	var all sync.WaitGroup
	for i := range 8 {
		random := rand.New(rand.NewPCG(7, uint64(i)))
		actor := []web.Actor{a, b}[i%2]
		all.Go(func() {
			for range 25 {
				m := list[random.IntN(len(list))]
				var err error
				switch n := random.IntN(20); {
				case n == 0 && actor == a:
					_, err = w.S.Messages.Delete(context.Background(), actor, conversation, m.Seq)
				case n < 5:
					_, err = w.S.Messages.React(context.Background(), actor, conversation, m.Seq, "")
				default:
					_, err = w.S.Messages.React(context.Background(), actor, conversation, m.Seq, []string{"👍", "❤️", "😂"}[random.IntN(3)])
				}
				if err != nil && !fault.Is(err, fault.Conflict) {
					t.Errorf("%v", err)
				}
			}
		})
	}
	all.Wait()
	last := w.Count(`SELECT last_rev FROM conversations WHERE id = $1`, conversation)
	require.Positive(t, last)
	seen := map[string]string{}
	for _, event := range messagingtest.EventsOfType(w.Events.Take(), a, "message_changed") {
		rev := event[strings.LastIndex(event, `"rev":`):]
		if first, isRepeated := seen[rev]; isRepeated {
			require.Equal(t, first, event, "a repeated call publishes the same event")
		}
		seen[rev] = event
	}
	require.Len(t, seen, last)
	require.Zero(t, w.Count(`SELECT count(*) FROM messages WHERE deleted_at IS NOT NULL
		AND (sender_reaction IS NOT NULL OR receiver_reaction IS NOT NULL OR content <> '')`))
	require.Equal(t, last, w.Count(`SELECT max(rev) FROM messages`))
	require.Zero(t, w.Count(`SELECT count(*) FROM (SELECT rev FROM messages WHERE rev > 0 GROUP BY rev HAVING count(*) > 1) twice`))
}

// A device that reads pages of changes while messages change has the server's state at the
// end.
func TestChanges_ReturnAllChangesUnderConcurrency(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	var list []messages.Message
	for range 12 {
		list = append(list, w.Send(a, b, "text"))
	}
	conversation := list[0].ConversationID
	known, at := map[int64]messages.Message{}, int64(0)
	catchUp := func() {
		for more := true; more; {
			var page []messages.Message
			page, more = w.Changes(b, conversation, at, 3)
			for _, m := range page {
				require.Greater(t, m.Rev, at, "in the order of rev")
				at = m.Rev
				known[m.Seq] = m
			}
		}
	}
	done := make(chan struct{})
	var writers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() {
			random := rand.New(rand.NewPCG(3, uint64(i)))
			for range 30 {
				_, err := w.S.Messages.React(context.Background(), []web.Actor{a, b}[i%2], conversation,
					list[random.IntN(len(list))].Seq, []string{"👍", "❤️", ""}[random.IntN(3)])
				if err != nil {
					t.Errorf("%v", err)
				}
			}
		})
	}
	go func() { writers.Wait(); close(done) }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		catchUp()
	}
	page, err := w.S.Messages.List(context.Background(), b, conversation, messages.Page{Limit: 50})
	require.NoError(t, err)
	for _, m := range page {
		if m.Rev > 0 {
			require.Equal(t, m, known[m.Seq])
		}
	}
	_, _, err = w.S.Messages.Changes(context.Background(), w.Member("Ada Moss"), conversation, 0, 50)
	testkit.RequireKind(t, err, fault.NotFound)
	none, more := w.Changes(b, conversation, at, 50)
	require.NotNil(t, none)
	require.Empty(t, none)
	require.False(t, more)
}
