package queue

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables:  []string{"queue_claims"},
	Expired: []feature.Expired{{Table: "queue_claims", Where: `expires_at < now()`}},
}
