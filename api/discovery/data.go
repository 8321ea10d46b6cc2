package discovery

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"discovery_filters", "search_removals", "search_active_hours", "near_snapshots", "near_waits"},
	Export: Export,
	Retention: []feature.Retention{
		{Table: "discovery_filters", End: feature.WithAccount()},
		{Table: "search_removals", What: "ids of members who were taken out of the search index", End: feature.After(feature.Day, "removed_at", "the removal")},
		{Table: "search_active_hours", End: feature.WithAccount()},
		{Table: "near_snapshots", What: "how many members live in each town", End: feature.AfterDays(0, "taken_on", "the day after the count")},
		{Table: "near_waits", What: "wishes to be told of more people nearby", End: feature.After(90*feature.Day, "told_at", "the notice").Or("when the member takes it back")},
	},
}
