package notifications

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// DuePulsesSQL is for the test of its plan.
const DuePulsesSQL = duePulsesSQL

// The next reminder is the first minute at which clocks show the time. On days with a change of summer
// time it may be off by the change.
func TestNextClock_EqualsAWalkThroughTheMinutes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"UTC", "America/New_York", "America/Santiago", "Europe/Vienna", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Kiritimati"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			now := time.Date(2026, 1, 1, 0, random.IntN(365*24*60), random.IntN(60), 0, time.UTC)
			clock := fmt.Sprintf("%02d:%02d", random.IntN(24), random.IntN(60))
			got := nextClock(now, zone, clock)
			walked := now.Truncate(time.Minute).Add(time.Minute)
			for walked.In(zone).Format("15:04") != clock {
				walked = walked.Add(time.Minute)
			}
			_, before := now.Add(-25 * time.Hour).In(zone).Zone()
			_, after := now.Add(50 * time.Hour).In(zone).Zone()
			if before == after && !got.Equal(walked) {
				t.Fatalf("%s at %s in %s: got %s, want %s", clock, now, name, got, walked)
			}
			if !got.After(now) || got.Sub(now) > 26*time.Hour {
				t.Fatalf("%s at %s in %s: got %s", clock, now, name, got)
			}
		}
	}
}
