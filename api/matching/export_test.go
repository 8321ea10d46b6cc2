package matching

import (
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// UnansweredStatements are those that read unanswered likes, by name.
var UnansweredStatements = map[string]string{
	"received": receivedSQL, "count received": countReceivedSQL, "count unseen": countUnseenSQL, "since": unansweredSinceSQL,
}

// UnansweredArgs are the arguments of all of them, for likes that are newer than since or older than before.
func UnansweredArgs(viewer uuid.UUID, since, before time.Time, limit int) pgx.NamedArgs {
	return pgx.NamedArgs{"viewer": viewer, "from": since, "after": since, "at": before, "id": uuid.Max, "limit": limit}
}

// StopClock stops the clock of the limits of repetitions that s publishes.
func StopClock(s *Service) {
	now := time.Now()
	s.repeats.SetClock(func() time.Time { return now })
	s.repeatedEnds.SetClock(func() time.Time { return now })
}
