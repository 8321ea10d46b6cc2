package activity

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"notification_positions", "read_notifications"},
	Export: Export,
	Retention: []feature.Retention{
		{Table: "notification_positions", End: feature.WithAccount()},
		{Table: "read_notifications", What: "which notifications were read one by one", End: feature.After(maxAge+feature.Day, "read_at", "reading")},
	},
}
