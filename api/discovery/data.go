package discovery

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"discovery_filters", "search_removals", "search_active_hours"},
	Export: Export,
	Expired: []feature.Expired{
		{Table: "search_removals", Where: `removed_at < now() - interval '1 day'`},
	},
}
