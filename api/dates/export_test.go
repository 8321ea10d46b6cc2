package dates

// PageSQL returns the statement of List.
func PageSQL(period Period) string { return pageSQL(period) }
