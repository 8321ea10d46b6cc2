package queue

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// sources are the views of the features, one for each kind, in the order in which Counts returns the kinds.
var sources = []struct {
	kind Kind
	view string
}{
	{Report, "reports_waiting"},
	{Flag, "flags_waiting"},
	{Appeal, "appeals_waiting"},
	{Verification, "verifications_waiting"},
	{Profile, "profiles_waiting"},
	{Graduation, "graduations_waiting"},
	{Post, "posts_waiting"},
	{Comment, "comments_waiting"},
	{BirthDate, "birth_dates_waiting"},
}

// mayDecide returns an SQL condition: the caller $1, an admin if $2, may decide on entry w of a kind. It excludes the caller's own
// cases, cases of the caller's matches while another admin can decide on them, and cases for admins if the caller is none. An appeal
// is for the least involved admins.
func mayDecide(kind Kind) string {
	if kind == Appeal {
		return `
		$2
			AND may_judge_appeal($1, w.member_id, w.other_id, w.decided_by)`
	}
	return `
		w.member_id IS DISTINCT FROM $1
			AND w.other_id IS DISTINCT FROM $1
			AND NOT (
				ARRAY[w.member_id, w.other_id] && ARRAY(SELECT withheld_from($1))
				AND another_can_judge($1, ARRAY[w.member_id, w.other_id])
			)
			AND ($2 OR NOT w.for_admins)`
}

// entriesSQL returns the statement of selectEntries. Its arguments are the caller, whether they are an admin, the position
// and id of the last entry, and the limit. Each source contributes at most one page, which it reads from an index.
func entriesSQL(kind Kind) string {
	var union []string
	for _, source := range sources {
		departed := "false"
		if source.kind == Report {
			departed = "w.is_departed"
		}
		if kind == "" || kind == source.kind {
			union = append(union, `(
		SELECT
			w.kind,
			w.id,
			w.member_id,
			w.other_id,
			w.why,
			w.urgency,
			w.waits_since,
			w.position,
			`+departed+` AS is_departed
		FROM `+source.view+` w
		WHERE (w.position, w.id) > ($3::timestamp, $4::uuid)
			AND `+mayDecide(source.kind)+`
		ORDER BY w.position, w.id
		LIMIT $5)`)
		}
	}
	return `
	SELECT
		e.kind,
		e.id,
		e.member_id,
		e.other_id,
		e.why,
		e.urgency,
		e.waits_since,
		e.position,
		e.is_departed,
		c.moderator_id AS claimed_by,
		c.expires_at AS claimed_until
	FROM (
		SELECT *
		FROM (` + strings.Join(union, ` UNION ALL `) + `) u
		ORDER BY u.position, u.id
		LIMIT $5
	) e
	LEFT JOIN queue_claims c ON c.kind = e.kind
		AND c.entry_id = e.id
		AND c.expires_at > now()
	ORDER BY e.position, e.id`
}

// selectEntries returns at most limit entries after a cursor, with their own columns and claims, but without cards and actions.
func selectEntries(ctx context.Context, db pg.DB, caller web.Actor, kind Kind, after cursor, limit int) ([]WaitingEntry, error) {
	rows, _ := db.Query(ctx, entriesSQL(kind), caller.ID, caller.Admin, after.Position, after.ID, limit)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[entryRow])
	entries := make([]WaitingEntry, len(found))
	for i, row := range found {
		entries[i] = row.entry()
	}
	return entries, err
}

// entryRow has the columns of entriesSQL.
type entryRow struct {
	Kind         Kind
	ID           uuid.UUID
	MemberID     *uuid.UUID
	OtherID      *uuid.UUID
	Why          string
	Urgency      int
	WaitsSince   time.Time
	Position     time.Time
	IsDeparted   bool
	ClaimedBy    *uuid.UUID
	ClaimedUntil *time.Time
}

func (r entryRow) entry() WaitingEntry {
	return WaitingEntry{
		Kind: r.Kind, ID: r.ID, Why: r.Why, Urgency: r.Urgency, WaitsSince: r.WaitsSince, memberID: r.MemberID, otherID: r.OtherID,
		position: r.Position, isDeparted: r.IsDeparted, claimedBy: r.ClaimedBy, claimedUntil: r.ClaimedUntil,
	}
}

// countsSQL is the statement of Counts. Its arguments are the caller, whether they are an admin, maxCounted and
// ReviewHours.
var countsSQL = func() string {
	var union []string
	for _, source := range sources {
		union = append(union, `
	SELECT
		'`+string(source.kind)+`',
		count(*),
		count(*) FILTER (WHERE w.waits_since < now() - ($4::float8[])[w.urgency + 1] * interval '1 hour')
	FROM (
		SELECT w.waits_since, w.urgency
		FROM `+source.view+` w
		WHERE `+mayDecide(source.kind)+`
		ORDER BY w.position, w.id
		LIMIT $3
	) w`)
	}
	return strings.Join(union, `
	UNION ALL`)
}()

// actionsOf returns the decisions that an admin, or else a moderator, can make on an entry. They are those that the
// operation of the kind accepts.
func actionsOf(e WaitingEntry, byAdmin bool) []string {
	switch e.Kind {
	case Report:
		switch {
		case strings.HasPrefix(e.Why, "issue_"):
			return []string{"no_action"}
		case e.memberID == nil && e.isDeparted && byAdmin:
			return []string{"no_action", "ban", "not_of_age"}
		case e.memberID == nil: // a deleted account
			return []string{"no_action"}
		case e.Why == "second_account" && byAdmin:
			return []string{"no_action", "keep_apart", "warn", "remove", "suspend", "ban", "not_of_age"}
		case e.Why == "second_account":
			return []string{"no_action", "keep_apart", "warn", "remove", "suspend"}
		case byAdmin:
			return []string{"no_action", "warn", "remove", "suspend", "ban", "not_of_age"}
		}
		return []string{"no_action", "warn", "remove", "suspend"}
	case Flag:
		switch {
		case e.memberID == nil:
			return []string{"dismiss"}
		case byAdmin:
			return []string{"dismiss", "warn", "suspend", "ban"}
		}
		return []string{"dismiss", "warn", "suspend"}
	}
	return slices.Clone(actions[e.Kind])
}

// actions are the decisions on the kinds for which they depend neither on the entry nor on the role.
var actions = map[Kind][]string{
	Appeal:       {"upheld", "lifted"},
	Verification: {"approve", "reject"},
	Profile:      {"accept", "decline"},
	Graduation:   {"approve", "reject"},
	Post:         {"approve", "reject"},
	Comment:      {"hide", "restore"},
	BirthDate:    {"approve", "refuse"},
}
