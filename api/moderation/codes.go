package moderation

import "heartward/api/platform/fault"

// CodeOpenFirst is the code of the error for a decision on an item that the moderator has not opened.
var CodeOpenFirst = fault.DeclareCode("open_first", fault.Conflict)
