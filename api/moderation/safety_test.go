package moderation_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
)

// Nine decided reports tell nothing. Of ten and more the median and the 95th percentile are
// those computed by hand; pending and old reports do not count.
func TestSafety_ReturnsTimesToAction(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.s.ContactAt("help@heartward.test", "Heartward, 1 Moss Street")
	now := time.Now().Truncate(time.Second)
	decide := func(at time.Time, minutes int) {
		w.Exec(`INSERT INTO reports (id, reason, place, priority, status, created_at, reviewed_at, action_taken)
			VALUES ($1, 'spam', 'card', 2, 'reviewed', $2, $3, 'no_action')`, uuid.New(), at.Add(-time.Duration(minutes)*time.Minute), at)
	}
	for minutes := 1; minutes <= 9; minutes++ {
		decide(now.Add(-29*24*time.Hour), minutes*10)
	}
	decide(now.Add(-31*24*time.Hour), 5000)
	w.Exec(`INSERT INTO reports (id, reason, place, priority, created_at) VALUES ($1, 'spam', 'card', 2, $2)`, uuid.New(), now.Add(-48*time.Hour))
	safety, err := w.s.Safety(t.Context(), now)
	require.NoError(t, err)
	require.Equal(t, "help@heartward.test", safety.Contact)
	require.Nil(t, safety.TimeToAction)

	decide(now.Add(-time.Hour), 100)
	safety, err = w.s.Safety(t.Context(), now.Add(59*time.Second))
	require.NoError(t, err)
	require.Nil(t, safety.TimeToAction, "cached for a minute")
	safety, err = w.s.Safety(t.Context(), now.Add(time.Minute))
	require.NoError(t, err)
	// 10, 20, … 100 minutes: the median is between the fifth and the sixth, the 95th percentile
	// at 0.55 of the way from 90 to 100.
	require.Equal(t, &moderation.TimeToAction{Decided: 10, MedianSeconds: 55 * 60, P95Seconds: 5730}, safety.TimeToAction)
	require.Equal(t, now.Add(time.Minute).UTC(), safety.ComputedAt.UTC())
	require.Equal(t, "Heartward, 1 Moss Street", safety.Imprint)
	// Of the twelve one arrived more than 30 days ago, and one is open.
	require.Equal(t, &moderation.ReportLoad{Arrived: 11, OldestSeconds: new(48*3600 + 60)}, safety.Load)
	for range 9 {
		w.Exec(`INSERT INTO reports (id, reason, place, priority, created_at) VALUES ($1, 'spam', 'card', 2, $2)`, uuid.New(), now)
	}
	safety, err = w.s.Safety(t.Context(), now.Add(2*time.Minute))
	require.NoError(t, err)
	require.Equal(t, []int{20, 10}, []int{safety.Load.Arrived, *safety.Load.Open})
}
