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

// The rows of the notifications and of their count, and the texts in which the two differ.
const (
	NotificationRows = notificationRows
	UnreadRows       = unreadRows

	AndNotRead      = ` AND NOT ` + isRead
	AndNotBadgeRead = ` AND NOT ` + isBadgeRead
	EndEach         = endEach
	EndEachAny      = endEachAny
)

// Mutations are changes of UnreadRows, each of which makes the count another one than that of the unread notifications: the text
// in one of its sources, and what replaces it.
var Mutations = map[string][2]string{
	"a source":                    {postRejected, postPublished},
	"its beginning":               {beginOfPost + commentReceived, begin + commentReceived},
	"the rows of another query":   {ownPosts + lateral, ownComments + lateral},
	"who may see it":              {likesByDay + endUnreadVisible, likesByDay + endUnread},
	"what was read":               {securityEvents + endUnread, securityEvents + endListed},
	"what was seen elsewhere":     {badgeEarned + endUnreadBadge, badgeEarned + endUnread},
	"the oldest of them":          {moreNear + endUnread, moreNear + afterPosition + AndNotRead + inTime},
	"the limit of each row":       {replyReceived + endUnreadVisible + endEachAny, replyReceived + endUnreadVisible + ` s)`},
	"a source that is left out":   {unionAll + begin + superLikes + endUnreadVisible, ``},
	"a source of the count alone": {begin + matched, begin + friendJoined + endUnread + unionAll + begin + matched},
}

// StatementArgs returns the arguments of each of Statements for a page after a time, of a member who
// has read nothing.
func StatementArgs(name string, member uuid.UUID, after time.Time, limit int) pgx.NamedArgs {
	oldest := time.Now().Add(-maxAge)
	return position{
		member: member, after: web.Cursor{At: after, ID: uuid.Max}, limit: limit, state: readState{oldest: oldest}, floor: oldest,
		counts: name == "count",
	}.args()
}
