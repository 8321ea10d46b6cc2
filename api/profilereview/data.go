package profilereview

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"profile_reviews", "birth_date_requests"},
	Export: Export,
	Retention: []feature.Retention{
		{Table: "profile_reviews", End: feature.WithAccount()},
		{Table: "birth_date_requests", What: "requests for another birth date", End: feature.WithAccount()},
	},
}
