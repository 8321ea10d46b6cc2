package jobs

import "slices"

// Queues exports queues for tests.
var Queues = queues

// ExpiredTables returns the tables of the list of expired rows, each once.
func ExpiredTables() []string {
	var tables []string
	for _, e := range expired {
		if !slices.Contains(tables, e.table) {
			tables = append(tables, e.table)
		}
	}
	return tables
}
