package activity_test

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/activity"
	"heartward/api/platform/testkit"
)

// model is what a member has read, without the database's statements.
type model struct {
	until time.Time
	items map[string]time.Time
}

func (m *model) readItem(item activity.ReadItem) {
	if at := item.At; at.After(m.items[item.ID]) && at.After(m.until) {
		m.items[item.ID] = at
	}
}

func (m *model) readUntil(until time.Time) {
	if until.After(m.until) {
		m.until = until
	}
}

func (m model) isRead(id string, at time.Time) bool {
	return !at.After(m.until) || !at.After(m.items[id])
}

// listed is a notification without its words.
type listed struct {
	id     string
	at     time.Time
	other  uuid.UUID
	isRead bool
}

// tables are the rows of the database, as JSON gives them.
type tables struct {
	me     string
	now    time.Time
	offset time.Duration
	rows   map[string][]map[string]any
}

func (w *env) named(sql string, args map[string]any) {
	w.Helper()
	_, err := w.Pool.Exec(context.Background(), sql, pgx.NamedArgs(args))
	require.NoError(w, err, sql)
}

// load reads whole tables.
func (w *world) load() tables {
	w.Helper()
	all := tables{me: w.me.String(), now: time.Now(), rows: map[string][]map[string]any{}}
	for _, name := range []string{
		"users", "blocks", "user_likes", "user_passes", "matches", "conversations", "dates", "graduated_couples", "verifications",
		"profile_reviews", "reports", "sanctions", "appeals", "security_notices", "referrals",
		"user_badges", "community_posts", "post_comments", "couple_members", "pulse_sharing", "shareable_moments", "moment_consents", "near_waits",
	} {
		list := testkit.SelectAll[map[string]any](w, w.Pool, `SELECT to_jsonb(t) FROM `+name+` t`)
		all.rows[name] = list
	}
	zone := testkit.Select[string](w, w.Pool, `SELECT time_zone FROM member_zones`)
	location, err := time.LoadLocation(zone)
	require.NoError(w, err)
	_, seconds := all.now.In(location).Zone()
	all.offset = time.Duration(seconds) * time.Second
	return all
}

func is(row map[string]any, column string, value any) bool { return row[column] == value }

func timeOf(row map[string]any, column string) time.Time {
	text, _ := row[column].(string)
	at, _ := time.Parse(time.RFC3339Nano, strings.Replace(text, " ", "T", 1))
	return at.UTC()
}

// some reports whether a row of a table has these values, in pairs of column and value.
func (d tables) some(table string, pairs ...any) bool {
	return slices.ContainsFunc(d.rows[table], func(row map[string]any) bool {
		for i := 0; i < len(pairs); i += 2 {
			if row[pairs[i].(string)] != pairs[i+1] {
				return false
			}
		}
		return true
	})
}

// peerOf returns the other member of a row with two members; "" if it is not the member's.
func (d tables) peerOf(row map[string]any, one, two string) string {
	a, _ := row[one].(string)
	b, _ := row[two].(string)
	switch d.me {
	case a:
		return b
	case b:
		return a
	}
	return ""
}

func (d tables) isVisible(id string) bool {
	at := slices.IndexFunc(d.rows["users"], func(u map[string]any) bool { return is(u, "id", id) })
	if at < 0 || d.some("blocks", "blocker_id", id, "blocked_id", d.me) || d.some("blocks", "blocker_id", d.me, "blocked_id", id) {
		return false
	}
	u := d.rows["users"][at]
	isActive := is(u, "profile_status", "active")
	isSearched := isActive && is(u, "is_approved", true) && is(u, "is_graduated", false) && is(u, "paused_at", nil)
	if isSearched && (is(u, "incognito", false) || d.some("user_likes", "from_user_id", id, "to_user_id", d.me)) {
		return true
	}
	for _, m := range d.rows["matches"] {
		if isActive && d.peerOf(m, "user_a", "user_b") == id && is(m, "unmatched_at", nil) {
			return true
		}
	}
	for _, c := range d.rows["conversations"] {
		isOpen := is(c, "closed_at", nil) && (is(c, "requested_by", nil) || is(c, "requested_by", id) && is(c, "declined_at", nil))
		if isActive && d.peerOf(c, "user_a", "user_b") == id && isOpen {
			return true
		}
	}
	return false
}

// event is an event before it is filtered.
type event struct {
	kind  string
	key   string
	at    time.Time
	other string // "" for none
}

// list returns the notifications, the newest first.
func (d tables) list(read model) (list []listed) {
	events := slices.Concat(d.likes(), d.pairs(), d.dates(), d.couples(), d.own(), d.board(), d.invitations(), d.consents(), d.near())
	slices.SortFunc(events, func(a, b event) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.key, a.key)) })
	for _, e := range events {
		if d.now.Sub(e.at) > 90*24*time.Hour || e.other != "" && !d.isVisible(e.other) {
			continue
		}
		item := listed{id: e.kind + "-" + e.key, at: e.at.Truncate(time.Millisecond)}
		if e.other != "" {
			item.other = uuid.MustParse(e.other)
		}
		item.isRead = d.some("user_badges", "id", e.key, "is_notified", true) || read.isRead(item.id, item.at)
		list = append(list, item)
	}
	return list
}

func (d tables) likes() (events []event) {
	days := map[string]event{}
	for _, l := range d.rows["user_likes"] {
		from, _ := l["from_user_id"].(string)
		if !is(l, "to_user_id", d.me) || d.some("user_likes", "from_user_id", d.me, "to_user_id", from) || d.hasPassed(from) || !d.isVisible(from) {
			continue
		}
		at := timeOf(l, "created_at")
		if is(l, "like_type", "super_like") {
			events = append(events, event{"super_like_received", l["id"].(string), at, from})
			continue
		}
		day := at.Add(d.offset).Format("2006-01-02")
		if at.After(days[day].at) {
			days[day] = event{"likes", day, at, from}
		}
	}
	for _, e := range days {
		events = append(events, e)
	}
	return events
}

func (d tables) hasPassed(on string) bool {
	return slices.ContainsFunc(d.rows["user_passes"], func(p map[string]any) bool {
		return is(p, "from_user_id", d.me) && is(p, "to_user_id", on) && d.now.Sub(timeOf(p, "created_at")) < 30*24*time.Hour
	})
}

func (d tables) pairs() (events []event) {
	for _, m := range d.rows["matches"] {
		if peer := d.peerOf(m, "user_a", "user_b"); peer != "" && is(m, "unmatched_at", nil) {
			events = append(events, event{"matched", m["id"].(string), timeOf(m, "created_at"), peer})
		}
	}
	for _, c := range d.rows["conversations"] {
		peer := d.peerOf(c, "user_a", "user_b")
		if peer != "" && is(c, "requested_by", peer) && is(c, "declined_at", nil) && is(c, "closed_at", nil) {
			events = append(events, event{"request_received", c["id"].(string), timeOf(c, "last_message_at"), peer})
		}
	}
	return events
}

func (d tables) dates() (events []event) {
	for _, date := range d.rows["dates"] {
		for _, c := range d.rows["conversations"] {
			isShown := is(c, "closed_at", nil) && (is(c, "declined_at", nil) || is(c, "requested_by", d.me))
			if !is(date, "conversation_id", c["id"]) || !isShown {
				continue
			}
			peer := d.peerOf(c, "user_a", "user_b")
			if kind, at := d.dateNews(date, peer); kind != "" {
				events = append(events, event{kind, date["id"].(string), at, peer})
			}
		}
	}
	return events
}

func (d tables) dateNews(date map[string]any, peer string) (kind string, at time.Time) {
	begins := timeOf(date, "at")
	isAhead := begins.After(d.now)
	switch {
	case is(date, "status", "proposed") && is(date, "proposed_by", peer) && isAhead:
		return "date_proposed", timeOf(date, "proposed_at")
	case is(date, "status", "accepted") && isAhead && begins.Sub(d.now) <= 3*time.Hour:
		reminder, accepted := begins.Add(-3*time.Hour), timeOf(date, "accepted_at")
		if accepted.After(reminder) {
			return "date_soon", accepted
		}
		return "date_soon", reminder
	case is(date, "status", "accepted") && is(date, "proposed_by", d.me):
		return "date_accepted", timeOf(date, "accepted_at")
	case (is(date, "status", "declined") || is(date, "status", "cancelled")) && is(date, "changed_by", peer):
		return "date_" + date["status"].(string), timeOf(date, "updated_at")
	}
	return "", at
}

func (d tables) couples() (events []event) {
	for _, c := range d.rows["graduated_couples"] {
		peer, id := d.peerOf(c, "user_one_id", "user_two_id"), c["id"].(string)
		hasAsked := is(c, "user_one_id", d.me)
		switch status := c["status"].(string); {
		case peer == "":
		case status == "graduated":
			events = append(events, event{"graduated", id, timeOf(c, "approved_at"), peer})
		case status == "asked" && !hasAsked:
			events = append(events, event{"graduation_asked", id, timeOf(c, "requested_at"), peer})
		case status == "pending" && hasAsked:
			events = append(events, event{"graduation_accepted", id, timeOf(c, "accepted_at"), peer})
		case status == "declined" && hasAsked, status == "rejected":
			events = append(events, event{"graduation_" + status, id, timeOf(c, "ended_at"), peer})
		}
	}
	return events
}

// own are the events without another member.
func (d tables) own() (events []event) {
	words := map[any]string{"warning": "warned", "removal": "parts_removed", "review": "reviewed", "reinstatement": "reinstated", "sign_in": "new_sign_in", "passkey": "passkey_added"}
	add := func(table, owner, id, at string, kind func(row map[string]any) string) {
		for _, row := range d.rows[table] {
			if is(row, owner, d.me) && kind(row) != "" && row[at] != nil {
				events = append(events, event{kind(row), row[id].(string), timeOf(row, at), ""})
			}
		}
	}
	named := func(prefix, column string) func(map[string]any) string {
		return func(row map[string]any) string { return prefix + row[column].(string) }
	}
	fixed := func(kind string) func(map[string]any) string { return func(map[string]any) string { return kind } }
	word := func(row map[string]any) string {
		if parts, _ := row["parts"].([]any); is(row, "kind", "warning") && len(parts) > 0 {
			return "warned_parts_removed"
		}
		return words[row["kind"]]
	}
	add("verifications", "user_id", "id", "decided_at", named("verification_", "status"))
	add("profile_reviews", "user_id", "id", "decided_at", func(row map[string]any) string { return named(row["subject"].(string)+"_", "status")(row) })
	add("reports", "reporter_id", "id", "reviewed_at", fixed("report_decided"))
	add("sanctions", "user_id", "id", "created_at", word)
	add("appeals", "user_id", "sanction_id", "decided_at", func(row map[string]any) string {
		if row["outcome"] == nil {
			return ""
		}
		return named("appeal_", "outcome")(row)
	})
	add("user_badges", "user_id", "id", "earned_at", func(row map[string]any) string {
		return map[any]string{false: "badge_earned"}[row["is_silent"]]
	})
	add("community_posts", "author_id", "id", "published_at", func(row map[string]any) string {
		return map[any]string{"published": "post_published"}[row["status"]]
	})
	add("community_posts", "author_id", "id", "decided_at", func(row map[string]any) string {
		return map[any]string{"rejected": "post_rejected"}[row["status"]]
	})
	add("security_notices", "user_id", "id", "created_at", word)
	add("referrals", "referrer_id", "id", "joined_at", func(row map[string]any) string {
		if row["status"] == "refused" {
			return ""
		}
		return "friend_joined"
	})
	add("referrals", "referrer_id", "id", "completed_at", fixed("friend_completed"))
	return events
}

// find returns the row of a table with a value; nil for none.
func (d tables) find(table, column string, value any) map[string]any {
	if at := slices.IndexFunc(d.rows[table], func(row map[string]any) bool { return is(row, column, value) }); at >= 0 {
		return d.rows[table][at]
	}
	return nil
}

// board has the comments on the member's posts, and the replies to the member's comments on others'.
func (d tables) board() (events []event) {
	for _, c := range d.rows["post_comments"] {
		post, parent := d.find("community_posts", "id", c["post_id"]), d.find("post_comments", "id", c["parent_id"])
		if !is(post, "status", "published") || !is(c, "status", "approved") || c["deleted_at"] != nil || is(c, "author_hidden", true) || is(c, "author_id", d.me) {
			continue
		}
		kind := "comment_received"
		if !is(post, "author_id", d.me) {
			kind = "reply_received"
			if parent == nil || !is(parent, "author_id", d.me) {
				continue
			}
		}
		events = append(events, event{kind, c["id"].(string), timeOf(c, "created_at"), c["author_id"].(string)})
	}
	return events
}

func (d tables) invitations() (events []event) {
	mine := d.find("couple_members", "user_id", d.me)
	if mine == nil || !is(d.find("graduated_couples", "id", mine["couple_id"]), "status", "graduated") || d.some("pulse_sharing", "user_id", d.me) {
		return nil
	}
	for _, s := range d.rows["pulse_sharing"] {
		if is(s, "couple_id", mine["couple_id"]) {
			events = append(events, event{"together_invited", s["couple_id"].(string), timeOf(s, "since"), s["user_id"].(string)})
		}
	}
	return events
}

func (d tables) consents() (events []event) {
	for _, c := range d.rows["moment_consents"] {
		moment := d.find("shareable_moments", "id", c["moment_id"])
		match := d.find("matches", "id", moment["subject_id"])
		if is(c, "peer_id", d.me) && is(c, "answer", "asked") && match != nil && is(match, "unmatched_at", nil) {
			events = append(events, event{"consent_asked", c["moment_id"].(string), timeOf(c, "asked_at"), moment["user_id"].(string)})
		}
	}
	return events
}

func (d tables) near() (events []event) {
	for _, w := range d.rows["near_waits"] {
		if is(w, "user_id", d.me) && w["told_at"] != nil {
			at := timeOf(w, "told_at")
			events = append(events, event{"more_near", at.Format(time.DateOnly), at, ""})
		}
	}
	return events
}
