package limits

import "heartward/api/platform/feature"

// Data is what happens to the counts. The items of earlier days are deleted except those of the rule kept, which a
// feature counts and deletes itself. A rate limit in the past has no effect.
func Data(kept string) feature.Data {
	return feature.Data{
		Tables: []string{"rate_limits", "daily_counts", "daily_items"},
		Expired: []feature.Expired{
			{Table: "rate_limits", Where: `tat < now() - interval '1 minute'`},
			{Table: "daily_counts", Where: `day < (now() AT TIME ZONE 'UTC')::date`},
			{Table: "daily_items", Where: `day < (now() AT TIME ZONE 'UTC')::date AND rule <> '` + kept + `'`},
		},
	}
}
