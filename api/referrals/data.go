package referrals

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"referrals", "invited_addresses", "referral_tiers"},
	Export: Export,
	Ended: []feature.Ended{
		{What: "addresses of invitations", Run: ExpireInvitations},
		{What: "networks of friends", Run: EraseNetworks},
	},
}
