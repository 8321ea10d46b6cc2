package matching

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"user_likes", "user_passes", "undone_passes", "matches"},
	Export: Export,
	Erase:  feature.UntilNone(Erase),
	Retention: []feature.Retention{
		{Table: "user_likes", What: "likes that were not returned", Rows: `NOT is_matched`, End: feature.After(feature.Year, "created_at", "a like that was not returned")},
		{
			Table: "user_likes", What: "likes of a match",
			End: feature.With("users", "the account of either member").Or("with the conversation of the match, after an unmatch or a block"),
		},
		{Table: "user_passes", What: "passes", End: feature.After(feature.Year, "created_at", "the pass")},
		{Table: "undone_passes", What: "undone passes", End: feature.After(7*feature.Day, "undone_at", "the undo")},
		{
			Table: "matches", What: "matches, also ended ones: they prevent that the two are shown to each other again",
			End: feature.With("users", "the account of either member"),
		},
	},
}
