package api_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sqlWord finds the words of a statement: comments, names with their schema or alias, verbs of a format, {} for what Go
// code inserts, and single characters.
var sqlWord = regexp.MustCompile(`--[^\n]*|/\*(?s:.*?)\*/|"?\w+"?(?:\."?\w+"?)*|%(?:\[\d+\])?[a-z]|\{\}|\S`)

// afterFrom are the words that end a list of tables.
var afterFrom = []string{
	"WHERE", "GROUP", "ORDER", "HAVING", "WINDOW", "LIMIT", "OFFSET", "FETCH", "FOR", "UNION", "EXCEPT", "INTERSECT", "RETURNING",
	"USING", "SET", "SELECT", "VALUES", "DO", "LOOP", "THEN", ";",
}

// tablesIn returns the names in a statement, or a part of one, at which a table stands: after FROM, JOIN, INTO, UPDATE, USING
// and TRUNCATE, and after a comma in a list of tables, in upper and lower case. They may be those of views, functions
// and WITH queries.
func tablesIn(sql string) (names []string) {
	words := slices.DeleteFunc(sqlWord.FindAllString(sql, -1), func(word string) bool {
		return strings.HasPrefix(word, "--") || strings.HasPrefix(word, "/*")
	})
	for i, word := range words {
		before := func(n int) string {
			if i < n {
				return ""
			}
			return strings.ToUpper(words[i-n])
		}
		switch strings.ToUpper(word) {
		case "FROM":
			if before(1) == "DISTINCT" || before(2) == "(" && slices.Contains([]string{"EXTRACT", "TRIM", "SUBSTRING"}, before(3)) {
				continue
			}
			names = append(names, listedTables(words[i+1:])...)
		case "TABLE":
			if before(1) == "LOCK" {
				names = append(names, listedTables(words[i+1:])...)
			}
		case "USING":
			names = append(names, listedTables(words[i+1:])...)
		case "UPDATE":
			if !slices.Contains([]string{"FOR", "KEY", "DO", "ON", "OR", "AFTER", "BEFORE"}, before(1)) {
				names = append(names, listedTables(words[i+1:])...)
			}
		case "JOIN", "INTO", "TRUNCATE":
			if found := listedTables(words[i+1:]); len(found) > 0 {
				names = append(names, found[0])
			}
		}
	}
	return names
}

// beginsJoin reports whether the word after a parenthesis is a table and not the beginning of a query, which may be inserted.
func beginsJoin(word string) bool {
	return !slices.Contains([]string{"SELECT", "WITH", "VALUES", "("}, strings.ToUpper(word)) && !strings.ContainsAny(word[:1], "{%")
}

// listedTables returns the names in a list of tables that the words begin with.
func listedTables(words []string) (names []string) {
	depth, joins, isNext := 0, 0, true
	for i, word := range words {
		upper := strings.ToUpper(word)
		switch {
		case word == "(" && isNext && i+1 < len(words) && beginsJoin(words[i+1]):
			joins++ // a join in parentheses, which begins with a table
		case word == "(":
			depth++
			isNext = false
		case word == ")" && depth == 0 && joins > 0:
			joins--
		case word == ")":
			if depth--; depth < 0 {
				return names
			}
		case depth > 0:
		case word == ",":
			isNext = true
		case slices.Contains(afterFrom, upper):
			return names
		case isNext && !slices.Contains([]string{"ONLY", "LATERAL", "TABLE"}, upper):
			names = append(names, bareName(word))
			isNext = false
		}
	}
	return names
}

// bareName returns a name without its schema and in the case in which PostgreSQL reads it.
func bareName(word string) string {
	if strings.HasPrefix(word, "{") {
		return word
	}
	return strings.ToLower(strings.Trim(word[strings.LastIndex(word, ".")+1:], `"`))
}

func TestTablesIn_FindsEveryPlaceOfATable(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string][]string{
		`SELECT 1 FROM users u, messages m WHERE a IN (b, c)`:          {"users", "messages"},
		`select id from users, lateral (select 1 from likes) l, notes`: {"users", "notes", "likes"},
		`FROM a JOIN b ON f(a.x, b.y) = 1, c ORDER BY d, e`:            {"a", "c", "b"},
		`INSERT INTO public.users (id, name) SELECT 1, 2`:              {"users"},
		`INSERT INTO "users" VALUES (1) ON CONFLICT DO UPDATE SET a=b`: {"users"},
		`UPDATE ONLY users SET a = b, c = d FROM notes RETURNING e, f`: {"users", "notes"},
		`DELETE FROM users USING notes n, likes WHERE a`:               {"users", "notes", "likes"},
		`WITH x AS (SELECT FROM users) SELECT extract(day FROM y)`:     {"users"},
		`SELECT a IS DISTINCT FROM b, notes FROM c FOR UPDATE OF c`:    {"c"},
		"SELECT -- FROM users\n1 FROM notes /* , likes */":             {"notes"},
		`DELETE FROM %s WHERE a`:                                       {"%s"},
		`SELECT FROM {} WHERE a`:                                       {"{}"},
		`FROM (SELECT 1 FROM users) x, notes`:                          {"notes", "users"},
		`SELECT FROM (users u JOIN notes n ON true), likes`:            {"users", "likes", "notes"},
		`UPDATE users AS u SET a = b`:                                  {"users"},
		`MERGE INTO users USING notes ON a`:                            {"users", "notes"},
		`LOCK TABLE users, notes IN SHARE MODE`:                        {"users", "notes"},
		`TRUNCATE TABLE users`:                                         {"users"},
	} {
		require.Equal(t, want, tablesIn(sql), sql)
	}
}
