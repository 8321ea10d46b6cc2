package activity

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"notification_positions", "read_notifications"},
	Export: Export,
	Expired: []feature.Expired{
		{Table: "read_notifications", Where: `read_at < now() - interval '91 days'`},
	},
}
