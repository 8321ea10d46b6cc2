package discovery

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"discovery_filters", "search_removals", "search_active_hours"},
	Export: Export,
	Retention: []feature.Retention{
		{Table: "discovery_filters", End: feature.WithAccount()},
		{Table: "search_removals", What: "ids of members who were taken out of the search index", End: feature.After(feature.Day, "removed_at", "the removal")},
		{Table: "search_active_hours", End: feature.WithAccount()},
	},
}
