package fault

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A code may only be added: a client that does not know it shows the message. A published code is never renamed, and
// its parameters keep their types.

// retryAfterParam is a parameter of all codes whose kind is RateLimited or Unavailable.
const retryAfterParam = "retryAfter"

// paramsOfCode has the types of the parameters by their names, of each code. It changes only while packages are initialised.
var paramsOfCode = map[string]map[string]string{
	string(Invalid):         {},
	string(Unauthenticated): {},
	string(Forbidden):       {},
	string(NotFound):        {},
	string(Conflict):        {},
	string(TooLarge):        {},
	string(RateLimited):     {retryAfterParam: "integer"},
	string(Unavailable):     {retryAfterParam: "integer"},
	string(Internal):        {},
}

// Codes returns all codes, sorted. The kinds are among them, for errors without a code of their own.
func Codes() []string { return slices.Sorted(maps.Keys(paramsOfCode)) }

// ParamsOf returns the types of a code's parameters by their names: integer, number, string, boolean or date-time.
func ParamsOf(code string) map[string]string { return maps.Clone(paramsOfCode[code]) }

// Declare returns an error with a code of its own. It is for variables of packages and panics if the code is declared
// twice. The error may be returned as it is, because its methods return copies. errors.Is finds it in a copy.
func Declare(code string, kind Kind, text string) *Error {
	declare(code, kind, text, map[string]string{})
	e := New(kind, text).WithCode(code)
	e.declared = e
	return e
}

// DeclareCode declares a code for errors that differ in their sentences, and returns it for WithCode. It is for variables
// of packages and panics if the code is declared twice.
func DeclareCode(code string, kind Kind) string {
	declare(code, kind, "", map[string]string{})
	return code
}

// Template is a declared error with parameters.
type Template[P any] struct {
	code string
	kind Kind
	text string
}

// Words is implemented by a parameter whose value is a code, which a client can translate. The sentence contains the result of
// Words instead of the code.
type Words interface{ Words() string }

// DeclareWith returns a template of errors with a code of their own and the parameters P, a struct whose fields are numbers,
// strings, booleans or times with their names in the tag json. {name} in the text stands for a parameter.
// It is for variables of packages and panics if the code is declared twice, or a parameter of the text is not in P.
func DeclareWith[P any](code string, kind Kind, text string) *Template[P] {
	declare(code, kind, text, typesOf(reflect.TypeFor[P]()))
	return &Template[P]{code, kind, text}
}

// With returns an error with the parameters.
func (t *Template[P]) With(params P) *Error {
	e := New(t.kind, t.text).WithCode(t.code)
	e.Params = valuesOf(reflect.ValueOf(params))
	e.Message = render(t.text, e.Params)
	return e
}

var (
	validCode   = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	placeholder = regexp.MustCompile(`\{(\w+)\}`)
)

// declare registers a code with the types of its parameters, and adds retryAfter to them if the kind has it. It panics if the
// code is malformed or declared already, and if the text has a parameter that is not in types.
func declare(code string, kind Kind, text string, types map[string]string) {
	if !validCode.MatchString(code) {
		panic("fault: the code " + code + " has another form than such_as_this")
	}
	if _, known := paramsOfCode[code]; known {
		panic("fault: the code " + code + " is declared twice")
	}
	if kind == RateLimited || kind == Unavailable {
		types[retryAfterParam] = "integer"
	}
	for _, found := range placeholder.FindAllStringSubmatch(text, -1) {
		if types[found[1]] == "" {
			panic("fault: the text of " + code + " has the unknown parameter " + found[1])
		}
	}
	paramsOfCode[code] = types
}

// typesOf returns the types of a struct's fields by their names.
func typesOf(params reflect.Type) map[string]string {
	types := map[string]string{}
	for field := range params.Fields() {
		types[nameOf(field)] = typeOf(field.Type)
	}
	return types
}

func nameOf(field reflect.StructField) string {
	name := field.Tag.Get("json")
	if name == "" || strings.Contains(name, ",") {
		panic("fault: the parameter " + field.Name + " needs a tag with its name")
	}
	return name
}

func typeOf(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "date-time"
	case t.Kind() == reflect.String:
		return "string"
	case t.Kind() == reflect.Bool:
		return "boolean"
	case t.Kind() == reflect.Float64:
		return "number"
	case t.Kind() == reflect.Int, t.Kind() == reflect.Int64:
		return "integer"
	}
	panic("fault: a parameter cannot be of type " + t.String())
}

func valuesOf(params reflect.Value) map[string]any {
	values := map[string]any{}
	for field, value := range params.Fields() {
		values[nameOf(field)] = value.Interface()
	}
	return values
}

// render returns the text with the values of its parameters.
func render(text string, params map[string]any) string {
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		value, known := params[found[1:len(found)-1]]
		code, isCode := value.(Words)
		switch {
		case !known:
			return found
		case isCode:
			return code.Words()
		}
		return fmt.Sprint(value)
	})
}
