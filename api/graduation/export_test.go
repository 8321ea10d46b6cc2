package graduation

// The queries of lists, for the test of their plans.
const (
	WallSQL    = wallSQL
	PendingSQL = pendingSQL
)
