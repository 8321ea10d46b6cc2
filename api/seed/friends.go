package seed

import (
	"crypto/sha256"
	"time"
)

// friends are members of the cast who joined with the demo member's link. For each completed profile, both members have
// earned a week of Premium. A friend with Premium may have chosen a theme.
var friends = []struct {
	name      string
	joined    time.Duration // ago
	completed time.Duration // ago; zero while the profile is incomplete
	theme     string
}{{"Isaac", 12 * day, 9 * day, ""}, {"Tessa", 6 * day, 5 * day, "meadow"}, {"June", 20 * time.Hour, 0, ""}}

// invitations are the demo member's unused invitations by mail.
var invitations = []struct {
	email string
	code  string
	sent  time.Duration // ago; after 90 days it has expired
}{
	{"robin.demo@example.com", "DEMOMAIL0001", 2 * day},
	{"sasha.demo@example.com", "DEMOMAIL0002", 120 * day},
}

const (
	rewardDuration     = 7 * day
	invitationLifetime = 90 * day
)

// addReferrals makes friends the referrals of the demo member, the oldest first.
func (w *dataset) addReferrals(demo *person) {
	for _, friend := range friends {
		p := w.mustFind(friend.name)
		p.created = w.ago(friend.joined)
		status, completed := "pending", (*time.Time)(nil)
		if friend.completed == 0 {
			p.resetToNewMember()
		} else {
			at := w.ago(friend.completed)
			status, completed = "completed", &at
			reward(at, p, demo)
		}
		if friend.theme != "" {
			p.theme = &friend.theme
		}
		w.referrals = append(w.referrals, []any{w.id(p.created), demo.id, p.id, demo.code, nil, nil, nil, status, p.created, p.created, completed})
	}
	for _, sent := range invitations {
		at := w.ago(sent.sent)
		status, email := "pending", &sent.email
		if sent.sent > invitationLifetime {
			status, email = "expired", nil
		}
		// This is not the HMAC of the server, whose key package seed does not have. So the address can be invited again.
		mac := sha256.Sum256([]byte(sent.email))
		w.referrals = append(w.referrals, []any{w.id(at), demo.id, nil, sent.code, email, mac[:], w.id(at), status, at, nil, nil})
	}
}

// reward gives a week of Premium, from a time or from the end of the Premium that each has.
func reward(at time.Time, members ...*person) {
	for _, p := range members {
		begin := at
		if p.premium != nil && p.premium.After(at) {
			begin = *p.premium
		}
		until := begin.Add(rewardDuration)
		p.premium = &until
	}
}

// resetToNewMember removes what a profile does not have right after sign-up.
func (p *person) resetToNewMember() {
	p.active, p.featured = p.created.Add(time.Hour), false
	p.loveReflection, p.occupation = "", ""
	p.education, p.hasChildren, p.wantsChildren, p.religion, p.heightCm, p.verified = nil, nil, nil, nil, nil, nil
}

// isNew reports whether resetToNewMember was called.
func (p person) isNew() bool { return p.occupation == "" }
