package messages_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/platform/web"
)

// sparkStep is a message of a conversation: its sender, its type and the pause before it.
type sparkStep struct {
	byB   bool
	audio bool
	pause int // minutes since the one before
}

// parseSparkSteps parses text such as "a b B 11a": the letter is the sender, a capital
// letter means a recording, and the number is the pause before it in minutes.
func parseSparkSteps(t *testing.T, text string) (list []sparkStep) {
	t.Helper()
	for word := range strings.FieldsSeq(text) {
		var s sparkStep
		sender := word[len(word)-1:]
		if len(word) > 1 {
			_, err := fmt.Sscan(word[:len(word)-1], &s.pause)
			require.NoError(t, err)
		}
		s.byB, s.audio = strings.EqualFold(sender, "b"), sender == strings.ToUpper(sender)
		list = append(list, s)
	}
	return list
}

// play sends the messages and returns the seqs at which sparks occurred.
func (w *env) play(list []sparkStep) (sparks map[string][]int64) {
	w.Helper()
	a, b, _ := w.Pair()
	sparks = map[string][]int64{}
	for i, s := range list {
		w.Exec(`UPDATE conversations SET last_message_at = last_message_at - $2 * interval '1 minute' WHERE user_a = $1`, a.ID, s.pause)
		w.Events.Take()
		from, to := a, b
		if s.byB {
			from, to = b, a
		}
		m := w.sendTextOrVoice(from, to, s.audio)
		require.EqualValues(w, i+1, m.Seq)
		for _, event := range w.Events.Take() {
			if _, spark, ok := strings.Cut(event, `{"type":"spark","spark":"`); ok {
				spark, _, _ = strings.Cut(spark, `"`)
				sparks[spark] = append(sparks[spark], m.Seq)
			}
		}
	}
	return sparks
}

// sendTextOrVoice sends a message of either type. A recording needs no file here.
func (w *env) sendTextOrVoice(from, to web.Actor, audio bool) messages.Message {
	w.Helper()
	if !audio {
		return w.Send(from, to, "word")
	}
	conversation, err := w.S.Conversations.FindOpen(context.Background(), from, to.ID)
	require.NoError(w, err)
	var m messages.Stored
	require.NoError(w, pgx.BeginFunc(context.Background(), w.Pool, func(tx pgx.Tx) (err error) {
		m, err = w.S.Messages.PostTx(context.Background(), tx, from.ID, conversation.ID, messages.Outgoing{
			MessageType: "audio", ClientID: uuid.Must(uuid.NewV7()),
		})
		return err
	}))
	w.S.Messages.Publish(m)
	return m.Message
}

func TestSparks_OccurByTurnsAndRecordings(t *testing.T) {
	t.Parallel()
	both := func(n int64) []int64 { return []int64{n, n} } // both members get the event
	for name, c := range map[string]struct {
		steps          string
		message, voice []int64
	}{
		"no answers":                           {steps: strings.Repeat("a ", 20)},
		"seven turns are not enough":           {steps: "a b a b a b a b"},
		"eight turns":                          {steps: "a b a b a b a b a", message: both(9)},
		"several messages in a row count once": {steps: "a a a b b a b a a a b a b b a", message: both(15)},
		"the spark occurs once":                {steps: strings.Repeat("a b ", 12), message: both(9)},
		"nine minutes are no pause":            {steps: "a b a b a b a b 9a", message: both(9)},
		"a pause starts the count again":       {steps: "a b a b a b a b 11a b a b a b a b a", message: both(17)},
		"turns before a pause do not count":    {steps: "a b a b 11a a b a b a b"},
		"recordings of one member":             {steps: "A A a b A"},
		"recordings of both members":           {steps: "A b B", voice: both(3)},
		"the second member speaks first":       {steps: "B a A b B A", voice: both(3)},
		"recordings years apart":               {steps: "A 999999B", voice: both(2)},
		"recordings are turns":                 {steps: "A b a b a b a b A", message: both(9)},
		"both sparks at once":                  {steps: "b A b a b a b a B", message: both(9), voice: both(9)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sparks := newEnv(t).play(parseSparkSteps(t, c.steps))
			require.Equal(t, c.message, sparks["message_spark"])
			require.Equal(t, c.voice, sparks["voice_connection"])
		})
	}
}

// Random conversations have the sparks of a reference implementation.
func TestSparks_RandomConversations(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for range 40 {
		list := make([]sparkStep, 5+rand.IntN(30))
		for i := range list {
			list[i] = sparkStep{byB: rand.IntN(2) == 0, audio: rand.IntN(8) == 0}
			if rand.IntN(12) == 0 {
				list[i].pause = rand.IntN(20)
			}
		}
		want := map[string][]int64{}
		turns, spoke := 0, map[bool]bool{}
		for i, s := range list {
			seq := int64(i + 1)
			switch {
			case i > 0 && s.pause >= 10: // plus the duration of the test
				turns = 0
			case i > 0 && s.byB != list[i-1].byB:
				turns++
			}
			if turns == 8 && want["message_spark"] == nil {
				want["message_spark"] = []int64{seq, seq}
			}
			if spoke[s.byB] = spoke[s.byB] || s.audio; spoke[true] && spoke[false] && want["voice_connection"] == nil {
				want["voice_connection"] = []int64{seq, seq}
			}
		}
		require.Equal(t, want, w.play(list), "%+v", list)
	}
}

// Concurrent messages of a pair cause each spark once.
func TestSparks_ConcurrentMessagesCauseEachOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	w.Exec(`UPDATE conversations SET turns = 7, last_sender = user_a`)
	w.sendTextOrVoice(a, b, true)
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			from, to := b, a
			if i%4 == 3 {
				from, to = a, b
			}
			w.sendTextOrVoice(from, to, i%2 == 0)
		})
	}
	all.Wait()
	events := map[string]int{}
	for _, event := range w.Events.Take() {
		for _, spark := range []string{"message_spark", "voice_connection"} {
			for member, other := range map[uuid.UUID]uuid.UUID{a.ID: b.ID, b.ID: a.ID} {
				if strings.HasPrefix(event, "member."+member.String()+` {"type":"spark","spark":"`+spark) {
					require.Contains(t, event, `"userId":"`+other.String()+`"`)
					events[spark+member.String()]++
				}
			}
		}
	}
	require.Equal(t, map[string]int{
		"message_spark" + a.ID.String(): 1, "message_spark" + b.ID.String(): 1,
		"voice_connection" + a.ID.String(): 1, "voice_connection" + b.ID.String(): 1,
	}, events)
	conversation, err := w.S.Conversations.Get(context.Background(), a, b.ID)
	require.NoError(t, err)
	require.NotNil(t, conversation.MessageSparkAt)
	require.NotNil(t, conversation.VoiceConnectionAt)
}
