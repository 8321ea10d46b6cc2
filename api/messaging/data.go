package messaging

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"conversations", "messages"},
	Export: Export,
	Erase:  Erase,
	Ended: []feature.Ended{
		{What: "ended conversations", Run: DeleteEndedConversations},
	},
}
