package fault_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
)

type params struct {
	Name  string    `json:"name"`
	Max   int       `json:"max"`
	Share float64   `json:"share"`
	Last  bool      `json:"last"`
	At    time.Time `json:"at"`
}

var (
	errPlain = fault.Declare("test_plain", fault.Conflict, "It is taken.")
	errFull  = fault.DeclareWith[params]("test_full", fault.RateLimited, "{name} has {max} already.")
)

func TestDeclare_ReturnsErrorWithCode(t *testing.T) {
	t.Parallel()
	require.Equal(t, "test_plain", errPlain.Code)
	require.Equal(t, "It is taken.", errPlain.Message)
	require.Contains(t, fault.Codes(), "test_plain")
	require.Equal(t, "conflict", fault.New(fault.Conflict, "x").Code, "the kind is the code of others")
	for name, declare := range map[string]func(){
		"twice":             func() { fault.Declare("test_plain", fault.Conflict, "x") },
		"a kind":            func() { fault.Declare("not_found", fault.NotFound, "x") },
		"form":              func() { fault.Declare("Test-Form", fault.Conflict, "x") },
		"unknown parameter": func() { fault.Declare("test_unknown", fault.Conflict, "At most {max}.") },
		"no tag":            func() { fault.DeclareWith[struct{ Max int }]("test_tag", fault.Conflict, "x") },
		"type": func() {
			fault.DeclareWith[struct {
				IDs []int `json:"ids"`
			}]("test_type", fault.Conflict, "x")
		},
	} {
		require.Panics(t, declare, name)
	}
}

func TestTemplate_RendersParameters(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	e := errFull.With(params{"{max} Ann", 3, 0.5, true, at})
	require.Equal(t, "{max} Ann has 3 already.", e.Message, "a value is not a template")
	require.Equal(t, map[string]any{"name": "{max} Ann", "max": 3, "share": 0.5, "last": true, "at": at}, e.Parameters())
	require.Equal(t, map[string]string{
		"name": "string", "max": "integer", "share": "number", "last": "boolean", "at": "date-time", "retryAfter": "integer",
	}, fault.ParamsOf("test_full"))
	require.Equal(t, "Only 3.", e.Saying("Only {max}.").Message)
	require.Equal(t, 2, e.After(1100 * time.Millisecond).Parameters()["retryAfter"])
	require.NotContains(t, e.Parameters(), "retryAfter")
}

type colour string

func (c colour) Words() string { return "the colour " + string(c) }

func TestTemplate_RendersWordsOfCodes(t *testing.T) {
	t.Parallel()
	type params struct {
		Colour colour `json:"colour"`
	}
	e := fault.DeclareWith[params]("test_words", fault.Conflict, "It has {colour}.").With(params{"red"})
	require.Equal(t, "It has the colour red.", e.Message)
	sent, err := json.Marshal(e.Parameters())
	require.NoError(t, err)
	require.JSONEq(t, `{"colour": "red"}`, string(sent))
	require.Equal(t, map[string]string{"colour": "string"}, fault.ParamsOf("test_words"))
}

func TestError_MethodsReturnCopies(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	e := errPlain.ForField("name").Wrap(cause).After(time.Second).Saying("Other.")
	require.Equal(t, fault.Invalid, e.Kind)
	require.Equal(t, "name", e.Field)
	require.ErrorIs(t, e, cause)
	require.ErrorIs(t, e, errPlain, "the error of which it is a copy")
	require.NotErrorIs(t, errPlain, e)
	require.Empty(t, errPlain.Field)
	require.Equal(t, "It is taken.", errPlain.Message)
	require.Zero(t, errPlain.RetryAfter)
}

func TestError_KeepsCodeWithField(t *testing.T) {
	t.Parallel()
	e := errPlain.ForField("name")
	require.Equal(t, "test_plain", e.Code)
	require.Equal(t, "invalid", fault.New(fault.NotFound, "x").ForField("name").Code, "the kind was the code")
	e = errPlain.WithField("name")
	require.Equal(t, fault.Conflict, e.Kind)
	require.Equal(t, "name", e.Field)
	require.Empty(t, errPlain.Field)
}
