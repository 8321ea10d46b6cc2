package jobs

// Queues exports queues for tests.
var Queues = queues
