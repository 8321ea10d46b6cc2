package export

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"exports"},
	Retention: []feature.Retention{
		{Table: "exports", What: "exports", End: feature.At("expires_at", feature.In(lifetime)+" after they were made").Or("with the next request")},
		{Table: "exports", Files: "file_id", What: "archives of exports", End: feature.ByAction("1 hour after they were fetched, or with the export")},
	},
}
