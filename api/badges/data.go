package badges

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"badges", "user_badges"},
	Export: Export,
	Retention: []feature.Retention{
		{Table: "badges", What: "the badges there are", End: feature.ForEver("they refer to no member")},
		{Table: "user_badges", End: feature.WithAccount()},
	},
}
