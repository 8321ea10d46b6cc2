package api_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// checkCodes checks that the codes of an error response are in the enum of the OpenAPI document, with exactly the
// parameters that it has for them.
func (s *env) checkCodes(request *http.Request, got httpResponse) {
	s.Helper()
	isCompressed := got.header.Get("Content-Encoding") != ""
	if got.contentType != "application/problem+json" || got.body == "" || isCompressed {
		return
	}
	var problem web.Problem
	require.NoError(s, json.Unmarshal([]byte(got.body), &problem), got.body)
	s.checkCode(request, problem.Code, problem.Params)
	for _, field := range problem.Errors {
		s.checkCode(request, field.Code, field.Params)
	}
}

func (s *env) checkCode(request *http.Request, code string, params map[string]any) {
	s.Helper()
	schema := s.server.API.OpenAPI().Components.Schemas.Map()["ErrorCode"]
	if !slices.Contains(schema.Enum, any(code)) {
		s.Errorf("%s %s: the code %q is not in the enum of ErrorCode", request.Method, request.URL.Path, code)
	}
	types, _ := schema.Extensions["x-params"].(map[string]any)[code].(map[string]string)
	for name, value := range params {
		if !hasType(value, types[name]) {
			s.Errorf("%s %s: the parameter %s of %s is %v, not of the type %q", request.Method, request.URL.Path, name, code, value, types[name])
		}
	}
	for name := range types {
		if _, sent := params[name]; !sent {
			s.Errorf("%s %s: the parameter %s of %s is missing", request.Method, request.URL.Path, name, code)
		}
	}
}

// hasType reports whether a decoded value is of a type of fault.ParamsOf.
func hasType(value any, name string) bool {
	switch value := value.(type) {
	case bool:
		return name == "boolean"
	case float64:
		return name == "number" || name == "integer" && value == float64(int64(value))
	case string:
		_, err := time.Parse(time.RFC3339, value)
		return name == "string" || name == "date-time" && err == nil
	}
	return false
}

// maxWithoutCode is the number of errors whose code is their kind, because they have none of their own. It may only fall.
const maxWithoutCode = 354

func TestErrors_HaveCodes(t *testing.T) {
	t.Parallel()
	codes := fault.Codes()
	require.True(t, slices.IsSorted(codes))
	require.Greater(t, len(codes), 60)
	withoutCode, unknown := 0, map[string]bool{}
	for _, source := range sources(t) {
		if source.pkg == "api/platform/fault" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), "../"+source.path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if isOfFault(n.Type, "Error") {
					t.Errorf("%s: a fault.Error without a code: use the functions of package fault", source.path)
				}
			case *ast.CallExpr:
				if isOfFault(n.Fun, "New", "InvalidField", "Wrap", "Limited") {
					withoutCode++
					if isMadeFromFault(n.Args) {
						t.Errorf("%s: an error made from parts of another loses its code and parameters: use Saying, ForField or WithField", source.path)
					}
				}
				called, _ := n.Fun.(*ast.SelectorExpr)
				if called == nil || called.Sel.Name != "WithCode" {
					return true
				}
				withoutCode--
				if literal, ok := n.Args[0].(*ast.BasicLit); ok {
					code, err := strconv.Unquote(literal.Value)
					require.NoError(t, err)
					unknown[code] = !slices.Contains(codes, code)
				}
			}
			return true
		})
	}
	maps.DeleteFunc(unknown, func(_ string, is bool) bool { return !is })
	require.Empty(t, unknown, "declare them with fault.DeclareCode")
	require.LessOrEqual(t, withoutCode, maxWithoutCode, "give the new error a code of its own with fault.Declare")
	require.GreaterOrEqual(t, withoutCode, maxWithoutCode-20, "lower maxWithoutCode to the number of today")
}

// isOfFault reports whether an expression is one of the names of package fault.
func isOfFault(e ast.Expr, names ...string) bool {
	selector, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := selector.X.(*ast.Ident)
	return ok && pkg.Name == "fault" && slices.Contains(names, selector.Sel.Name)
}

// isMadeFromFault reports whether an argument reads a part of an error with fault.From.
func isMadeFromFault(args []ast.Expr) (found bool) {
	for _, arg := range args {
		ast.Inspect(arg, func(n ast.Node) bool {
			part, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			from, ok := part.X.(*ast.CallExpr)
			found = found || ok && isOfFault(from.Fun, "From")
			return true
		})
	}
	return found
}

// TestOpenAPI_ListsErrorCodes checks the form in which clients read the codes.
func TestOpenAPI_ListsErrorCodes(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Required   []string `json:"required"`
				Enum       []string `json:"enum"`
				Properties map[string]struct {
					Ref string `json:"$ref"`
				} `json:"properties"`
				Params map[string]map[string]string `json:"x-params"`
			} `json:"schemas"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal([]byte(s.send("", http.MethodGet, "/openapi.json", "", "").body), &document))
	schemas := document.Components.Schemas
	for _, name := range []string{"Problem", "ProblemField"} {
		require.Contains(t, schemas[name].Required, "code", name)
	}
	for _, name := range []string{"Problem", "ProblemField", "RowResult"} {
		require.True(t, strings.HasSuffix(schemas[name].Properties["code"].Ref, "/ErrorCode"), name)
	}
	require.Equal(t, fault.Codes(), schemas["ErrorCode"].Enum)
	require.Equal(t, map[string]string{"max": "integer"}, schemas["ErrorCode"].Params["text_too_long"])
	require.Equal(t, map[string]string{"retryAfter": "integer"}, schemas["ErrorCode"].Params["too_often"])
}

// The session middleware and the socket send the parameters of their errors.
func TestProblem_HasParametersOfSession(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	cookie := s.signUp("gone")
	id := s.idOf(cookie)
	for status, isLeaving := range map[string]bool{"suspended": false, "leaving": true} {
		s.Exec(`UPDATE users SET profile_status = $2, deletion_due_at = CASE WHEN $3 THEN now() + interval '1 day' END WHERE id = $1`, id, status, isLeaving)
		want := map[string]any{"leaving": isLeaving}
		var problem web.Problem
		require.NoError(t, json.Unmarshal([]byte(s.send(cookie, http.MethodGet, "/api/conversations", "", "").body), &problem))
		require.Equal(t, "account_restricted", problem.Code, status)
		require.Equal(t, want, problem.Params, status)
		overSocket := s.requireNoSocket(cookie)
		require.Equal(t, problem.Detail, overSocket.Detail, status)
		require.Equal(t, want, overSocket.Params, status)
	}
}

// A refusal with the sentence of a feature keeps the code and the time of the limit.
func TestProblem_KeepsCodeWithOtherSentence(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	var got httpResponse
	for _, gender := range []string{"man", "woman", "nonbinary", "other"} { // two changes are allowed
		got = s.json(s.viewer, http.MethodPatch, "/api/users/me", map[string]any{"gender": gender})
	}
	var problem web.Problem
	require.NoError(t, json.Unmarshal([]byte(got.body), &problem), got.body)
	require.Equal(t, "too_often", problem.Code, got.body)
	require.Contains(t, problem.Detail, "twice in 30 days")
	require.Greater(t, problem.Params["retryAfter"], 3600.0)
}

// TestProblem_HasCodeOfEachInput checks the codes of inputs that Huma refuses, whose messages are strings.
func TestProblem_HasCodeOfEachInput(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	for body, code := range map[string]string{
		`{"likeType":"like","toUserId":"nobody"}`:                    "input_not_id",
		`{"likeType":"other","toUserId":"` + s.idOf(s.viewer) + `"}`: "input_other_word",
		`{"likeType":"like","toUserId":`:                             "input_not_json",
	} {
		var problem web.Problem
		got := s.send(s.viewer, http.MethodPost, "/api/likes", "application/json", body)
		require.NoError(t, json.Unmarshal([]byte(got.body), &problem), got.body)
		require.Equal(t, "input_invalid", problem.Code, got.body)
		require.Equal(t, code, problem.Errors[0].Code, got.body)
		if code == "input_other_word" {
			require.Contains(t, problem.Errors[0].Params["allowed"], "like", got.body)
		}
	}
}
