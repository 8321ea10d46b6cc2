package pulse

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"love_pulse", "pulse_sharing"},
	Export: Export,
	Retention: []feature.Retention{
		{Table: "love_pulse", End: feature.WithAccount()},
		{Table: "pulse_sharing", End: feature.With("couple_members", "the member's part of the couple").Or("when the member ends it")},
	},
}
