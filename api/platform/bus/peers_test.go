package bus

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestPeers_CountLostEvents(t *testing.T) {
	t.Parallel()
	one, two := uuid.New(), uuid.New()
	p := peers{listening: true}
	beats := int64(0)
	compareRecord := func(published int64) uint64 {
		beats++
		return p.compare([]record{{Node: one, Published: published, Beats: beats}})
	}
	require.Zero(t, compareRecord(7), "events before the subscription are not counted")
	require.Zero(t, p.received(one, 8))
	require.Zero(t, compareRecord(9), "number 9 may arrive before the next comparison")
	require.Zero(t, p.received(one, 9))
	require.Zero(t, compareRecord(9))

	require.EqualValues(t, 2, p.received(one, 12), "10 and 11 were lost")
	require.Zero(t, p.received(one, 11), "a late event was counted already")
	require.Zero(t, p.received(one, 13))

	require.Zero(t, compareRecord(15))
	require.EqualValues(t, 2, compareRecord(16), "14 and 15 were recorded an interval ago and have not arrived")
	require.Zero(t, p.received(one, 16))
	require.Zero(t, compareRecord(16))

	require.EqualValues(t, 3, p.received(two, 4), "events 1 to 3 of a node that started later were lost")
}

func TestPeers_FirstEventBeforeFirstRecord(t *testing.T) {
	t.Parallel()
	one := uuid.New()
	p := peers{listening: true}
	require.Zero(t, p.received(one, 50))
	require.Zero(t, p.compare([]record{{Node: one, Published: 49}}))
	require.Zero(t, p.compare([]record{{Node: one, Published: 50, Beats: 1}}))
	require.EqualValues(t, 1, p.received(one, 52))
}

// Events that another node published between the subscription and the first
// comparison may be lost without a gap in the numbers.
func TestPeers_FirstComparisonIsUncertain(t *testing.T) {
	t.Parallel()
	published := []record{{Node: uuid.New(), Published: 1}}
	p := peers{}
	require.False(t, p.mayHaveMissed(published), "not listening")
	p.listening = true
	require.True(t, p.mayHaveMissed(published))
	require.False(t, p.mayHaveMissed([]record{{Node: uuid.New()}}), "nothing was published")
	p.compare(published)
	require.False(t, p.mayHaveMissed(published))
}

// A crash may happen between a commit and its publication, so it counts as one lost
// event. A regular shutdown does not.
func TestPeers_CrashIsOneGap(t *testing.T) {
	t.Parallel()
	crashed, closed := uuid.New(), uuid.New()
	p := peers{listening: true}
	lost := uint64(0)
	for range 5 * crashedAfter {
		lost += p.compare([]record{{Node: crashed, Published: 3, Beats: 4}, {Node: closed, Published: 3, Beats: 4, Closed: true}})
	}
	require.EqualValues(t, 1, lost)
}
