package moments

// MomentsSQL is the query of the list, for the test of its plan.
const MomentsSQL = momentsSQL
