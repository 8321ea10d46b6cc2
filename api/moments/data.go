package moments

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"shareable_moments", "moment_shares", "moment_consents"},
	Export: Export,
}
