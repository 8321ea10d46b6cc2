package dates

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"dates", "date_shares", "date_feedback"},
	Export: Export,
	Erase:  feature.UntilNone(Erase),
	Retention: []feature.Retention{
		{Table: "dates", What: "date plans", End: feature.With("conversations", "the conversation")},
		{Table: "date_shares", What: "shares of dates", End: feature.At("expires_at", "at their end")},
		{Table: "date_feedback", What: "answers to \"did you meet?\"", End: feature.WithAccount().Or("with the date")},
	},
}
