package api

// retentionText is a row of the privacy page: a class of data and when it is deleted, in plain words.
type retentionText struct{ Data, Period string }

// retentionTexts are the periods of the privacy page. TestPrivacyPage_AgreesWithRetention compares each with the
// document that is made from the retention of the features.
var retentionTexts = []retentionText{
	{"Your account with your profile", "14 days after you ask for it"},
	{"Messages", "with your account, or 180 days after an unmatch or a block"},
	{"Likes that were not returned, and passes", "after 1 year"},
	{"Evidence of a report, flagged messages and the texts of reports", "90 days after the decision"},
	{"Selfies for verification", "with the decision"},
	{"Bans: codes made from the address and the photos, which cannot be turned back", "2 years after the ban, also if the account is gone"},
	{"If a report about you is undecided when your account is deleted: the same codes", "with the decision, after 180 days at most"},
	{"Codes made from photos, to find second accounts of blocked members", "with the photo"},
	{"Records of decisions and reports, without texts", "kept, with internal numbers only"},
	{"Sessions", "90 days after the sign-in"},
	{"Browsers that you signed in with", "400 days after the last sign-in"},
	{"A refused age", "after 1 day"},
	{"Addresses of friends you invite", "90 days after the invitation"},
	{"Codes of invited addresses, so that nobody is invited twice or against their will", "kept"},
	{"An archive of your data", "7 days after it was made, or 1 hour after you fetched it"},
	{"Read notifications", "after 91 days"},
	{"The town of a visit", "at the end of the visit"},
}
