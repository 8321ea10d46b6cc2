package dates

// PageSQL is the list's statement.
func PageSQL(when When) string { return pageSQL(when) }
