package referrals

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"referrals", "invited_addresses", "referral_tiers"},
	Export: Export,
	Retention: []feature.Retention{
		{Table: "referrals", What: "invitations", End: feature.With("users", "the account of the inviting member")},
		{
			Table: "referrals", What: "addresses of invitations to friends", Columns: []string{"email"},
			Rows: `email IS NOT NULL`, End: invitationEnd, Run: ExpireInvitations,
		},
		{
			Table: "referrals", What: "networks of friends who joined: keyed hash", Columns: []string{"network_mac"},
			Rows: `network_mac IS NOT NULL`, End: networkEnd, Run: EraseNetworks,
		},
		{
			Table: "invited_addresses", What: "invited addresses: keyed hash, that one was mailed, opted out or earned a reward",
			End: feature.ForEver("an address gets one invitation, none after its owner says so, and one reward; they outlive accounts"),
		},
		{Table: "referral_tiers", End: feature.WithAccount()},
	},
}
