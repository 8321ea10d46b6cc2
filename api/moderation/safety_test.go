package moderation_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
)

// With nine decided reports there are no figures. With ten and more the median and the 95th percentile are
// those computed by hand. Pending reports, old ones and those decided today do not count.
func TestSafety_ReturnsTimesToAction(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.s.ContactAt("help@heartward.test", "Heartward, 1 Moss Street")
	midnight := time.Now().UTC().Truncate(24 * time.Hour)
	now := midnight.Add(5 * time.Minute)
	decide := func(at time.Time, minutes int) {
		w.Exec(`INSERT INTO reports (id, reason, place, priority, status, created_at, reviewed_at, action_taken)
			VALUES ($1, 'spam', 'card', 2, 'reviewed', $2, $3, 'no_action')`, uuid.New(), at.Add(-time.Duration(minutes)*time.Minute), at)
	}
	for minutes := 1; minutes <= 9; minutes++ {
		decide(midnight.Add(-29*24*time.Hour), minutes*10)
	}
	decide(midnight.Add(-31*24*time.Hour), 5000)
	w.Exec(`INSERT INTO reports (id, reason, place, priority, created_at) VALUES ($1, 'spam', 'card', 2, $2)`, uuid.New(), midnight.Add(-48*time.Hour))
	safety, err := w.s.Safety(t.Context(), now)
	require.NoError(t, err)
	require.Equal(t, "help@heartward.test", safety.Contact)
	require.Nil(t, safety.TimeToAction)

	decide(midnight, 3)
	decide(midnight.Add(-time.Hour), 100)
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
	require.Equal(t, midnight, safety.Until.UTC())
	// Of the thirteen one arrived more than 30 days ago. Two were open at midnight: too few for a figure.
	require.Equal(t, &moderation.ReportLoad{Arrived: 12}, safety.Load)
	for n := range 9 {
		w.Exec(`INSERT INTO reports (id, reason, place, priority, created_at) VALUES ($1, 'spam', 'card', 2, $2)`, uuid.New(), midnight.Add(-time.Duration(n+1)*time.Hour))
	}
	w.Exec(`INSERT INTO reports (id, reason, place, priority, created_at) VALUES ($1, 'spam', 'card', 2, $2)`, uuid.New(), midnight)
	safety, err = w.s.Safety(t.Context(), now.Add(2*time.Minute))
	require.NoError(t, err)
	require.Equal(t, &moderation.ReportLoad{Arrived: 21, Open: new(11), OldestSeconds: new(48 * 3600)}, safety.Load)
}
