package dates

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"dates", "date_shares", "date_feedback"},
	Export: Export,
	Erase:  feature.UntilNone(Erase),
	Expired: []feature.Expired{
		{Table: "date_shares", Where: `expires_at < now()`},
	},
}
