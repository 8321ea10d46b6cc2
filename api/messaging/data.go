package messaging

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"conversations", "messages"},
	Export: Export,
	Erase:  Erase,
	Retention: []feature.Retention{
		{
			Table: "conversations", What: "conversations that ended by an unmatch or a block, with messages, files, dates and the likes of the match",
			End: endedRetention, Run: DeleteEndedConversations,
		},
		{Table: "conversations", What: "other conversations", End: feature.ByAction("with the accounts of both members")},
		{Table: "messages", What: "own messages in a conversation with a former member", End: feature.With("conversations", "the conversation").Or("emptied with the account of their sender")},
	},
}
