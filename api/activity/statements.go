package activity

// visibleOther is an SQL condition: @viewer may see the other member of s.
const visibleOther = `EXISTS (SELECT FROM visible_members(@viewer) u WHERE u.id = s.other)`

// SQL conditions: the member has read the notification s. Times are compared in milliseconds, the precision of the API.
const (
	isReadUntil = `date_trunc('milliseconds', s.at) <= @readUntil`
	// isReadSingly: the member has marked the notification itself as read, not all up to a time.
	isReadSingly = `EXISTS (
		SELECT FROM read_notifications r
		WHERE r.user_id = @viewer
			AND r.item = s.kind || '-' || s.key
			AND r.read_at >= date_trunc('milliseconds', s.at))`
	isRead = `(` + isReadUntil + ` OR ` + isReadSingly + `)`
	// isBadgeRead: of a badge that the member has seen elsewhere, the notification is read from the start.
	isBadgeRead = `(` + isReadUntil + ` OR ` + isReadSingly + ` OR s.is_notified)`
	isRowRead   = `(` + isReadUntil + ` OR ` + isReadSingly + ` OR s.is_seen)`
)

const newestFirst = `ORDER BY s.at DESC, s.id DESC`

// A statement reads at most @limit rows of each of its sources after the position (@at, @id), in the order of time, so that
// it reads the index of a source only up to the limit. These are the beginnings and ends of the query around a source. The
// beginnings add what the item opens (target), a name in its text, and whether the member has seen the cause elsewhere.
const (
	begin        = `(SELECT s.kind, s.at, s.id, s.other, s.key, s.id AS target, '' AS name, false AS is_seen FROM (`
	beginOfPost  = `(SELECT s.kind, s.at, s.id, s.other, s.key, s.post_id AS target, '' AS name, false AS is_seen FROM (`
	beginOfBadge = `(SELECT s.kind, s.at, s.id, s.other, s.key, s.id AS target, s.name AS name, s.is_notified AS is_seen FROM (`

	afterPosition = `) s WHERE (s.at, s.id) < (@at, @id)`
	listed        = afterPosition + ` AND s.at >= @floor`
	inTime        = ` ` + newestFirst + ` LIMIT @limit)`

	end              = afterPosition + inTime
	endListed        = listed + inTime
	endVisible       = listed + ` AND ` + visibleOther + inTime
	endUnread        = listed + ` AND NOT ` + isRead + inTime
	endUnreadVisible = listed + ` AND NOT ` + isRead + ` AND ` + visibleOther + inTime
	endUnreadBadge   = listed + ` AND NOT ` + isBadgeRead + inTime

	// A source that is read for each row of another query, because its index is in the order of time only within each: the
	// newest @limit of all rows, or any @limit for a count.
	forEach    = `(SELECT s.* FROM (`
	lateral    = `) p CROSS JOIN LATERAL `
	endEach    = ` s ` + newestFirst + ` LIMIT @limit)`
	endEachAny = ` s LIMIT @limit)`

	unionAll = ` UNION ALL `
)

// The rows of the lists and of the count. TestStatements_CountWhatIsListed compares the last two.
const (
	activityRows = begin + liked + end +
		unionAll + begin + matched + end +
		unionAll + begin + datePlanned + end +
		unionAll + begin + mediaAdded + end +
		unionAll + begin + verified + end +
		unionAll + begin + postPublished + end +
		unionAll + beginOfBadge + badgeEarned + end +
		unionAll + begin + friendJoined + end +
		unionAll + begin + friendCompleted + end +
		unionAll + begin + graduated + end

	notificationRows = begin + matched + endVisible +
		unionAll + begin + postPublished + endListed +
		unionAll + begin + postRejected + endListed +
		unionAll + forEach + ownPosts + lateral + beginOfPost + commentReceived + endVisible + endEach +
		unionAll + forEach + ownComments + lateral + beginOfPost + replyReceived + endVisible + endEach +
		unionAll + beginOfBadge + badgeEarned + endListed +
		unionAll + begin + friendJoined + endListed +
		unionAll + begin + friendCompleted + endListed +
		unionAll + begin + graduated + endVisible +
		unionAll + begin + likesByDay + endVisible +
		unionAll + begin + superLikes + endVisible +
		unionAll + begin + requestReceived + endVisible +
		unionAll + begin + dateNews + endVisible +
		unionAll + begin + coupleNews + endVisible +
		unionAll + begin + togetherInvited + endVisible +
		unionAll + begin + consentAsked + endVisible +
		unionAll + begin + verificationDecided + endListed +
		unionAll + begin + profileReviewed + endListed +
		unionAll + begin + reportDecided + endListed +
		unionAll + begin + sanctioned + endListed +
		unionAll + begin + appealDecided + endListed +
		unionAll + begin + securityEvents + endListed +
		unionAll + begin + moreNear + endListed

	unreadRows = begin + matched + endUnreadVisible +
		unionAll + begin + postPublished + endUnread +
		unionAll + begin + postRejected + endUnread +
		unionAll + forEach + ownPosts + lateral + beginOfPost + commentReceived + endUnreadVisible + endEachAny +
		unionAll + forEach + ownComments + lateral + beginOfPost + replyReceived + endUnreadVisible + endEachAny +
		unionAll + beginOfBadge + badgeEarned + endUnreadBadge +
		unionAll + begin + friendJoined + endUnread +
		unionAll + begin + friendCompleted + endUnread +
		unionAll + begin + graduated + endUnreadVisible +
		unionAll + begin + likesByDay + endUnreadVisible +
		unionAll + begin + superLikes + endUnreadVisible +
		unionAll + begin + requestReceived + endUnreadVisible +
		unionAll + begin + dateNews + endUnreadVisible +
		unionAll + begin + coupleNews + endUnreadVisible +
		unionAll + begin + togetherInvited + endUnreadVisible +
		unionAll + begin + consentAsked + endUnreadVisible +
		unionAll + begin + verificationDecided + endUnread +
		unionAll + begin + profileReviewed + endUnread +
		unionAll + begin + reportDecided + endUnread +
		unionAll + begin + sanctioned + endUnread +
		unionAll + begin + appealDecided + endUnread +
		unionAll + begin + securityEvents + endUnread +
		unionAll + begin + moreNear + endUnread
)

// endOfPage ends the statement of a page. The expressions before FROM are computed for the rows of the page only.
const endOfPage = ` ORDER BY at DESC, id DESC LIMIT @limit) s ` + newestFirst

// activitySQL selects a page of the activity.
const activitySQL = `
		SELECT s.kind, s.at, s.id, s.other, s.key, 0 AS others, s.target, s.name, false AS is_read
		FROM (` + activityRows + endOfPage

// notificationsSQL selects a page of the notifications.
const notificationsSQL = `
		SELECT s.kind, s.at, s.id, s.other, s.key, ` + othersOfDay + ` AS others, s.target, s.name, ` + isRowRead + ` AS is_read
		FROM (` + notificationRows + endOfPage

// countSQL counts at most @limit unread notifications.
const countSQL = `SELECT count(*) FROM (SELECT FROM (` + unreadRows + `) n LIMIT @limit) counted`
