package export

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"exports"},
	Expired: []feature.Expired{
		{Table: "exports", Where: `expires_at < now()`},
	},
}
