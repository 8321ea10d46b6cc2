package web

import (
	"net/http"
	"regexp"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/fault"
)

// fieldProblem returns the location of an input that Huma refused and the reason,
// without the value.
func fieldProblem(status int, detail *huma.ErrorDetail) ProblemField {
	if name, missing := strings.CutPrefix(detail.Message, missingProperty); missing {
		name, _, _ = strings.Cut(name, "%!") // fmt.Sprintf appends %!(EXTRA …) for a dependent property
		return problemField(detail.Location+"."+name, errMissing)
	}
	location := detail.Location
	if found := decodedInto.FindStringSubmatch(detail.Message); found != nil && location == "body" {
		location += "." + found[1]
	}
	return problemField(location, errorOf(status, detail))
}

// decodedInto matches the field in the error of encoding/json for a value that
// matches the schema but not the Go type, such as a number that is too large.
var decodedInto = regexp.MustCompile(`into Go struct field \w*\.?([\w.]+) of type`)

// errorOf returns the error for a detail of Huma. A message that useInputErrors has not replaced is for programmers and may
// contain the value, so it is not used.
func errorOf(status int, detail *huma.ErrorDetail) *fault.Error {
	message := detail.Message
	if f := inputError(message); f != nil {
		return f
	}
	switch {
	case status == http.StatusBadRequest && detail.Location == "body":
		return errNotJSON
	case strings.HasSuffix(message, "parameter is missing"):
		return errMissing
	case message == "invalid integer":
		return errNotWholeNumber
	case message == "invalid float", message == "invalid floating value":
		return errNotNumber
	case message == "invalid boolean":
		return errNotBoolean
	}
	return errWrongForm
}

// codeInvalidInput is the code of a request with inputs that do not match their schema. Each input has a code of its own.
var codeInvalidInput = fault.DeclareCode("input_invalid", fault.Invalid)

var (
	errNoBody         = fault.Declare("body_missing", fault.Invalid, "Please send a body with this request.")
	errBodyTooLarge   = fault.Declare("body_too_large", fault.TooLarge, "That is too large.")
	errBodyTooSlow    = fault.Declare("body_too_slow", fault.Invalid, "Your request took too long to arrive. Please try again.")
	errBodyUnreadable = fault.Declare("body_unreadable", fault.Invalid, "We could not read your request. Please try again.")
)

// requestFault returns the error for a message of Huma about the whole request. The kind is that of its status.
func requestFault(kind fault.Kind, message string) *fault.Error {
	switch {
	case message == "request body is required":
		return errNoBody
	case strings.HasPrefix(message, "request body is too large"):
		return errBodyTooLarge
	case message == "request body read timeout":
		return errBodyTooSlow
	case message == "cannot read request body":
		return errBodyUnreadable
	}
	return fault.New(kind, message)
}

// readableName returns the name of a location for members, such as "intention tags" for
// body.intentionTags[2].
func readableName(location string) string {
	name := location[strings.LastIndexByte(location, '.')+1:]
	name, _, _ = strings.Cut(name, "[")
	switch name {
	case "", "body":
		return "the request"
	}
	var words strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			words.WriteByte(' ')
		}
		words.WriteRune(unicode.ToLower(r))
	}
	return words.String()
}
