package queue

// For the test of the plans.
var (
	EntriesSQL = entriesSQL
	CountsSQL  = countsSQL
)
