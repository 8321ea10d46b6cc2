//go:build race

package live_test

// manySockets is how many a node holds in the tests; the race detector makes
// each ten times as heavy.
const manySockets = 300
