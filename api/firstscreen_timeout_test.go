package api

import "time"

// On a busy machine the requests of a document take longer than members should wait for it.
func init() { firstRequestsTimeout = time.Minute }
