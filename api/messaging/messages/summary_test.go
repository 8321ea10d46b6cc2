package messages_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
)

func TestSummarize_CountsAllAndListsTheNewestFive(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	none, err := messages.Summarize(t.Context(), w.Pool)
	require.NoError(t, err)
	require.Zero(t, none.TotalMessages)
	text, err := json.Marshal(none)
	require.NoError(t, err)
	require.JSONEq(t, `{"totalMessages":0,"recentMessages":[]}`, string(text))

	ann, ben, _ := w.Pair()
	cleo := w.Member("Cleo Third")
	w.Match(ann, cleo)
	var newest []uuid.UUID
	for i := range 7 { // in two conversations in turn
		other := ben
		if i%2 == 1 {
			other = cleo
		}
		message := w.Send(ann, other, fmt.Sprintf("secret %d", i))
		newest = append([]uuid.UUID{message.ID}, newest...)
	}
	summary, err := messages.Summarize(t.Context(), w.Pool)
	require.NoError(t, err)
	require.Equal(t, 7, summary.TotalMessages)
	var ids []uuid.UUID
	for _, recent := range summary.RecentMessages {
		ids = append(ids, recent.ID)
		require.False(t, recent.SentAt.IsZero())
	}
	require.Equal(t, newest[:5], ids)
	text, err = json.Marshal(summary)
	require.NoError(t, err)
	require.NotContains(t, string(text), "secret")
	require.NotContains(t, string(text), ann.ID.String())
}
