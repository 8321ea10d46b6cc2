package badges

import (
	"maps"
	"slices"
	"strings"

	"heartward/api/members"
)

// Cause is what a member did, or what happened to the member.
type Cause string

// The causes of awards.
const (
	LikeSent     Cause = "like"
	MatchMade    Cause = "match"
	MessageSent  Cause = "message"
	ProfileSaved Cause = "profile"
	FriendCame   Cause = "referral"
)

// criterion counts something of member @member in the views of its owner, up to b.needed of a badge b.
type criterion struct {
	causes []Cause // what can raise the count
	sql    string
}

// atMost is the number of rows of a query, up to b.needed, so that the cost does not grow with the
// member's history.
func atMost(rows string) string {
	return `(SELECT count(*) FROM (` + rows + ` LIMIT b.needed) counted)`
}

// criteria are the values of the column criterion of badges.
var criteria = map[string]criterion{
	"profile_percent": {[]Cause{ProfileSaved}, `(SELECT ` + members.CompletenessSQL + ` FROM profiles u WHERE u.id = @member)`},
	"photos":          {[]Cause{ProfileSaved}, atMost(`SELECT FROM profile_media m WHERE m.user_id = @member AND m.slot = 'photo'`)},
	"voice_greetings": {[]Cause{ProfileSaved}, atMost(`SELECT FROM profile_media m WHERE m.user_id = @member AND m.slot = 'audio_greeting'`)},
	"likes_sent":      {[]Cause{LikeSent}, atMost(`SELECT FROM likes l WHERE l.member_id = @member`)},
	"likes_received":  {[]Cause{LikeSent}, atMost(`SELECT FROM likes l WHERE l.peer_id = @member`)},
	"matches":         {[]Cause{MatchMade}, atMost(`SELECT FROM match_sides m WHERE m.member_id = @member`)},
	"conversations": {[]Cause{MessageSent}, atMost(
		`SELECT FROM conversation_sides c WHERE c.member_id = @member AND (c.both_wrote_at IS NOT NULL OR c.started)`)},
	"conversations_started": {[]Cause{MessageSent}, atMost(`SELECT FROM conversation_sides c WHERE c.member_id = @member AND c.started`)},
	"lasting_conversations": {[]Cause{MessageSent}, atMost(
		`SELECT FROM conversation_sides c WHERE c.member_id = @member AND c.lasted_day_at IS NOT NULL`)},
	"active_days": {[]Cause{LikeSent}, atMost(
		`SELECT DISTINCT (l.created_at AT TIME ZONE 'UTC')::date FROM likes l WHERE l.member_id = @member`)},
	"referrals": {[]Cause{FriendCame}, atMost(`SELECT FROM completed_referrals r WHERE r.referrer_id = @member`)},
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

// countSQL is the count of member @member for a badge b, at most b.needed. Only the query of b's
// criterion runs.
var countSQL = func() string {
	var sql strings.Builder
	sql.WriteString("least(b.needed, coalesce(CASE b.criterion")
	for _, name := range allCriteria {
		sql.WriteString("\n\tWHEN '" + name + "' THEN " + criteria[name].sql)
	}
	sql.WriteString("\nEND, 0))::int")
	return sql.String()
}()
