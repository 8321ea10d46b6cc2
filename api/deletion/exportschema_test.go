package deletion_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/export"
	"heartward/api/platform/testkit"
)

var update = flag.Bool("update", false, "write the schema of an export again")

// The schema in an archive is what the database and docs/personal-data.md say about the keys of the documents, and the
// archive of a member with rows in every table is valid for it. After a change, -update writes it again.
func TestExportSchema_IsCurrentAndHoldsForAnArchive(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	files := w.exportOf(w.fillMember())
	documents := map[string]string{}
	for name, text := range files {
		if strings.HasSuffix(name, ".json") && name != "schema.json" {
			documents[name] = text
		}
	}
	want := w.exportSchema(documents)
	if *update {
		require.NoError(t, os.WriteFile("../export/schema.json", []byte(want), 0o644))
	} else {
		require.Equal(t, want, export.Schema, "run: go test ./api/deletion -run TestExportSchema -update")
		require.Equal(t, want, files["schema.json"])
	}
	testkit.RequireValid(t, want, documents)
}

// schema is a JSON Schema.
type schema map[string]any

const messagesDocument = "conversations/ID.json"

// exportSchema returns the schema of the documents. The types of keys that docs/personal-data.md has are those of their
// columns, and those of the others what the documents have, or null.
func (w *env) exportSchema(documents map[string]string) string {
	w.Helper()
	columns := w.exportedColumns()
	values := map[string][]any{}
	for name, text := range documents {
		if isMessages(name) {
			name = messagesDocument
		}
		var value any
		require.NoError(w, json.Unmarshal([]byte(text), &value))
		values[name] = append(values[name], value)
	}
	properties, patterns := schema{}, schema{}
	for name, all := range values {
		document := observe(all)
		row := document
		if items, isList := document["items"].(schema); isList {
			document["type"], row = "array", items
		}
		row["type"] = "object" // neither is null
		require.NotEmpty(w, row["properties"], "%s has no row", name)
		for key, observed := range row["properties"].(schema) {
			if column, ok := columns[name+" "+key]; ok && isOf(observed.(schema), column(true)) {
				row["properties"].(schema)[key] = column(hasNull(all, key))
			}
		}
		if name == messagesDocument {
			patterns[`^conversations/[0-9a-f-]{36}\.json$`] = document
		} else {
			properties[name] = document
		}
	}
	text, err := json.MarshalIndent(schema{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "The .json files of a Heartward export, by their names",
		"type":    "object", "properties": properties, "patternProperties": patterns, "additionalProperties": false,
	}, "", "  ")
	require.NoError(w, err)
	return string(text) + "\n"
}

func isMessages(name string) bool {
	return strings.HasPrefix(name, "conversations/") && name != "conversations/conversations.json"
}

// isOf reports whether observed values can be those of a column itself, and not what the export derives from it, such as
// "me" from an id.
func isOf(observed, column schema) bool {
	kindOf := func(s schema) string {
		if kinds, isList := s["type"].([]string); isList {
			return strings.Replace(kinds[0], "integer", "number", 1)
		}
		return "any"
	}
	return len(observed) == 0 || kindOf(column) == "any" ||
		kindOf(observed) == kindOf(column) && (column["format"] != "uuid" || observed["format"] == "uuid")
}

// hasNull reports whether the key is null in a row of the documents: an expression can be null where its column cannot.
func hasNull(documents []any, key string) bool {
	for _, document := range documents {
		rows, isList := document.([]any)
		if !isList {
			rows = []any{document}
		}
		for _, row := range rows {
			if row.(map[string]any)[key] == nil {
				return true
			}
		}
	}
	return false
}

// exportedColumns returns functions that return the schemas of the exported columns, by their documents and keys.
func (w *env) exportedColumns() map[string]func(hasNull bool) schema {
	w.Helper()
	rows, err := w.Pool.Query(w.Context(), `
		SELECT table_name || '.' || column_name, udt_name, is_nullable = 'YES'
		FROM information_schema.columns
		WHERE table_schema = 'public'`)
	require.NoError(w, err)
	defer rows.Close()
	entries, columns := readPersonalData(w), map[string]func(bool) schema{}
	for rows.Next() {
		var name, kind string
		var isNullable bool
		require.NoError(w, rows.Scan(&name, &kind, &isNullable))
		key := entries[name].Export
		if key == "" || strings.HasPrefix(key, "no: ") {
			continue
		}
		_, isTwice := columns[key] // then from rows that may be missing
		columns[key] = func(hasNull bool) schema { return columnSchema(w, name, kind, isNullable || isTwice || hasNull) }
	}
	require.NoError(w, rows.Err())
	return columns
}

// columnSchema returns the schema of the JSON that PostgreSQL makes of a column.
func columnSchema(t testing.TB, name, kind string, isNullable bool) schema {
	t.Helper()
	if item, isArray := strings.CutPrefix(kind, "_"); isArray {
		return typed("array", isNullable, schema{"items": columnSchema(t, name, item, false)})
	}
	switch kind {
	case "jsonb":
		return schema{}
	case "bool":
		return typed("boolean", isNullable, nil)
	case "int2", "int4", "int8":
		return typed("integer", isNullable, nil)
	case "float4", "float8", "numeric":
		return typed("number", isNullable, nil)
	case "uuid":
		return typed("string", isNullable, schema{"format": "uuid"})
	case "timestamptz":
		return typed("string", isNullable, schema{"format": "date-time"})
	case "date":
		return typed("string", isNullable, schema{"format": "date"})
	case "text":
		return typed("string", isNullable, nil)
	}
	t.Fatalf("%s has the type %s, which has no schema here", name, kind)
	return nil
}

func typed(kind string, isNullable bool, more schema) schema {
	s := schema{"type": kind}
	if isNullable {
		s["type"] = []string{kind, "null"}
	}
	maps.Copy(s, more)
	return s
}

// observe returns a schema of values of one kind and null.
func observe(values []any) schema {
	values = slices.DeleteFunc(slices.Clone(values), func(v any) bool { return v == nil })
	if len(values) == 0 {
		return schema{}
	}
	switch values[0].(type) {
	case bool:
		return typed("boolean", true, nil)
	case float64:
		return typed("number", true, nil)
	case string:
		return typed("string", true, formatOf(values))
	case []any:
		var items []any
		for _, value := range values {
			items = append(items, value.([]any)...)
		}
		return typed("array", true, schema{"items": observe(items)})
	}
	keys := map[string][]any{}
	for _, value := range values {
		for key, of := range value.(map[string]any) {
			keys[key] = append(keys[key], of)
		}
	}
	properties := schema{}
	for key, all := range keys {
		properties[key] = observe(all)
	}
	return typed("object", true, schema{
		"properties": properties, "required": slices.Sorted(maps.Keys(keys)), "additionalProperties": false,
	})
}

// formatOf returns the format that all texts have.
func formatOf(texts []any) schema {
	for format, has := range map[string]func(string) bool{
		"uuid":      func(text string) bool { return uuid.Validate(text) == nil },
		"date-time": func(text string) bool { _, err := time.Parse(time.RFC3339, text); return err == nil },
	} {
		if !slices.ContainsFunc(texts, func(text any) bool { return !has(text.(string)) }) {
			return schema{"format": format}
		}
	}
	return nil
}
