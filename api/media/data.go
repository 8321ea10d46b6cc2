package media

import "heartward/api/platform/feature"

// uploadEnd is the end of an upload, and of its file if that is not sent. See RemoveExpired.
var uploadEnd = feature.At("expires_at", feature.In(Lifetime)+" after their start")

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"uploads", "upload_parts", "message_files"},
	Export: Export,
	Retention: []feature.Retention{
		{
			Table: "uploads", What: "uploads that were not used", ByOther: true,
			End: uploadEnd,
		},
		{Table: "upload_parts", Files: "id", What: "parts of uploads", End: feature.ByAction("with the upload")},
		{Table: "upload_parts", End: feature.With("uploads", "the upload")},
		{Table: "message_files", End: feature.With("messages", "the message")},
		{Table: "message_files", Files: "file_id", What: "pictures, recordings and videos in messages", End: feature.ByAction("with the message, unless they are evidence")},
	},
}
