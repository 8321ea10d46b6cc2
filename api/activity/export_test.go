package activity

import (
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/web"
)

// Statements are those of the lists and of the count, by name.
var Statements = map[string]string{
	"activity": activitySQL, "notifications": notificationsSQL, "count": countSQL,
}

// The rows of the notifications and of their count.
const (
	NotificationRows = notificationRows
	UnreadRows       = unreadRows
)

// StatementArgs returns the arguments of each of Statements for a page after a time, of a member who
// has read nothing.
func StatementArgs(name string, member uuid.UUID, after time.Time, limit int) pgx.NamedArgs {
	oldest := time.Now().Add(-maxAge)
	return position{
		member: member, after: web.Cursor{At: after, ID: uuid.Max}, limit: limit, state: readState{oldest: oldest}, floor: oldest,
		counts: name == "count",
	}.args()
}
