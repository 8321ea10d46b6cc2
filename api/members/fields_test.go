package members_test

import (
	"context"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/platform/testkit"
)

// Columns of users and fields of Changes that are not in the table of fields: the account,
// its settings, and the name and age, which are validated separately.
var (
	columnsNotInTable = []string{"id", "email", "identity_key", "abuse_key", "mailbox_number", "password_hash", "full_name", "first_name", "last_name", "birth_date",
		"birth_date_exact", "birth_date_changed_at", "is_graduated", "is_approved", "is_featured", "is_admin", "is_moderator", "is_demo", "profile_status", "suspended_until", "deletion_due_at", "verified_at",
		"premium_until", "referral_code", "honor_code_at", "created_at", "updated_at", "town_lat", "town_lon",
		"paused_at", "paused_until", "visit_city", "visit_state", "visit_lat", "visit_lon", "visit_until", "incognito", "first_name_only", "religion_counts", "welcomed_at", "start_step", "profile_theme", "profile_frame", "hide_premium", "hide_badges", "search_xid", "hide_online", "hide_read_receipts"}
	changesNotInTable = []string{"removedVoiceIds", "fullName", "religionCounts", "age", "birthDate", "paused", "pausedUntil", "firstNameOnly", "incognito", "hideOnline", "hideReadReceipts", "hidePremium", "hideBadges", "welcomed", "startStep", "before"}
	privateFields     = []string{"interestedIn", "religion"}
)

func jsonNames(t reflect.Type) (names []string) {
	for _, f := range reflect.VisibleFields(t) {
		if !f.Anonymous {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	return names
}

// The columns of users, the fields of Changes and of profiles, and the table of fields are
// consistent.
func TestFields_MatchColumnsAndChanges(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	columns := testkit.SelectAll[string](t, w.Pool, `SELECT column_name::text FROM information_schema.columns
		WHERE table_name = 'users' AND table_schema = 'public'`)
	changes, me, public := jsonNames(reflect.TypeFor[members.Changes]()), jsonNames(reflect.TypeFor[members.Me]()),
		jsonNames(reflect.TypeFor[members.PublicMember]())
	var names, inColumns []string
	for _, f := range members.Fields() {
		names = append(names, f.Name)
		if f.Name != "photos" && f.Name != "prompts" { // they have tables of their own
			inColumns = append(inColumns, f.Column)
		}
		assert.Equal(t, !slices.Contains(privateFields, f.Name), slices.Contains(public, f.Name), "PublicMember and %s", f.Name)
	}
	assert.Empty(t, testkit.Missing(names, me), "Me lacks fields of the table")
	assert.Empty(t, testkit.Missing(names, append(changes, "photos")), "Changes lacks fields of the table")
	assert.Empty(t, testkit.Missing(inColumns, columns), "no migration adds the columns of fields of the table")
	assert.Empty(t, testkit.Missing(columns, slices.Concat(inColumns, columnsNotInTable)), "the table of fields lacks columns of users")
	assert.Empty(t, testkit.Missing(changes, slices.Concat(names, changesNotInTable)), "the table of fields lacks fields of Changes")
}

var quoted = regexp.MustCompile(`'([^']*)'::text`)

// The constraints of users allow the same values as the table.
func TestFields_MatchConstraintsOfColumns(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for _, f := range members.Fields() {
		all := testkit.SelectAll[string](t, w.Pool, `SELECT pg_get_constraintdef(c.oid)
			FROM pg_constraint c
			JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey)
			WHERE c.conrelid = 'users'::regclass AND c.contype = 'c' AND a.attname = $1`, f.Column)
		constraints := strings.Join(all, "\n")
		var words []string
		for _, match := range quoted.FindAllStringSubmatch(constraints, -1) {
			words = append(words, match[1])
		}
		switch f.Kind {
		case "choice":
			assert.Equal(t, f.Words, words, "the words of %s in %s", f.Name, constraints)
		case "list":
			if f.Words == nil {
				continue
			}
			assert.Equal(t, f.Words, words, "the words of %s in %s", f.Name, constraints)
			assert.LessOrEqual(t, f.Max, len(f.Words), f.Name)
			if f.Max < len(f.Words) {
				assert.Contains(t, constraints, "(cardinality("+f.Column+") <= "+strconv.Itoa(f.Max)+")", f.Name)
			}
		case "text":
			assert.Contains(t, constraints, "(length("+f.Column+") <= "+strconv.Itoa(f.Max)+")", f.Name)
		case "number":
			assert.Contains(t, constraints, f.Column+" >= "+strconv.Itoa(f.Min), f.Name)
			assert.Contains(t, constraints, f.Column+" <= "+strconv.Itoa(f.Max), f.Name)
		}
	}
}

// samples returns a valid value of a field and invalid ones.
func samples(f members.FieldInfo) (valid any, refused []any) {
	switch f.Kind {
	case "list":
		if f.Words == nil {
			return nil, nil
		}
		refused = []any{[]string{f.Words[0], "Jedi"}, []string{""}, f.Words[0], slices.Concat(f.Words, f.Words)}
		if f.Max < len(f.Words) {
			refused = append(refused, f.Words[:f.Max+1])
		}
		return f.Words[len(f.Words)-f.Max:], refused
	case "text":
		return "Salem", []any{strings.Repeat("x", f.Max+1), "a\u202eb", 5}
	case "choice":
		return f.Words[len(f.Words)-1], []any{"jedi", "", 5, f.Words}
	case "yesNo":
		return false, []any{"yes", 1}
	case "number":
		return f.Min, []any{f.Min - 1, f.Max + 1, "x"}
	}
	return nil, nil
}

// Each field is stored, shown to its member and, unless it is private, to others. Invalid
// values are refused with the field's name, and null clears the field.
func TestFields_AreStoredShownAndCleared(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bob := w.join("Ada"), w.join("Bob")
	profile := func(actor uuid.UUID, id string) map[string]any {
		return decode[map[string]any](t, w.call(actor, "GET", "/api/users/"+id, ""))
	}
	for _, f := range members.Fields() {
		valid, refused := samples(f)
		if f.Kind == "other" || f.Kind == "list" && f.Words == nil {
			continue
		}
		change := func(value any) (status int, body map[string]any) {
			sent, err := json.Marshal(map[string]any{f.Name: value})
			require.NoError(t, err)
			resp := w.call(ada, "PATCH", "/api/users/me", string(sent))
			return resp.Code, decode[map[string]any](t, resp)
		}
		for _, value := range refused {
			status, body := change(value)
			require.Equal(t, 422, status, "%s %v", f.Name, value)
			location := body["errors"].([]any)[0].(map[string]any)["location"].(string)
			require.True(t, strings.HasPrefix(location, "body."+f.Name), "%s %v: %s", f.Name, value, location)
		}
		status, body := change(valid)
		require.Equal(t, 200, status, "%s: %v", f.Name, body)
		want, err := json.Marshal(valid)
		require.NoError(t, err)
		for viewer, shown := range map[string]any{"me": profile(ada, "me")[f.Name], "another": profile(bob, ada.String())[f.Name]} {
			if viewer == "another" && slices.Contains(privateFields, f.Name) {
				require.Nil(t, shown, f.Name)
				continue
			}
			got, err := json.Marshal(shown)
			require.NoError(t, err)
			require.JSONEq(t, string(want), string(got), "%s for %s", f.Name, viewer)
		}
		status, body = change(nil)
		require.Equal(t, 200, status, "%s: %v", f.Name, body)
		require.Empty(t, body[f.Name], f.Name)
	}
}

// Each filled-in field counts for completeness, in SQL and in Go.
func TestFields_CountForCompleteness(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	percent := func() (inSQL int) {
		require.NoError(t, w.Pool.QueryRow(context.Background(),
			`SELECT percent FROM member_completeness WHERE user_id = $1`, ada).Scan(&inSQL))
		return inSQL
	}
	for _, f := range members.Fields() {
		valid, _ := samples(f)
		switch f.Name {
		case "photos":
			continue // see TestCompleteness_SQLEqualsGo
		case "prompts":
			valid = []members.PromptChange{{Question: "Q", Answer: "A"}}
		case "intentionTags":
			valid = []string{"Healing"}
		case "interestedIn":
			valid = []string{"man"}
		}
		for _, value := range []any{nil, valid} {
			body, err := json.Marshal(map[string]any{f.Name: value})
			require.NoError(t, err)
			resp := w.call(ada, "PATCH", "/api/users/me", string(body))
			require.Equal(t, 200, resp.Code, "%s", resp.Body)
			completeness := decode[members.Me](t, resp).Completeness
			require.Equal(t, f.Complete && value == nil, slices.Contains(completeness.Missing, f.Name), f.Name)
			require.Equal(t, percent(), completeness.Percent, f.Name)
		}
	}
}

func TestWords_AreListsOfTable(t *testing.T) {
	t.Parallel()
	var listed []string
	for _, list := range members.WordLists {
		listed = append(listed, list.Name)
		assert.NotEmpty(t, list.Words, list.Name)
	}
	for _, f := range members.Fields() {
		if f.Kind == "list" && f.Words != nil && !slices.Contains(privateFields, f.Name) {
			assert.Empty(t, testkit.Missing([]string{f.Name}, listed), "Words lacks a list of the table")
		}
	}
}
