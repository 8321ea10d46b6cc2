package moderation

import "heartward/api/platform/fault"

// ErrOpenFirst is the error for a decision on what the moderator has not opened.
var ErrOpenFirst = fault.Declare("open_first", fault.Conflict, "Please open it first.")
