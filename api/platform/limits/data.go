package limits

import (
	"time"

	"heartward/api/platform/feature"
)

// Data is what happens to the counts. The items of earlier days are deleted except those of the rule kept, which a
// feature counts and deletes itself. A rate limit in the past has no effect.
func Data(kept string) feature.Data {
	return feature.Data{
		Tables: []string{"rate_limits", "daily_counts", "daily_items", "daily_network_counts"},
		Retention: []feature.Retention{
			{Table: "rate_limits", What: "rate limits", End: feature.After(time.Minute, "tat", "the limit ends")},
			{Table: "daily_counts", What: "how often a member did what is limited each day", End: feature.AfterDays(0, "day", "the next day")},
			{
				Table: "daily_network_counts", What: "how much the members of a network read together, with a hash of the network",
				End: feature.AfterDays(0, "day", "the next day"),
			},
			{
				Table: "daily_items", What: "files of others and people that a member saw today", Rows: `rule <> '` + kept + `'`,
				End: feature.AfterDays(0, "day", "the next day"),
			},
		},
	}
}
