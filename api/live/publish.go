package live

import (
	"github.com/google/uuid"

	"heartward/api/platform/bus"
)

// The functions below publish a frame without contents to all devices of a member. It says that something has changed,
// and the app fetches it.

// PublishTownChange is for a new town in which the member looks for others. A device that misses the frame gets the town with
// the profile.
func PublishTownChange(events bus.Publisher, id uuid.UUID) {
	events.Publish(bus.MemberSubject(id), townChangedFrame)
}

// PublishReviewDecision is for a moderator's decision on the member's profile or first photo. A device that misses the frame
// fetches the decision from time to time while a review is open.
func PublishReviewDecision(events bus.Publisher, id uuid.UUID) {
	events.Publish(bus.MemberSubject(id), reviewFrame)
}

// PublishGraduation is for a change of the member's couple, or of a request to the member. A device that misses the frame
// fetches them when their screen is opened.
func PublishGraduation(events bus.Publisher, id uuid.UUID) {
	events.Publish(bus.MemberSubject(id), graduationFrame)
}

// PublishPulse is for a change of the member's Love Pulse, or of what the couple shares. A device that misses the frame
// fetches them when their screen is opened.
func PublishPulse(events bus.Publisher, id uuid.UUID) {
	events.Publish(bus.MemberSubject(id), pulseFrame)
}

// PublishBadges is for a change of the member's badges. A device that misses the frame fetches them at its next start.
func PublishBadges(events bus.Publisher, id uuid.UUID) {
	events.Publish(bus.MemberSubject(id), badgesFrame)
}

// PublishMailProblem is for an address of the member that takes no mail, or takes mail again. A device that misses the frame
// gets the change with the account.
func PublishMailProblem(events bus.Publisher, id uuid.UUID) {
	events.Publish(bus.MemberSubject(id), mailProblemFrame)
}

// PublishMoments is for a change of the member's moments, or of the requests to name the member in those of others. A device
// that misses the frame fetches them when their screen is opened.
func PublishMoments(events bus.Publisher, id uuid.UUID) {
	events.Publish(bus.MemberSubject(id), momentsFrame)
}

// PublishWall is for a change of the Legacy Wall. It reaches the devices of all members; those that show the wall fetch it
// again.
func PublishWall(events bus.Publisher) { events.Publish(bus.WallSubject, nil) }
