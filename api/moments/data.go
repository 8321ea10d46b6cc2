package moments

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"shareable_moments", "moment_shares", "moment_consents"},
	Export: Export,
	Retention: []feature.Retention{
		{Table: "shareable_moments", What: "moments to share", End: feature.WithAccount().Or("when the member deletes the moment")},
		{Table: "shareable_moments", Files: "image_id", What: "pictures of moments", End: feature.ByAction("with the moment, or when the picture is drawn again")},
		{Table: "moment_shares", End: feature.With("shareable_moments", "the moment")},
		{Table: "moment_consents", End: feature.With("shareable_moments", "the moment, or with the account of either member")},
	},
}
