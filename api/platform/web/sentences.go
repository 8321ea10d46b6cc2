package web

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"
)

// missingProperty is the prefix of the message for a missing property, which is
// followed by its name: Huma's location is the object that lacks it.
const missingProperty = "missing property: "

// useSentences replaces Huma's validation messages by sentences for members. Each
// of them follows "Please check <field>."; see detailOf.
func useSentences() {
	huma.ErrorFormatter = func(format string, args ...any) string {
		if !strings.Contains(format, "%") {
			return format // the sentence uses none of the arguments
		}
		return fmt.Sprintf(format, args...)
	}
	for message, sentence := range map[*string]string{
		&validation.MsgUnexpectedProperty:                 "It is not known here.",
		&validation.MsgExpectedRFC3339DateTime:            "It has to be a date with a time, such as 2026-01-31T18:30:00Z.",
		&validation.MsgExpectedRFC1123DateTime:            "It has to be a date with a time.",
		&validation.MsgExpectedRFC3339Date:                "It has to be a date, such as 2026-01-31.",
		&validation.MsgExpectedRFC3339Time:                "It has to be a time.",
		&validation.MsgExpectedRFC5322Email:               "It has to be an email address.",
		&validation.MsgExpectedRFC3986URI:                 "It has to be a web address.",
		&validation.MsgExpectedRFC4122UUID:                "It has to be an id.",
		&validation.MsgExpectedMatchAtLeastOneSchema:      "It has the wrong form.",
		&validation.MsgExpectedMatchExactlyOneSchema:      "It has the wrong form.",
		&validation.MsgExpectedNotMatchSchema:             "It has the wrong form.",
		&validation.MsgExpectedPropertyNameInObject:       "It has the wrong form.",
		&validation.MsgExpectedBoolean:                    "It has to be true or false.",
		&validation.MsgExpectedDuration:                   "It has to be a duration.",
		&validation.MsgExpectedNumber:                     "It has to be a number.",
		&validation.MsgExpectedInteger:                    "It has to be a whole number.",
		&validation.MsgExpectedString:                     "It has to be text.",
		&validation.MsgExpectedBase64String:               "It has to be base64.",
		&validation.MsgExpectedArray:                      "It has to be a list.",
		&validation.MsgExpectedObject:                     "It has to be an object.",
		&validation.MsgExpectedArrayItemsUnique:           "It names something twice.",
		&validation.MsgExpectedOneOf:                      "It has to be one of: %s.",
		&validation.MsgExpectedConst:                      "It has to be %v.",
		&validation.MsgExpectedMinimumNumber:              "It has to be at least %v.",
		&validation.MsgExpectedExclusiveMinimumNumber:     "It has to be more than %v.",
		&validation.MsgExpectedMaximumNumber:              "It can be at most %v.",
		&validation.MsgExpectedExclusiveMaximumNumber:     "It has to be less than %v.",
		&validation.MsgExpectedNumberBeMultipleOf:         "It has to be a multiple of %v.",
		&validation.MsgExpectedMinLength:                  "It is too short: at least %d characters, please.",
		&validation.MsgExpectedMaxLength:                  "It can have at most %d characters.",
		&validation.MsgExpectedBePattern:                  "It has the wrong form.",
		&validation.MsgExpectedMatchPattern:               "It has the wrong form.",
		&validation.MsgExpectedMinItems:                   "It needs at least %d entries.",
		&validation.MsgExpectedMaxItems:                   "Please choose at most %d.",
		&validation.MsgExpectedMinProperties:              "It needs at least %d entries.",
		&validation.MsgExpectedMaxProperties:              "It can have at most %d entries.",
		&validation.MsgExpectedRequiredProperty:           missingProperty + "%s",
		&validation.MsgExpectedDependentRequiredProperty:  missingProperty + "%s",
		&validation.MsgExpectedRegexp:                     "It has the wrong form.",
		&validation.MsgExpectedRFC5890Hostname:            "It has to be the name of a host.",
		&validation.MsgExpectedRFC2673IPv4:                "It has to be a network address.",
		&validation.MsgExpectedRFC2373IPv6:                "It has to be a network address.",
		&validation.MsgExpectedRFCIPAddr:                  "It has to be a network address.",
		&validation.MsgExpectedRFC6570URITemplate:         "It has the wrong form.",
		&validation.MsgExpectedRFC6901JSONPointer:         "It has the wrong form.",
		&validation.MsgExpectedRFC6901RelativeJSONPointer: "It has the wrong form.",
	} {
		*message = sentence
	}
}

// fieldProblem returns the location of an input that Huma refused and the reason,
// without the value.
func fieldProblem(status int, detail *huma.ErrorDetail) ProblemField {
	if name, missing := strings.CutPrefix(detail.Message, missingProperty); missing {
		name, _, _ = strings.Cut(name, "%!") // fmt.Sprintf appends %!(EXTRA …) for a dependent property
		return ProblemField{Location: detail.Location + "." + name, Message: "It is missing."}
	}
	location := detail.Location
	if found := decodedInto.FindStringSubmatch(detail.Message); found != nil && location == "body" {
		location += "." + found[1]
	}
	return ProblemField{Location: location, Message: sentence(status, detail)}
}

// decodedInto matches the field in the error of encoding/json for a value that
// matches the schema but not the Go type, such as a number that is too large.
var decodedInto = regexp.MustCompile(`into Go struct field \w*\.?([\w.]+) of type`)

// sentence returns the message of detail if it is one of useSentences. Huma's other
// messages are for programmers and may contain the value.
func sentence(status int, detail *huma.ErrorDetail) string {
	message := detail.Message
	switch {
	case status == http.StatusBadRequest && detail.Location == "body":
		return "It is not valid JSON."
	case strings.HasPrefix(message, "It "):
		return message
	case strings.HasSuffix(message, "parameter is missing"):
		return "It is missing."
	case message == "invalid integer":
		return "It has to be a whole number."
	case message == "invalid float", message == "invalid floating value":
		return "It has to be a number."
	case message == "invalid boolean":
		return "It has to be true or false."
	}
	return "It has the wrong form."
}

// detailOf returns the text for the member: about the first invalid field, or about
// the whole request.
func detailOf(message string, fields []ProblemField) string {
	switch {
	case len(fields) > 0:
		return "Please check " + readableName(fields[0].Location) + ". " + fields[0].Message
	case message == "request body is required":
		return "Please send a body with this request."
	case strings.HasPrefix(message, "request body is too large"):
		return "That is too large."
	case message == "request body read timeout":
		return "Your request took too long to arrive. Please try again."
	case message == "cannot read request body":
		return "We could not read your request. Please try again."
	}
	return message
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
