package seed

import "time"

var (
	verificationColumns = []string{"id", "user_id", "pose", "status", "requested_at", "submitted_at", "decided_at"}
	positionColumns     = []string{"user_id", "read_until"}
)

// demoReadUntil is how long ago the demo member last read the notifications.
const demoReadUntil = 11 * time.Hour

// addNotifications sets how far the demo member has read the notifications, so that the newest are unread.
func (w *dataset) addNotifications(demo person) {
	w.positions = append(w.positions, []any{demo.id, w.ago(demoReadUntil)})
}

// addVerification adds the approved selfie of the demo member, if the profile is verified.
func (w *dataset) addVerification(demo person) {
	if demo.verified == nil {
		return
	}
	at := *demo.verified
	w.verifications = append(w.verifications, []any{w.id(at), demo.id, "wave", "approved", at.Add(-2 * time.Hour), at.Add(-time.Hour), at})
}
