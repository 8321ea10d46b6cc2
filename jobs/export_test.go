package jobs

// Queues is queues, for tests.
var Queues = queues
