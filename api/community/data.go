package community

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"community_posts", "post_likes", "post_comments"},
	Export: Export,
	Retention: []feature.Retention{
		{Table: "community_posts", What: "posts of the community board", End: feature.With("users", "the account of the author").Or("when the author deletes the post")},
		{Table: "community_posts", Files: "featured_image", What: "pictures of posts", End: feature.ByAction("with the post, or when the author replaces the picture")},
		{Table: "post_likes", What: "likes of posts", End: feature.WithAccount().Or("when the member takes the like back or the post is deleted")},
		{Table: "post_comments", What: "comments", End: feature.With("users", "the account of the author").Or("when the author deletes the comment or the post is deleted")},
	},
}
