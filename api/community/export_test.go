package community

// For the tests of plans.
var (
	BoardSQL          = boardSQL
	FoundSQL          = foundSQL
	PendingSQL        = pendingSQL
	DecidedSQL        = decidedSQL
	ReviewCommentsSQL = reviewCommentsSQL
	SitemapPostsSQL   = sitemapPostsSQL
	RenderHTML        = renderHTML
)
