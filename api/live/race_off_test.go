//go:build !race

package live_test

// manySockets is how many a node holds in the tests.
const manySockets = 5000
