//go:build race

package live_test

// manySockets is the number of sockets on a node in the tests; with the race
// detector each costs ten times as much.
const manySockets = 300
