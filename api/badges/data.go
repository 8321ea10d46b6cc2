package badges

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"badges", "user_badges"},
	Export: Export,
}
