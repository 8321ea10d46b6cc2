package activity

import (
	"cmp"
	"strings"
)

// visibleOther is an SQL condition: @viewer may see the other member of s.
const visibleOther = `EXISTS (SELECT FROM visible_members(@viewer) u WHERE u.id = s.other)`

// isReadSingly is an SQL condition: the member has marked notification s itself as read, not all up to a time.
const isReadSingly = `EXISTS (
		SELECT FROM read_notifications r
		WHERE r.user_id = @viewer
			AND r.item = s.kind || '-' || s.key
			AND r.read_at >= date_trunc('milliseconds', s.at))`

// isRead returns an SQL condition: the member has read the notification s. Times are compared in milliseconds, the
// precision of the API. seen is a further condition under which it is read; empty for none.
func isRead(seen string) string {
	conditions := []string{`date_trunc('milliseconds', s.at) <= @readUntil`, isReadSingly}
	if seen != "" {
		conditions = append(conditions, seen)
	}
	return `(` + strings.Join(conditions, ` OR `) + `)`
}

const newestFirst = `ORDER BY s.at DESC, s.id DESC`

// union returns a query for at most @limit rows of each included source after the position (@at, @id), with further
// conditions. Each source is read in the order of time, so that it reads its index only up to the limit. merge is the ORDER
// BY clause of a source with each; if it is empty, any @limit of its rows are returned.
func union(includes func(source) bool, merge string, conditions func(source) []string) string {
	var branches []string
	for _, s := range sources {
		if !includes(s) {
			continue
		}
		where := strings.Join(append([]string{`(s.at, s.id) < (@at, @id)`}, conditions(s)...), ` AND `)
		branch := `(SELECT ` + s.columns() + ` FROM (` + s.sql + `) s WHERE ` + where + ` ` + newestFirst + ` LIMIT @limit)`
		if s.each != "" {
			branch = `(SELECT s.* FROM (` + s.each + `) p CROSS JOIN LATERAL ` + branch + ` s ` + merge + ` LIMIT @limit)`
		}
		branches = append(branches, branch)
	}
	return strings.Join(branches, ` UNION ALL `)
}

// columns returns the columns that all sources have in a union.
func (s source) columns() string {
	return `s.kind, s.at, s.id, s.other, s.key, ` + cmp.Or(s.target, `s.id`) + ` AS target, ` + cmp.Or(s.name, `''`) + ` AS name, ` +
		cmp.Or(s.read, `false`) + ` AS is_seen`
}

// page returns a statement for a page of rows. others and read are expressions that are computed for the rows of the page
// only, not for those of each source.
func page(rows, others, read string) string {
	return `
		SELECT s.kind, s.at, s.id, s.other, s.key, ` + others + ` AS others, s.target, s.name, ` + read + ` AS is_read
		FROM (` + rows + ` ORDER BY at DESC, id DESC LIMIT @limit) s ` + newestFirst
}

// activitySQL selects a page of the activity.
var activitySQL = page(union(func(s source) bool { return s.activity }, newestFirst, func(source) []string { return nil }), `0`, `false`)

// notificationConditions returns the conditions of a source's rows in the notifications, with more of them.
func notificationConditions(s source, more ...string) []string {
	conditions := append([]string{`s.at >= @floor`}, more...)
	if s.hasOther {
		conditions = append(conditions, visibleOther)
	}
	return conditions
}

func isNotification(s source) bool { return s.notifications }

// notificationsSQL selects a page of the notifications.
var notificationsSQL = page(union(isNotification, newestFirst, func(s source) []string { return notificationConditions(s) }),
	othersOfDay, isRead(`s.is_seen`))

// countSQL counts at most @limit unread notifications.
var countSQL = `SELECT count(*) FROM (SELECT FROM (` +
	union(isNotification, ``, func(s source) []string { return notificationConditions(s, `NOT `+isRead(s.read)) }) +
	`) n LIMIT @limit) counted`
