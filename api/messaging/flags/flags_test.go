package flags_test

import (
	"context"
	"strings"
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

const flaggedText = "send me nudes"

// newGuardedEnv returns an env whose guard finds one phrase.
func newGuardedEnv(t *testing.T) *env {
	w := newEnv(t)
	w.S = messagingtest.NewService(w.Pool, w.Events, w.Jobs, func(text string) string {
		if strings.Contains(text, flaggedText) {
			return "sexual_pressure"
		}
		return ""
	}).Unlimited()
	return w
}

func (w *env) page(actor, other web.Actor) []messages.Message {
	w.Helper()
	list, err := w.S.Messages.List(context.Background(), actor, other.ID, messages.Page{Limit: 50})
	require.NoError(w, err)
	return list
}

func (w *env) countFlags(where string, args ...any) int {
	return w.Count(`SELECT count(*) FROM message_flags WHERE `+where, args...)
}

func TestSend_DeliversFlaggedMessage(t *testing.T) {
	t.Parallel()
	w := newGuardedEnv(t)
	ann, ben, _ := w.Pair()
	w.Send(ann, ben, "hello")
	w.Events.Take()
	sent := w.Send(ann, ben, flaggedText)
	require.Nil(t, sent.Flag, "the sender's message has no flag")
	published := map[bool]string{}
	for _, event := range w.Events.Take() {
		published[strings.Contains(event, ben.ID.String()+" ")] += event
	}
	require.Contains(t, published[true], `"flag":"sexual_pressure"`)
	require.NotContains(t, published[false], `sexual_pressure`)

	require.Nil(t, w.page(ann, ben)[1].Flag)
	received := w.page(ben, ann)
	require.Nil(t, received[0].Flag)
	require.Equal(t, "sexual_pressure", *received[1].Flag)
	require.Equal(t, flaggedText, received[1].Content, "delivered unchanged")
	for actor, flagged := range map[web.Actor]bool{ann: false, ben: true} {
		list, _, err := w.S.Conversations.List(context.Background(), actor, "", 50)
		require.NoError(t, err)
		require.Equal(t, flagged, list[0].LastMessage.Flagged)
	}
	require.Equal(t, 1, w.countFlags(`true`))
	require.Equal(t, 1, w.countFlags(`message_id = $1 AND sender_id = $2 AND receiver_id = $3 AND content = $4 AND seq = 2
		AND category = 'sexual_pressure' AND source = 'filter' AND answer IS NULL AND open`, sent.ID, ann.ID, ben.ID, flaggedText))
}

func TestAnswerFlag_StoresAnswerOfRecipient(t *testing.T) {
	t.Parallel()
	w := newGuardedEnv(t)
	ann, ben, _ := w.Pair()
	sent := w.Send(ann, ben, flaggedText)
	answerFlag := func(actor web.Actor, answer string) (messages.Message, error) {
		return w.S.Flags.Answer(context.Background(), actor, sent.ConversationID, sent.Seq, answer)
	}
	w.Events.Take()
	for i, step := range []struct {
		answer string
		open   int
	}{{flags.Bothers, 1}, {flags.Bothers, 1}, {flags.Fine, 0}, {flags.Bothers, 1}} {
		got, err := answerFlag(ben, step.answer)
		require.NoError(t, err)
		require.Nil(t, got.Flag, "answered")
		require.Zero(t, got.Rev, "step %d", i)
		require.Equal(t, step.open, w.countFlags(`open AND answer = $1`, step.answer), "step %d", i)
		require.Equal(t, 1, w.countFlags(`answer = $1 AND answered_at IS NOT NULL AND source = 'filter'`, step.answer))
	}
	published := w.Events.Take()
	require.Len(t, published, 4, "a repeated answer is published again")
	require.Len(t, messagingtest.EventsOfType(published, ben, "message_changed"), 4, "only the recipient's devices get the event")
	require.Nil(t, w.page(ben, ann)[0].Flag)

	stranger, _, _ := w.Pair()
	for _, actor := range []web.Actor{ann, stranger} {
		_, err := answerFlag(actor, flags.Fine)
		testkit.RequireKind(t, err, fault.NotFound)
	}
	_, err := w.S.Flags.Answer(context.Background(), ben, sent.ConversationID, 7, flags.Fine)
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = w.S.Flags.Answer(context.Background(), ben, uuid.New(), 1, flags.Fine)
	testkit.RequireKind(t, err, fault.NotFound)
	w.Exec(`UPDATE conversations SET closed_at = now()`)
	_, err = answerFlag(ben, flags.Fine)
	testkit.RequireKind(t, err, fault.NotFound)
	require.Equal(t, 1, w.countFlags(`answer = 'bothers'`))
}

// A flag or an answer changes nothing that the sender can read or receives. The recipient's
// devices sync.
func TestAnswerFlag_RevealsNothingToSender(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, request := range map[string]bool{"a conversation": false, "a request": true} {
		w := newGuardedEnv(t)
		ann, ben, _ := w.Pair()
		if request {
			w.Exec(`UPDATE conversations SET requested_by = $1`, ann.ID)
			w.Exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content)
				SELECT gen_random_uuid(), id, 1, $1, gen_random_uuid(), 'rough words' FROM conversations`, ann.ID)
			w.Exec(`UPDATE conversations SET last_seq = 1, last_message_at = now()`)
		} else {
			w.Send(ann, ben, "rough words")
		}
		sent := w.page(ben, ann)[0]
		before, annCursor, benCursor := w.page(ann, ben), w.SyncUntilStable(ann), w.SyncUntilStable(ben)
		w.Events.Take()
		change := func(what, flag string, do func() error) {
			t.Helper()
			what = name + ": " + what
			require.NoError(t, do(), what)
			published := w.Events.Take()
			require.Len(t, published, 1, what)
			require.Len(t, messagingtest.EventsOfType(published, ben, "message_changed"), 1, what)
			require.Contains(t, published[0], `"flag":`+flag, what)
			require.Empty(t, w.Sync(ann, annCursor).Conversations, what)
			changes, _ := w.Changes(ann, sent.ConversationID, 0, 50)
			require.Empty(t, changes, what)
			require.Equal(t, before, w.page(ann, ben), what)
			require.Zero(t, w.Count(`SELECT last_rev FROM conversations`), what)
			require.Len(t, w.Sync(ben, benCursor).Conversations, 1, what)
			benCursor = w.SyncUntilStable(ben)
		}
		change("flagged", `"spam"`, func() error { return w.S.Flags.Raise(ctx, sent.ID, "spam", 0.9) })
		for _, answer := range []string{flags.Bothers, flags.Fine} {
			change(answer, "null", func() error {
				_, err := w.S.Flags.Answer(ctx, ben, sent.ConversationID, sent.Seq, answer)
				return err
			})
		}
	}
}

func TestRaiseFlag_PublishesNothingForDeclinedRequest(t *testing.T) {
	t.Parallel()
	w := newGuardedEnv(t)
	ann, ben, _ := w.Pair()
	sent := w.Send(ann, ben, "rough words")
	w.Exec(`UPDATE conversations SET requested_by = $1, declined_at = now()`, ann.ID)
	annCursor, benCursor := w.SyncUntilStable(ann), w.SyncUntilStable(ben)
	w.Events.Take()
	require.NoError(t, w.S.Flags.Raise(context.Background(), sent.ID, "spam", 0.9))
	require.Equal(t, 1, w.countFlags(`source = 'external' AND open`))
	require.Empty(t, w.Events.Take())
	require.Empty(t, w.Sync(ann, annCursor).Conversations)
	require.Empty(t, w.Sync(ben, benCursor).Conversations)
}

func TestAnswerFlag_OpensFlagOfUnflaggedMessage(t *testing.T) {
	t.Parallel()
	w := newGuardedEnv(t)
	ann, ben, _ := w.Pair()
	sent := w.Send(ann, ben, "well hidden")
	_, err := w.S.Flags.Answer(context.Background(), ben, sent.ConversationID, sent.Seq, flags.Fine)
	testkit.RequireKind(t, err, fault.NotFound)
	require.Zero(t, w.countFlags(`true`))
	_, err = w.S.Flags.Answer(context.Background(), ben, sent.ConversationID, sent.Seq, flags.Bothers)
	require.NoError(t, err)
	require.Equal(t, 1, w.countFlags(`source = 'receiver' AND category IS NULL AND open AND content = 'well hidden'`))

	deleted := w.Delete(ann, w.Send(ann, ben, "taken back"))
	_, err = w.S.Flags.Answer(context.Background(), ben, deleted.ConversationID, deleted.Seq, flags.Bothers)
	testkit.RequireKind(t, err, fault.NotFound)
	require.Equal(t, 1, w.countFlags(`true`), "a deleted message cannot be flagged")
}

func TestFlags_EvidenceRemainsAfterDeletion(t *testing.T) {
	t.Parallel()
	w := newGuardedEnv(t)
	ann, ben, _ := w.Pair()
	w.Send(ann, ben, flaggedText)
	w.Exec(`UPDATE messages SET content = '', deleted_at = now(), flag_answer = 'bothers'`)
	require.Equal(t, 1, w.countFlags(`content = $1 AND answer = 'bothers'`, flaggedText))
	w.Exec(`DELETE FROM users WHERE id = $1`, ann.ID)
	require.Equal(t, 1, w.countFlags(`content = $1 AND sender_id IS NULL AND receiver_id = $2 AND open`, flaggedText, ben.ID))
}

func TestCheck_ReturnsNudge(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben, _ := w.Pair()
	ctx := context.Background()
	for content, want := range map[string]string{
		"see you at eight": "", "Send me nudes": "sexual_pressure", "you stupid bitch": "harassment", "can you lend me $200": "money",
		"text me on whatsapp": "off_platform", "subscribe to my onlyfans": "spam",
	} {
		nudge, err := w.S.Flags.Check(ctx, ann, ben.ID, content)
		require.NoError(t, err)
		if want == "" {
			require.Nil(t, nudge, content)
			continue
		}
		require.Equal(t, want, nudge.Category, content)
		require.NotEmpty(t, nudge.Title)
		require.NotEmpty(t, nudge.Text)
	}
	require.Zero(t, w.countFlags(`true`), "the text is not stored")
	require.Zero(t, w.Count(`SELECT count(*) FROM messages`))

	stranger := w.Member("Ada Moss")
	_, err := w.S.Flags.Check(ctx, ann, stranger.ID, "hello")
	require.NoError(t, err, "the actor may send the member a request")
	w.Exec(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`, stranger.ID, ann.ID)
	for _, other := range []uuid.UUID{stranger.ID, uuid.New(), ann.ID} {
		_, err = w.S.Flags.Check(ctx, ann, other, "hello")
		testkit.RequireKind(t, err, fault.NotFound)
	}
	messagingtest.UntilRefused(t, 120, time.Second/2, func(int) error {
		_, err := w.S.Flags.Check(ctx, ann, ben.ID, "hello")
		return err
	})
}
