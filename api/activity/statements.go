package activity

import (
	"cmp"
	"strings"
)

// visibleOther is a condition: @viewer may see the other member of s.
const visibleOther = `EXISTS (SELECT FROM visible_members(@viewer) u WHERE u.id = s.other)`

// readAlone is a condition: the member has read s by itself.
const readAlone = `EXISTS (
		SELECT FROM read_notifications r
		WHERE r.user_id = @viewer
			AND r.item = s.kind || '-' || s.key
			AND r.read_at >= date_trunc('milliseconds', s.at))`

// isRead returns a condition: the member has read the notification s. Times are compared in milliseconds, which the
// app knows. seen is a further condition that makes it read; empty for none.
func isRead(seen string) string {
	conditions := []string{`date_trunc('milliseconds', s.at) <= @readUntil`, readAlone}
	if seen != "" {
		conditions = append(conditions, seen)
	}
	return `(` + strings.Join(conditions, ` OR `) + `)`
}

const newestFirst = `ORDER BY s.at DESC, s.id DESC`

// union returns at most @limit rows of each source after the position (@at, @id), with further conditions. Each source is
// read in the order of time, so that it uses its index up to the limit. merge is the order of the rows of a source with
// each; without one, any @limit of them are returned.
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
