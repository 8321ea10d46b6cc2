package members

import "heartward/api/platform/fault"

// The codes of errors of this package.
var (
	_ = fault.DeclareCode(UnderAge, fault.Invalid)
	_ = fault.DeclareCode("changed_elsewhere", fault.Conflict)
)
