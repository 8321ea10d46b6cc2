package seed

import "time"

// The demo member's referrals. For each completed profile, both members have earned a
// week of Premium.
var friends = []struct {
	name      string
	joined    time.Duration // ago
	completed time.Duration // ago; zero while the profile is incomplete
}{{"Isaac", 12 * day, 9 * day}, {"Tessa", 6 * day, 5 * day}, {"June", 20 * time.Hour, 0}}

const rewardDuration = 7 * day

// invite makes friends the referrals of the demo member, the oldest first.
func (w *dataset) invite(demo *person) {
	for _, friend := range friends {
		p := w.find(friend.name)
		p.referredBy, p.created = &demo.id, w.ago(friend.joined)
		if friend.completed == 0 {
			p.resetToNewMember()
			continue
		}
		at := w.ago(friend.completed)
		w.rewards = append(w.rewards, []any{p.id, demo.id, at})
		for _, rewarded := range []*person{p, demo} {
			begin := at
			if rewarded.premium != nil && rewarded.premium.After(at) {
				begin = *rewarded.premium
			}
			until := begin.Add(rewardDuration)
			rewarded.premium = &until
		}
	}
}

// resetToNewMember removes what a profile does not have right after sign-up.
func (p *person) resetToNewMember() {
	p.active, p.featured = p.created.Add(time.Hour), false
	p.loveReflection, p.occupation = "", ""
	p.education, p.hasChildren, p.wantsChildren, p.religion, p.heightCm, p.verified = nil, nil, nil, nil, nil, nil
}

func (p person) isNew() bool { return p.occupation == "" }
