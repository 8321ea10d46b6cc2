package verification

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"verifications"},
	Export: Export,
	Retention: []feature.Retention{
		{Table: "verifications", What: "verifications", End: feature.WithAccount()},
		{Table: "verifications", Files: "selfie_id", What: "selfies", End: feature.ByAction("with the decision, or the account")},
	},
}
