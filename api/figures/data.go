package figures

import (
	"context"

	"heartward/api/platform/feature"
	"heartward/api/platform/pg"
)

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"daily_figures", "weekly_showings", "weekly_exposure"},
	Ended: []feature.Ended{
		// It deletes in larger batches of its own.
		{What: "who was shown", Run: func(ctx context.Context, db pg.DB, _ int) (int, error) { return 0, CountShowings(ctx, db) }},
	},
}
