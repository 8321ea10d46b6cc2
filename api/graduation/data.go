package graduation

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"graduated_couples", "couple_members", "couple_pictures"},
	Export: Export,
	Retention: []feature.Retention{
		{Table: "graduated_couples", What: "couples of graduates", End: feature.With("users", "the account of either member")},
		{
			Table: "graduated_couples", What: "unanswered requests for a graduation", Rows: `status = 'asked'`,
			End: feature.After(30*feature.Day, "requested_at", "an unanswered request"),
		},
		{Table: "graduated_couples", What: "couples that ended", End: feature.After(90*feature.Day, "ended_at", "the end of the couple")},
		{
			Table: "graduated_couples", Columns: []string{"partner_address"}, What: "addresses of invited partners",
			End: feature.ByAction("when the partner accepts, or with the request"),
		},
		{Table: "couple_members", End: feature.WithAccount().Or("when the couple ends")},
		{Table: "couple_pictures", End: feature.With("couple_members", "the member's part of the couple").Or("when the picture is removed from the profile")},
	},
}
