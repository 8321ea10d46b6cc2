package badges

import (
	"maps"
	"slices"
	"strings"
)

// Cause is what a member did, or what happened to the member.
type Cause string

// The causes of awards.
const (
	LikeSent      Cause = "like"
	MatchMade     Cause = "match"
	MessageSent   Cause = "message"
	ProfileSaved  Cause = "profile"
	FriendCame    Cause = "referral"
	PostPublished Cause = "post"
)

// criterion counts something of member @member in the views of its owner, up to b.needed of a badge b.
type criterion struct {
	causes []Cause // what can raise the count
	// rows is a query of what is counted. Its column at is the time from which a row counts, or NULL if the view has no such time.
	rows string
	// count replaces rows for what is not a number of rows. It has no times.
	count string
}

// countSQL is the count, at most b.needed. It reads no more rows, so that the cost does not grow with the member's history.
func (c criterion) countSQL() string {
	if c.count != "" {
		return c.count
	}
	return `(SELECT count(*) FROM (` + c.rows + ` LIMIT b.needed) counted)`
}

// earnedAtSQL is the time at which the count reached needed; NULL if it is not known.
func (c criterion) earnedAtSQL() string {
	if c.count != "" {
		return `NULL`
	}
	return `(SELECT counted.at FROM (` + c.rows + `) counted ORDER BY counted.at OFFSET b.needed - 1 LIMIT 1)`
}

// criteria are the values of the column criterion of badges.
var criteria = map[string]criterion{
	"profile_percent": {causes: []Cause{ProfileSaved}, count: `(SELECT c.percent FROM member_completeness c WHERE c.user_id = @member)`},
	"photos": {causes: []Cause{ProfileSaved},
		rows: `SELECT m.added_at AS at FROM profile_media m WHERE m.user_id = @member AND m.slot = 'photo'`},
	"voice_greetings": {causes: []Cause{ProfileSaved},
		rows: `SELECT m.added_at AS at FROM profile_media m WHERE m.user_id = @member AND m.slot = 'audio_greeting'`},
	"likes_sent":     {causes: []Cause{LikeSent}, rows: `SELECT l.created_at AS at FROM likes l WHERE l.member_id = @member`},
	"likes_received": {causes: []Cause{LikeSent}, rows: `SELECT l.created_at AS at FROM likes l WHERE l.peer_id = @member`},
	"matches":        {causes: []Cause{MatchMade}, rows: `SELECT m.created_at AS at FROM match_sides m WHERE m.member_id = @member`},
	"conversations": {causes: []Cause{MessageSent}, rows: `
		SELECT NULL::timestamptz AS at
		FROM conversation_sides c
		WHERE c.member_id = @member
			AND (c.both_wrote_at IS NOT NULL OR c.started)`},
	"conversations_started": {causes: []Cause{MessageSent},
		rows: `SELECT NULL::timestamptz AS at FROM conversation_sides c WHERE c.member_id = @member AND c.started`},
	"lasting_conversations": {causes: []Cause{MessageSent},
		rows: `SELECT c.lasted_day_at AS at FROM conversation_sides c WHERE c.member_id = @member AND c.lasted_day_at IS NOT NULL`},
	"active_days": {causes: []Cause{LikeSent}, rows: `
		SELECT min(l.created_at) AS at
		FROM likes l
		WHERE l.member_id = @member
		GROUP BY (l.created_at AT TIME ZONE 'UTC')::date`},
	"published_posts": {causes: []Cause{PostPublished}, rows: `SELECT p.published_at AS at FROM accepted_posts p WHERE p.author_id = @member`},
	"referrals": {causes: []Cause{FriendCame},
		rows: `SELECT r.completed_at AS at FROM completed_referrals r WHERE r.referrer_id = @member`},
}

// allCriteria are the names of all criteria.
var allCriteria = slices.Sorted(maps.Keys(criteria))

// criteriaOf returns the names of the criteria whose count a cause can raise.
func criteriaOf(cause Cause) (names []string) {
	for _, name := range allCriteria {
		if slices.Contains(criteria[name].causes, cause) {
			names = append(names, name)
		}
	}
	return names
}

// progressSQL is the count of member @member for a badge b of the named criteria, at most b.needed. Only the query of b's
// criterion runs, but all are planned.
func progressSQL(names []string) string {
	return `least(b.needed, coalesce(` + byCriterion(names, criterion.countSQL) + `, 0))::int`
}

// awardTimeSQL is the time at which progressSQL reached b.needed; NULL if it is not known.
func awardTimeSQL(names []string) string { return byCriterion(names, criterion.earnedAtSQL) }

// byCriterion returns an SQL expression whose value is that of the expression for b's criterion; NULL for one that is not named.
func byCriterion(names []string, expression func(criterion) string) string {
	var sql strings.Builder
	sql.WriteString("CASE b.criterion")
	for _, name := range names {
		sql.WriteString("\n\tWHEN '" + name + "' THEN " + expression(criteria[name]))
	}
	sql.WriteString("\nEND")
	return sql.String()
}
