package figures

import (
	"context"

	"heartward/api/discovery"
	"heartward/api/platform/feature"
	"heartward/api/platform/pg"
)

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"daily_figures", "daily_outcomes", "weekly_showings", "weekly_exposure"},
	Retention: []feature.Retention{
		{Table: "daily_figures", What: "figures of days", End: feature.ForEver("they refer to no member")},
		{Table: "daily_outcomes", What: "outcomes of reports by day and reason", End: feature.ForEver("they refer to no member")},
		{
			Table: "daily_items", What: "which people a member was shown today", Rows: `rule = '` + discovery.ShownRule + `'`,
			End: feature.AfterDays(0, "day", "the next day"),
			// It ignores the limit, and deletes showingsBatch rows in one call.
			Run: func(ctx context.Context, db pg.DB, _ int) (int, error) {
				return addShowings(ctx, db, discovery.ShownRule, showingsBatch)
			},
		},
		{Table: "weekly_showings", What: "how often a member was shown in the week, not to whom", End: feature.ByAction(feature.In(settleTime) + " after the week, when its figures are stored")},
		{Table: "weekly_exposure", What: "figures of weeks", End: feature.ForEver("they refer to no member")},
	},
}
