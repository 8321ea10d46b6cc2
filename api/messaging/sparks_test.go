package messaging_test

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

	"heartward/api/messaging"
	"heartward/api/platform/web"
)

// said is one message of a conversation: who, of which kind, and after how long.
type said struct {
	byB   bool
	audio bool
	pause int // minutes since the one before
}

// spoken reads "a b B 11a": who speaks, a capital being a voice, after that
// many minutes.
func spoken(t *testing.T, text string) (list []said) {
	t.Helper()
	for word := range strings.FieldsSeq(text) {
		var s said
		who := word[len(word)-1:]
		if len(word) > 1 {
			_, err := fmt.Sscan(word[:len(word)-1], &s.pause)
			require.NoError(t, err)
		}
		s.byB, s.audio = strings.EqualFold(who, "b"), who == strings.ToUpper(who)
		list = append(list, s)
	}
	return list
}

// talk says it all, and answers with the places at which sparks came.
func (w *world) talk(list []said) (sparks map[string][]int64) {
	w.t.Helper()
	a, b := w.pair()
	sparks = map[string][]int64{}
	for i, s := range list {
		w.exec(`UPDATE conversations SET last_message_at = last_message_at - $2 * interval '1 minute' WHERE user_a = $1`, a.ID, s.pause)
		w.events.Take()
		from, to := a, b
		if s.byB {
			from, to = b, a
		}
		m := w.say(from, to, s.audio)
		require.EqualValues(w.t, i+1, m.Seq)
		for _, event := range w.events.Take() {
			if _, spark, ok := strings.Cut(event, `{"type":"spark","spark":"`); ok {
				spark, _, _ = strings.Cut(spark, `"`)
				sparks[spark] = append(sparks[spark], m.Seq)
			}
		}
	}
	return sparks
}

// say leaves a message of either kind; a voice needs no file here.
func (w *world) say(from, to web.Actor, audio bool) messaging.Message {
	w.t.Helper()
	if !audio {
		return w.send(from, to, "word")
	}
	conversation, err := w.s.FindOpenConversation(context.Background(), from, to.ID)
	require.NoError(w.t, err)
	var m messaging.Stored
	require.NoError(w.t, pgx.BeginFunc(context.Background(), w.pool, func(tx pgx.Tx) (err error) {
		m, err = w.s.PostTx(context.Background(), tx, from.ID, conversation.ID, messaging.Outgoing{
			MessageType: "audio", ClientID: uuid.Must(uuid.NewV7()),
		})
		return err
	}))
	w.s.Publish(m)
	return m.Message
}

func TestSparks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	both := func(n int64) []int64 { return []int64{n, n} } // told to both
	for name, c := range map[string]struct {
		talk          string
		heated, voice []int64
	}{
		"nobody answers":                    {talk: strings.Repeat("a ", 20)},
		"seven turns are not enough":        {talk: "a b a b a b a b"},
		"eight are":                         {talk: "a b a b a b a b a", heated: both(9)},
		"several words in a row count once": {talk: "a a a b b a b a a a b a b b a", heated: both(15)},
		"once for ever":                     {talk: strings.Repeat("a b ", 12), heated: both(9)},
		"ten minutes are no pause":          {talk: "a b a b a b a b 9a", heated: both(9)},
		"a pause begins anew":               {talk: "a b a b a b a b 11a b a b a b a b a", heated: both(17)},
		"a pause is not filled by one":      {talk: "a b a b 11a a b a b a b"},
		"one voice is none":                 {talk: "A A a b A"},
		"both voices":                       {talk: "A b B", voice: both(3)},
		"whoever speaks first":              {talk: "B a A b B A", voice: both(3)},
		"after years":                       {talk: "A 999999B", voice: both(2)},
		"voices are words too":              {talk: "A b a b a b a b A", heated: both(9)},
		"both sparks at once":               {talk: "b A b a b a b a B", heated: both(9), voice: both(9)},
	} {
		t.Run(name, func(t *testing.T) {
			sparks := w.talk(spoken(t, c.talk))
			require.Equal(t, c.heated, sparks["message_spark"])
			require.Equal(t, c.voice, sparks["voice_connection"])
		})
	}
}

// Random conversations have the sparks that the rules, told once more, give them.
func TestSparksOfAnyConversation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 40 {
		list := make([]said, 5+rand.IntN(30))
		for i := range list {
			list[i] = said{byB: rand.IntN(2) == 0, audio: rand.IntN(8) == 0}
			if rand.IntN(12) == 0 {
				list[i].pause = rand.IntN(20)
			}
		}
		want := map[string][]int64{}
		turns, spoke := 0, map[bool]bool{}
		for i, s := range list {
			place := int64(i + 1)
			switch {
			case i > 0 && s.pause >= 10: // and a moment of this test
				turns = 0
			case i > 0 && s.byB != list[i-1].byB:
				turns++
			}
			if turns == 8 && want["message_spark"] == nil {
				want["message_spark"] = []int64{place, place}
			}
			if spoke[s.byB] = spoke[s.byB] || s.audio; spoke[true] && spoke[false] && want["voice_connection"] == nil {
				want["voice_connection"] = []int64{place, place}
			}
		}
		require.Equal(t, want, w.talk(list), "%+v", list)
	}
}

// However many write at the same moment, a pair has each spark once.
func TestOneSparkWhateverTheRace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.pair()
	w.exec(`UPDATE conversations SET turns = 7, last_sender = user_a`)
	w.say(a, b, true)
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			from, to := b, a
			if i%4 == 3 {
				from, to = a, b
			}
			w.say(from, to, i%2 == 0)
		})
	}
	all.Wait()
	told := map[string]int{}
	for _, event := range w.events.Take() {
		for _, spark := range []string{"message_spark", "voice_connection"} {
			for member, other := range map[uuid.UUID]uuid.UUID{a.ID: b.ID, b.ID: a.ID} {
				if strings.HasPrefix(event, "member."+member.String()+` {"type":"spark","spark":"`+spark) {
					require.Contains(t, event, `"userId":"`+other.String()+`"`)
					told[spark+member.String()]++
				}
			}
		}
	}
	require.Equal(t, map[string]int{
		"message_spark" + a.ID.String(): 1, "message_spark" + b.ID.String(): 1,
		"voice_connection" + a.ID.String(): 1, "voice_connection" + b.ID.String(): 1,
	}, told)
	conversation, err := w.s.ConversationWith(context.Background(), a, b.ID)
	require.NoError(t, err)
	require.NotNil(t, conversation.MessageSparkAt)
	require.NotNil(t, conversation.VoiceConnectionAt)
}
