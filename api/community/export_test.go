package community

var (
	BoardSQL          = boardSQL
	CategorySQL       = categorySQL
	SearchSQL         = searchSQL
	FoundSQL          = foundSQL
	CleanTag          = cleanTag
	PendingSQL        = pendingSQL
	DecidedSQL        = decidedSQL
	ReviewCommentsSQL = reviewCommentsSQL
	SitemapPostsSQL   = sitemapPostsSQL
	PopularSQL        = popularSQL
	RenderHTML        = renderHTML
)
