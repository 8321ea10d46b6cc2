package graduation

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"graduated_couples", "couple_members", "couple_pictures"},
	Export: Export,
	Expired: []feature.Expired{
		{Table: "graduated_couples", Where: `status = 'asked' AND requested_at < now() - interval '30 days'`},
		{Table: "graduated_couples", Where: `ended_at < now() - interval '90 days'`},
	},
}
