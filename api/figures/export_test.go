package figures

// CountDay exports countDay for tests.
var CountDay = countDay
