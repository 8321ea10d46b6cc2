package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// uncleanTexts change the direction of text, or are not in the form NFC.
var uncleanTexts = []string{"zq\u202ezq", "zqcafe\u0301zq"}

// Sends a text that must not be stored as it is in each text of each operation's body, by a role that may call it. A field
// whose text does not pass package text fails this test by the column in which it is stored.
func TestOperations_StoreCleanTexts(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	operations := map[string]operation{}
	for _, op := range s.operations() {
		operations[op.method+" "+op.path] = op
	}
	rows := roleTable(t)
	accepted := map[string]bool{}
	var c *cast // the next call gets a new one if this one was accepted
	for _, row := range rows {
		role := slices.IndexFunc(strings.Fields(row.statuses), func(status string) bool { return status[0] == '2' })
		op := operations[row.operation]
		if role < 0 || op.RequestBody == nil || op.RequestBody.Content["application/json"] == nil {
			continue
		}
		for field, body := range withUncleanTexts(t, s, op, row.body) {
			if c == nil {
				c = s.newCast()
			}
			if opening, ok := operations[openedFirst[row.operation]]; ok {
				s.Exec(`DELETE FROM queue_claims`) // the entry may be claimed by the caller of the row before
				s.do(c.request(roles[role], opening, rows[openedFirst[row.operation]]))
			}
			if response := s.do(c.request(roles[role], op, roleRow{body: body})); response.status < 300 {
				accepted[row.operation+" "+field] = true
				c = nil
			} else {
				require.Less(t, response.status, 500, "%s, %s: %s", row.operation, field, response.body)
			}
		}
	}
	require.Greater(t, len(accepted), 30, "enough texts are accepted, after they were cleaned")
	s.requireCleanColumns()
}

// Half of a surrogate pair, as a client that cuts a text between the halves of an emoji sends, has no UTF-8 (coder #28625).
func TestOperations_StoreHalfOfASurrogatePair(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	response := s.send(s.viewer, http.MethodPatch, "/api/users/me", "application/json", `{"bio":"a letter \ud83d and more"}`)
	require.Equal(t, http.StatusOK, response.status, response.body)
	require.Contains(t, s.send(s.viewer, http.MethodGet, "/api/auth/user", "", "").body, "a letter \uFFFD and more")
}

// withUncleanTexts returns the body with an unclean text in place of each text of its schema, by the name of the field.
func withUncleanTexts(t *testing.T, s *env, op operation, body string) map[string]string {
	t.Helper()
	bodies := map[string]string{}
	for name, property := range s.resolve(op.RequestBody.Content["application/json"].Schema).Properties {
		schema := s.resolve(property)
		isList := schema.Type == "array" && s.resolve(schema.Items).Type == "string"
		if schema.Type != "string" && !isList || len(schema.Enum) > 0 || schema.Format != "" {
			continue
		}
		for i, text := range uncleanTexts {
			changed := map[string]any{}
			if body != "" {
				require.NoError(t, json.Unmarshal([]byte(body), &changed), body)
			}
			changed[name] = text
			if isList {
				changed[name] = []string{text}
			}
			encoded, err := json.Marshal(changed)
			require.NoError(t, err)
			bodies[fmt.Sprintf("%s %d", name, i)] = string(encoded)
		}
	}
	return bodies
}

// requireCleanColumns checks that no column of the database has an unclean text, and that some have the cleaned one.
func (s *env) requireCleanColumns() {
	s.Helper()
	type column struct{ Table, Column string }
	rows, _ := s.Pool.Query(s.Context(), `
		SELECT c.table_name, c.column_name
		FROM information_schema.columns c
		JOIN information_schema.tables t USING (table_schema, table_name)
		WHERE c.table_schema = 'public'
			AND t.table_type = 'BASE TABLE'
			AND c.table_name NOT LIKE 'river%'
			AND c.data_type IN ('text', 'character varying', 'ARRAY', 'json', 'jsonb')`)
	columns, err := pgx.CollectRows(rows, pgx.RowToStructByPos[column])
	require.NoError(s, err)
	clean := 0
	for _, c := range columns {
		of := fmt.Sprintf(`SELECT count(*) FROM %s WHERE %s::text ~ `, pgx.Identifier{c.Table}.Sanitize(), pgx.Identifier{c.Column}.Sanitize())
		if s.Count(of+`'zq(\u202e|cafe\u0301)zq'`) > 0 {
			s.Errorf("%s.%s has a text that did not pass package text", c.Table, c.Column)
		}
		if s.Count(of+`'zq(café)?zq'`) > 0 {
			clean++
		}
	}
	require.Greater(s, clean, 15, "enough columns have a cleaned text")
}
