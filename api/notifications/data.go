package notifications

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"push_subscriptions", "notification_settings"},
	Export: Export,
}
