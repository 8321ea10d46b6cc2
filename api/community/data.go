package community

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"community_posts", "post_likes", "post_comments"},
	Export: Export,
}
