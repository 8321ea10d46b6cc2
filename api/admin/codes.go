package admin

import "heartward/api/platform/fault"

// The codes of errors of this package.
var _ = fault.DeclareCode("no_job_pages", fault.Conflict)
