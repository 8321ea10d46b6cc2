package digest

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"digest_runs", "digest_mails"},
	Export: Export,
	Ended: []feature.Ended{
		{What: "digests that will not be sent", Run: FailStale},
	},
	Retention: []feature.Retention{
		{Table: "digest_mails", What: "digests: that a member got one, or why not", End: feature.AfterDays(28, "week", "28 days after their week began")},
		{Table: "digest_runs", What: "runs of the digest", End: feature.AfterDays(35, "week", "35 days after their week began")},
	},
}
