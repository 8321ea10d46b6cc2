package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/platform/web"
)

// badCall is one call that must be refused: a 4xx with a problem, nothing
// stored, nothing told.
type badCall struct {
	name, method, path, contentType, body string
	field                                 string // that a 422 must name; empty where the whole body is wrong
}

// TestBadInputIsRefused reads the OpenAPI document, so an endpoint joins by
// being registered. For each operation it sends wrong types, values that are
// too long, missing fields, unknown choices and other people's ids.
func TestBadInputIsRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	before := s.snapshot()
	calls, named := 0, 0
	for _, op := range s.operations() {
		for _, call := range badCalls(s, op) {
			calls++
			if strings.HasPrefix(call.contentType, "multipart/") { // of which there may be few a day
				_, err := s.pool.Exec(t.Context(), `DELETE FROM rate_limits`)
				require.NoError(t, err)
			}
			answer := s.send(s.viewer, call.method, call.path, call.contentType, call.body)
			if answer.status < 400 || answer.status >= 500 {
				t.Errorf("%s %s, %s: %d %.200s", call.method, call.path, call.name, answer.status, answer.body)
				continue
			}
			if !strings.HasPrefix(answer.contentType, "application/problem+json") {
				t.Errorf("%s %s, %s: answered with %q", call.method, call.path, call.name, answer.contentType)
			}
			if problem := checkSentences(t, call, answer); call.field != "" && answer.status == http.StatusUnprocessableEntity && call.method != http.MethodHead {
				named++
				if !names(problem, call.field) && !s.sampleIsRefusedAlike(op, problem) {
					t.Errorf("%s %s, %s: the answer does not name %s: %s", call.method, call.path, call.name, call.field, answer.body)
				}
			}
			for _, secret := range append(s.secrets(), "SQLSTATE", "goroutine", "pgx", "SELECT ") {
				if strings.Contains(answer.body, secret) {
					t.Errorf("%s %s, %s: the answer tells %q", call.method, call.path, call.name, secret)
				}
			}
		}
	}
	require.Greater(t, calls, 300, "the table is too small to mean anything")
	require.Greater(t, named, 300, "too few answers name a field to mean anything")
	for table, rows := range s.snapshot() {
		if rows != before[table] {
			t.Errorf("bad input changed table %s", table)
		}
	}
}

// checkSentences returns the problem, whose texts are for people.
func checkSentences(t *testing.T, call badCall, answer answer) (problem web.Problem) {
	if call.method == http.MethodHead { // answers have no body
		return problem
	}
	require.NoError(t, json.Unmarshal([]byte(answer.body), &problem), answer.body)
	texts := []string{problem.Detail}
	for _, field := range problem.Errors {
		texts = append(texts, field.Message)
		if field.Location == "" {
			t.Errorf("%s %s, %s: a wrong field without a name: %s", call.method, call.path, call.name, answer.body)
		}
	}
	for _, text := range texts {
		if slices.Contains(specified, text) {
			continue
		}
		first, _ := utf8.DecodeRuneInString(text)
		if !unicode.IsUpper(first) || !strings.ContainsAny(text[max(0, len(text)-1):], ".?") || strings.Contains(text, "validation") || strings.Contains(text, "%!") {
			t.Errorf("%s %s, %s: no sentence for a person: %q", call.method, call.path, call.name, text)
		}
	}
	return problem
}

// sampleIsRefusedAlike reports whether the operation finds the same fault with
// its sample, in which nothing was made wrong: a sample cannot be right in all.
func (s *stage) sampleIsRefusedAlike(op operation, problem web.Problem) bool {
	contentType, body := op.sampleBody(s)
	answer := s.send(s.viewer, op.method, op.pathWith(s, nil, ""), contentType, body)
	var alone web.Problem
	return json.Unmarshal([]byte(answer.body), &alone) == nil && alone.Status == http.StatusUnprocessableEntity &&
		len(alone.Errors) > 0 && slices.Equal(alone.Errors, problem.Errors)
}

// specified are texts that the specification gives without a full stop.
var specified = []string{"Please enter a valid email address", "You must accept the Honor Code"}

// names reports whether the problem names the field or something inside it.
func names(problem web.Problem, field string) bool {
	return slices.ContainsFunc(problem.Errors, func(e web.ProblemField) bool {
		rest, ok := strings.CutPrefix(e.Location, field)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// badCalls makes each operation's table.
func badCalls(s *stage, op operation) []badCall {
	var calls []badCall
	for _, param := range op.Parameters {
		for name, value := range badValues(s, param) {
			field := param.In + "." + param.Name
			if strings.Contains(name, "id") && param.In == "path" || strings.HasPrefix(name, "another pair's") {
				field = "" // it is not found
			}
			calls = append(calls, badCall{
				name: param.Name + " is " + name, method: op.method, field: field,
				path: op.pathWith(s, param, value), contentType: "application/json", body: op.sample(s),
			})
		}
	}
	if op.RequestBody == nil {
		return calls
	}
	path := op.pathWith(s, nil, "")
	if _, isForm := op.RequestBody.Content["multipart/form-data"]; isForm {
		for name, body := range map[string]string{
			"no part": "--x--\r\n", "not a form": "hello", "no end": "--x\r\n" + part("photo", "a"), "no name": "--x\r\n\r\nhello\r\n--x--\r\n",
		} {
			calls = append(calls, badCall{name, op.method, path, "multipart/form-data; boundary=x", body, ""})
		}
		for name, body := range badForms(s, op) {
			calls = append(calls, badCall{name, op.method, path, "multipart/form-data; boundary=x", body + "--x--\r\n", ""})
		}
		return append(calls, badCall{"no boundary", op.method, path, "multipart/form-data", "x", ""},
			badCall{"JSON for a form", op.method, path, "application/json", "{}", ""})
	}
	if _, isPart := op.RequestBody.Content[media.ChunkType]; isPart {
		for name, contentType := range map[string]string{"a text": "text/plain", "JSON": "application/json", "a form": "multipart/form-data; boundary=x"} {
			calls = append(calls, badCall{name, op.method, path, contentType, "0123456789", ""})
		}
		return append(calls, badCall{"a part of nothing", op.method, path, media.ChunkType, "0123456789", ""},
			badCall{"a large part", op.method, path, media.ChunkType, strings.Repeat("x", 26<<20), ""})
	}
	for name, bad := range badBodies(s, op) {
		calls = append(calls, badCall{name, op.method, path, "application/json", bad.text, bad.field})
	}
	return append(calls, badCall{"a body of another type", op.method, path, "text/plain", op.sample(s), ""})
}

// part is one part of a form with the boundary x; of a file where it has a name.
func part(name, content string, file ...string) string {
	disposition := `form-data; name="` + name + `"`
	if len(file) > 0 {
		disposition += `; filename="` + file[0] + `"`
	}
	return "Content-Disposition: " + disposition + "\r\n\r\n" + content + "\r\n"
}

// badForms are forms with one part wrong each: files that are no picture or
// recording, and fields like the properties of JSON.
func badForms(s *stage, op operation) map[string]string {
	schema := s.resolve(op.RequestBody.Content["multipart/form-data"].Schema)
	forms := map[string]string{}
	with := func(wrong, instead string) (form string) {
		for name, value := range op.sampleForm(s) {
			if name != wrong {
				form += "--x\r\n" + value
			}
		}
		return form + instead
	}
	for name, of := range schema.Properties {
		property := s.resolve(of)
		bad := map[string]string{"long": strings.Repeat("9", 5000), "a zero byte": "\x00", "a list": "a,b,c"}
		file := []string{}
		if property.Format == "binary" {
			file = append(file, "../../etc/passwd")
			bad = map[string]string{
				"empty": "", "text": "hello", "a page": "<!doctype html><script>alert(1)</script>", "svg": "<svg onload='alert(1)'/>",
				"a cut picture": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "a cut recording": "\x1aE\xdf\xa3\x9f",
			}
			forms[name+" is a field"] = with(name, "--x\r\n"+part(name, "hello"))
			forms[name+" is there twice"] = with("", "--x\r\n"+part(name, "hello", "x"))
		}
		for what, value := range bad {
			forms[name+" is "+what] = with(name, "--x\r\n"+part(name, value, file...))
		}
		if slices.Contains(schema.Required, name) {
			forms[name+" is missing"] = with(name, "")
		}
	}
	forms["very many parts"] = with("", strings.Repeat("--x\r\n"+part("more", "x"), 50))
	return forms
}

// badValues are wrong values of a parameter in path or query.
func badValues(s *stage, param *huma.Param) map[string]string {
	values := map[string]string{}
	schema := s.resolve(param.Schema)
	switch {
	case param.In == "path":
		values["of no form"] = "not-an-id"
		values["a zero byte"] = "%00"
		values["very long"] = strings.Repeat("9", 300)
		values["nobody's id"] = uuid.Must(uuid.NewV7()).String()
		for kind, id := range s.foreign {
			values["another pair's "+kind] = id.String()
		}
	case param.In == "query" && schema.Type == "integer":
		for _, bad := range []string{"abc", "-1", "1.5", "99999999999999999999"} {
			values[bad] = bad
		}
	case param.In == "query" && param.Name == "cursor":
		for _, bad := range []string{"x", "%00", "e30", url.QueryEscape("' OR 1=1 --"), strings.Repeat("A", 2000)} {
			values[bad[:1]+"…"+fmt.Sprint(len(bad))] = bad
		}
	case param.In == "query" && schema.Type == "string":
		values["a zero byte"] = "a%00b"
		values["no UTF-8"] = "a%ff%feb"
		values["very long"] = strings.Repeat("x", 5000)
		if len(schema.Enum) > 0 {
			values["an unknown choice"] = "nothing-of-this-kind"
		}
		if schema.Format == "uuid" {
			values["no id"] = "not-an-id"
		}
	}
	return values
}

// badBody is a JSON body with one thing wrong: a field, or the whole.
type badBody struct{ text, field string }

func badBodies(s *stage, op operation) map[string]badBody {
	bodies := map[string]badBody{}
	for what, text := range map[string]string{
		"nothing": "", "null": "null", "a list": "[]", "a text": `"x"`, "half an object": "{",
		"no UTF-8":    "{\"\xff\xfe\": \"\xff\"}",
		"very deep":   strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000),
		"very large":  `{"x":"` + strings.Repeat("x", 200_000) + `"}`,
		"wrong names": `{"nobody_knows_this": 1, "__proto__": {}}`,
	} {
		bodies[what] = badBody{text, ""}
	}
	schema := s.resolve(op.RequestBody.Content["application/json"].Schema)
	if len(schema.Required) == 0 {
		delete(bodies, "wrong names") // an edit may tolerate what it does not know
	}
	for name, property := range schema.Properties {
		for what, value := range badProperty(s.resolve(property)) {
			if what == "null" && !slices.Contains(schema.Required, name) {
				continue // it counts as left out
			}
			bodies[name+" is "+what] = badBody{op.sampleWith(s, name, value), "body." + name}
		}
		if slices.Contains(schema.Required, name) {
			bodies[name+" is missing"] = badBody{op.sampleWith(s, name, nil), "body." + name}
		}
	}
	return bodies
}

// badProperty are wrong JSON values for one property.
func badProperty(schema *huma.Schema) map[string]json.RawMessage {
	bad := map[string]json.RawMessage{}
	add := func(name, value string) { bad[name] = json.RawMessage(value) }
	if !schema.Nullable {
		add("null", "null")
	}
	switch schema.Type {
	case "string":
		add("a number", "12345")
		add("an object", "{}")
		add("a list", `["x"]`)
		add("too long", `"`+strings.Repeat("x", 30_000)+`"`)
		add("a zero byte", `"a\u0000b"`)
		if len(schema.Enum) > 0 {
			add("an unknown choice", `"nothing-of-this-kind"`)
		}
	case "integer", "number":
		add("a text", `"abc"`)
		add("huge", "1e300")
		add("negative", "-1")
		add("an object", "{}")
	case "boolean":
		add("a text", `"yes"`)
		add("a number", "2")
	case "array":
		add("a text", `"x"`)
		add("a list of objects", `[{}]`)
		add("very many", "["+strings.TrimSuffix(strings.Repeat(`"Healing",`, 2_000), ",")+"]")
	case "object":
		add("a text", `"x"`)
	}
	return bad
}
