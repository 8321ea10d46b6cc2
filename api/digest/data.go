package digest

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"digest_runs", "digest_mails"},
	Export: Export,
	Expired: []feature.Expired{
		{Table: "digest_mails", Where: `week < current_date - 28`},
		{Table: "digest_runs", Where: `week < current_date - 35`},
	},
	Ended: []feature.Ended{
		{What: "digests that will not be sent", Run: FailStale},
	},
}
