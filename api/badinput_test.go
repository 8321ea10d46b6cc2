package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
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

// badCall is a request that must be refused with a problem and a status 4xx, without
// changing a table.
type badCall struct {
	name, method, path, contentType, body string
	field                                 string // the field in a 422; empty if the whole body is invalid
}

// Reads the operations from the OpenAPI document, so that new ones are covered. It
// sends to each of them wrong types, long values, missing fields, unknown enum values
// and ids of others.
func TestOperations_RefuseBadInput(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	before := s.snapshot()
	calls, withField := 0, 0
	for _, op := range s.operations() {
		for _, call := range badCalls(s, op) {
			calls++
			resp := s.send(s.viewer, call.method, call.path, call.contentType, call.body)
			if resp.status < 400 || resp.status >= 500 {
				t.Errorf("%s %s, %s: %d %.200s", call.method, call.path, call.name, resp.status, resp.body)
				continue
			}
			if !strings.HasPrefix(resp.contentType, "application/problem+json") {
				t.Errorf("%s %s, %s: the content type is %q", call.method, call.path, call.name, resp.contentType)
			}
			if problem := checkSentences(t, call, resp); call.field != "" && resp.status == http.StatusUnprocessableEntity && call.method != http.MethodHead {
				withField++
				if !namesField(problem, call.field) && !s.sampleHasSameErrors(op, problem) {
					t.Errorf("%s %s, %s: the response does not name %s: %s", call.method, call.path, call.name, call.field, resp.body)
				}
			}
			for _, secret := range append(s.secrets(), "SQLSTATE", "goroutine", "pgx", "SELECT ") {
				if strings.Contains(resp.body, secret) {
					t.Errorf("%s %s, %s: the response contains %q", call.method, call.path, call.name, secret)
				}
			}
		}
	}
	require.Greater(t, calls, 300, "there are enough invalid requests")
	require.Greater(t, withField, 300, "enough responses name a field")
	for table, hash := range s.snapshot() {
		if hash != before[table] {
			t.Errorf("bad input changed table %s", table)
		}
	}
}

// checkSentences returns the problem, after checking that its texts are sentences for
// members.
func checkSentences(t *testing.T, call badCall, resp httpResponse) (problem web.Problem) {
	if call.method == http.MethodHead { // its responses have no body
		return problem
	}
	require.NoError(t, json.Unmarshal([]byte(resp.body), &problem), resp.body)
	texts := []string{problem.Detail}
	for _, field := range problem.Errors {
		texts = append(texts, field.Message)
		if field.Location == "" {
			t.Errorf("%s %s, %s: an invalid field without a location: %s", call.method, call.path, call.name, resp.body)
		}
	}
	for _, text := range texts {
		if slices.Contains(withoutFullStop, text) {
			continue
		}
		first, _ := utf8.DecodeRuneInString(text)
		if !unicode.IsUpper(first) || !strings.ContainsAny(text[max(0, len(text)-1):], ".?") || strings.Contains(text, "validation") || strings.Contains(text, "%!") {
			t.Errorf("%s %s, %s: not a sentence for members: %q", call.method, call.path, call.name, text)
		}
	}
	return problem
}

// sampleHasSameErrors reports whether the sample is refused for the same reason. A
// sample has valid types but cannot satisfy every rule of the product.
func (s *env) sampleHasSameErrors(op operation, problem web.Problem) bool {
	contentType, body := op.sampleBody(s)
	resp := s.send(s.viewer, op.method, op.pathWith(s, nil, ""), contentType, body)
	var ofSample web.Problem
	return json.Unmarshal([]byte(resp.body), &ofSample) == nil && ofSample.Status == http.StatusUnprocessableEntity &&
		len(ofSample.Errors) > 0 && reflect.DeepEqual(ofSample.Errors, problem.Errors)
}

// withoutFullStop are texts that the product's specification has without a full stop.
var withoutFullStop = []string{"Please enter a valid email address", "You must accept the Honor Code"}

// namesField reports whether the problem names the field or a part of it.
func namesField(problem web.Problem, field string) bool {
	return slices.ContainsFunc(problem.Errors, func(e web.ProblemField) bool {
		rest, ok := strings.CutPrefix(e.Location, field)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// acceptsUnknownIDs are the operations that succeed for unknown ids, because their responses
// would tell a hidden profile from a deleted account.
var acceptsUnknownIDs = map[string]bool{"unblock": true, "undo-pass": true}

// badCalls returns the invalid requests of an operation.
func badCalls(s *env, op operation) []badCall {
	var calls []badCall
	for _, param := range op.Parameters {
		for name, value := range badValues(s, param) {
			if _, err := uuid.Parse(value); err == nil && acceptsUnknownIDs[op.OperationID] {
				continue
			}
			field := param.In + "." + param.Name
			if strings.Contains(name, "id") && param.In == "path" || strings.HasPrefix(name, "another pair's") {
				field = "" // the response is a 404, which names no field
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
	if _, isPart := op.RequestBody.Content[media.PartType]; isPart {
		for name, contentType := range map[string]string{"a text": "text/plain", "JSON": "application/json", "a form": "multipart/form-data; boundary=x"} {
			calls = append(calls, badCall{name, op.method, path, contentType, "0123456789", ""})
		}
		return append(calls, badCall{"a part without an offset", op.method, path, media.PartType, "0123456789", ""},
			badCall{"a large part", op.method, path, media.PartType, strings.Repeat("x", 26<<20), ""})
	}
	for name, bad := range badBodies(s, op) {
		calls = append(calls, badCall{name, op.method, path, "application/json", bad.text, bad.field})
	}
	return append(calls, badCall{"a body of another type", op.method, path, "text/plain", op.sample(s), ""},
		badCall{"a form", op.method, path, "multipart/form-data; boundary=x", multipartBody, ""})
}

// multipartBody is the body of a form with the boundary x and a file.
const multipartBody = "--x\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"me\"\r\n\r\nhello\r\n--x--\r\n"

// badValues returns invalid values of a path or query parameter.
func badValues(s *env, param *huma.Param) map[string]string {
	values := map[string]string{}
	schema := s.resolve(param.Schema)
	switch {
	case param.In == "path":
		values["malformed"] = "not-an-id"
		values["a zero byte"] = "%00"
		values["very long"] = strings.Repeat("9", 300)
		values["unknown id"] = uuid.Must(uuid.NewV7()).String()
		for kind, id := range s.idsOfOthers {
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
		values["invalid UTF-8"] = "a%ff%feb"
		values["very long"] = strings.Repeat("x", 5000)
		if len(schema.Enum) > 0 {
			values["an unknown choice"] = "nothing-of-this-kind"
		}
		if schema.Format == "uuid" {
			values["not an id"] = "not-an-id"
		}
	}
	return values
}

// badBody is a JSON body with one invalid field, or invalid as a whole.
type badBody struct{ text, field string }

func badBodies(s *env, op operation) map[string]badBody {
	bodies := map[string]badBody{}
	for defect, text := range map[string]string{
		"nothing": "", "null": "null", "a list": "[]", "a text": `"x"`, "a truncated object": "{",
		"invalid UTF-8": "{\"\xff\xfe\": \"\xff\"}",
		"deeply nested": strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000),
		"very large":    `{"x":"` + strings.Repeat("x", 200_000) + `"}`,
		"unknown names": `{"nobody_knows_this": 1, "__proto__": {}}`,
	} {
		bodies[defect] = badBody{text, ""}
	}
	schema := s.resolve(op.RequestBody.Content["application/json"].Schema)
	if len(schema.Required) == 0 {
		delete(bodies, "unknown names") // an edit may ignore unknown properties
	}
	for name, property := range schema.Properties {
		for defect, value := range badProperty(s.resolve(property)) {
			if defect == "null" && !slices.Contains(schema.Required, name) {
				continue // equivalent to a missing property
			}
			bodies[name+" is "+defect] = badBody{op.sampleWith(s, name, value), "body." + name}
		}
		if slices.Contains(schema.Required, name) {
			bodies[name+" is missing"] = badBody{op.sampleWith(s, name, nil), "body." + name}
		}
	}
	return bodies
}

// badProperty returns invalid JSON values of a property.
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
