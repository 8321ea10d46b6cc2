//go:build !race

package live_test

// manySockets is the number of sockets on a node in the tests.
const manySockets = 5000
