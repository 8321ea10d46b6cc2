package queue

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"queue_claims"},
	Retention: []feature.Retention{
		{Table: "queue_claims", What: "which moderator has an entry of the queue open", End: feature.At("expires_at", feature.In(claimTime)+" after it was opened")},
	},
}
