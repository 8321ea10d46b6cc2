package notifications

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"push_subscriptions", "notification_settings"},
	Export: Export,
	Retention: []feature.Retention{
		{Table: "push_subscriptions", What: "devices for push", End: feature.With("sessions", "its session").Or("when the push service no longer knows the device")},
		{Table: "notification_settings", End: feature.WithAccount()},
	},
}
