package limits

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
)

func TestMembers_EvictsIdleMembersWhenMapHasDoubled(t *testing.T) {
	t.Parallel()
	now := time.Now()
	l := NewMembers(30, 10*time.Second, SendingMessages)
	l.now = func() time.Time { return now }
	write := func(members int) {
		for range members {
			require.NoError(t, l.Allow(uuid.New()))
		}
	}
	write(20_000)
	require.Len(t, l.byMember, 20_000, "none of them is idle")
	require.Equal(t, 40_000, l.evictSize, "evict has searched the map twice")
	now = now.Add(time.Minute)
	write(20_000)
	require.Len(t, l.byMember, 20_000, "idle members are evicted")
	now = now.Add(time.Minute)
	write(20_000)
	require.Len(t, l.byMember, 20_000)
	one := uuid.New()
	for range 30 {
		require.NoError(t, l.Allow(one))
	}
	refusal := fault.From(l.Allow(one))
	require.Equal(t, "You are sending messages very fast. Please wait a moment.", refusal.Message)
	sent, err := json.Marshal(refusal.Parameters())
	require.NoError(t, err)
	require.JSONEq(t, `{"activity": "sending_messages", "retryAfter": 1}`, string(sent))
}
