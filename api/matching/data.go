package matching

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"user_likes", "user_passes", "undone_passes", "matches"},
	Export: Export,
	Erase:  feature.UntilNone(Erase),
	Expired: []feature.Expired{
		{Table: "user_passes", Where: `created_at < now() - interval '1 year'`},
		{Table: "undone_passes", Where: `undone_at < now() - interval '7 days'`},
	},
}
