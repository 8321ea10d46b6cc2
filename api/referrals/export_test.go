package referrals

// ListSQL is the query of a list, for the test of its plan.
const ListSQL = listSQL

// NameInMail is nameInMail, for its test.
var NameInMail = nameInMail
