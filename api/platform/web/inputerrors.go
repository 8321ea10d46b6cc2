package web

import (
	"fmt"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"heartward/api/platform/fault"
)

// Parameters of the errors of inputs.
type (
	allowed struct {
		Allowed string `json:"allowed"`
	}
	minimum struct {
		Min float64 `json:"min"`
	}
	maximum struct {
		Max float64 `json:"max"`
	}
	minimumCount struct {
		Min int `json:"min"`
	}
	maximumCount struct {
		Max int `json:"max"`
	}
	factor struct {
		Of float64 `json:"of"`
	}
)

// The errors of inputs that do not match their schema. The sentence of each follows "Please check <field>."; see newHumaProblem.
var (
	errUnknown           = fault.Declare("input_unknown", fault.Invalid, "It is not known here.")
	errNotDateTime       = fault.Declare("input_not_date_time", fault.Invalid, "It has to be a date with a time, such as 2026-01-31T18:30:00Z.")
	errNotHTTPDate       = fault.Declare("input_not_http_date", fault.Invalid, "It has to be a date with a time.")
	errNotDate           = fault.Declare("input_not_date", fault.Invalid, "It has to be a date, such as 2026-01-31.")
	errNotTime           = fault.Declare("input_not_time", fault.Invalid, "It has to be a time.")
	errNotEmail          = fault.Declare("input_not_email", fault.Invalid, "It has to be an email address.")
	errNotWebAddress     = fault.Declare("input_not_web_address", fault.Invalid, "It has to be a web address.")
	errNotID             = fault.Declare("input_not_id", fault.Invalid, "It has to be an id.")
	errWrongForm         = fault.Declare("input_wrong_form", fault.Invalid, "It has the wrong form.")
	errNotBoolean        = fault.Declare("input_not_boolean", fault.Invalid, "It has to be true or false.")
	errNotDuration       = fault.Declare("input_not_duration", fault.Invalid, "It has to be a duration.")
	errNotNumber         = fault.Declare("input_not_number", fault.Invalid, "It has to be a number.")
	errNotWholeNumber    = fault.Declare("input_not_whole_number", fault.Invalid, "It has to be a whole number.")
	errNotText           = fault.Declare("input_not_text", fault.Invalid, "It has to be text.")
	errNotBase64         = fault.Declare("input_not_base64", fault.Invalid, "It has to be base64.")
	errNotList           = fault.Declare("input_not_list", fault.Invalid, "It has to be a list.")
	errNotObject         = fault.Declare("input_not_object", fault.Invalid, "It has to be an object.")
	errNamedTwice        = fault.Declare("input_named_twice", fault.Invalid, "It names something twice.")
	errOtherWord         = fault.DeclareWith[allowed]("input_other_word", fault.Invalid, "It has to be one of: {allowed}.")
	errOtherValue        = fault.DeclareWith[allowed]("input_other_value", fault.Invalid, "It has to be {allowed}.")
	errBelowMin          = fault.DeclareWith[minimum]("input_below_min", fault.Invalid, "It has to be at least {min}.")
	errNotAboveMin       = fault.DeclareWith[minimum]("input_not_above_min", fault.Invalid, "It has to be more than {min}.")
	errAboveMax          = fault.DeclareWith[maximum]("input_above_max", fault.Invalid, "It can be at most {max}.")
	errNotBelowMax       = fault.DeclareWith[maximum]("input_not_below_max", fault.Invalid, "It has to be less than {max}.")
	errNotMultiple       = fault.DeclareWith[factor]("input_not_multiple", fault.Invalid, "It has to be a multiple of {of}.")
	errTooShort          = fault.DeclareWith[minimumCount]("input_too_short", fault.Invalid, "It is too short: at least {min} characters, please.")
	errTooLong           = fault.DeclareWith[maximumCount]("input_too_long", fault.Invalid, "It can have at most {max} characters.")
	errTooFew            = fault.DeclareWith[minimumCount]("input_too_few", fault.Invalid, "It needs at least {min} entries.")
	errTooManyChosen     = fault.DeclareWith[maximumCount]("input_too_many_chosen", fault.Invalid, "Please choose at most {max}.")
	errTooMany           = fault.DeclareWith[maximumCount]("input_too_many", fault.Invalid, "It can have at most {max} entries.")
	errNotHost           = fault.Declare("input_not_host", fault.Invalid, "It has to be the name of a host.")
	errNotNetworkAddress = fault.Declare("input_not_network_address", fault.Invalid, "It has to be a network address.")
	errMissing           = fault.Declare("input_missing", fault.Invalid, "It is missing.")
	errNotJSON           = fault.Declare("input_not_json", fault.Invalid, "It is not valid JSON.")
)

// plainErrors are the errors that replace those messages of Huma that contain no value of the schema.
var plainErrors = map[*string]*fault.Error{
	&validation.MsgUnexpectedProperty:                 errUnknown,
	&validation.MsgExpectedRFC3339DateTime:            errNotDateTime,
	&validation.MsgExpectedRFC1123DateTime:            errNotHTTPDate,
	&validation.MsgExpectedRFC3339Date:                errNotDate,
	&validation.MsgExpectedRFC3339Time:                errNotTime,
	&validation.MsgExpectedRFC5322Email:               errNotEmail,
	&validation.MsgExpectedRFC3986URI:                 errNotWebAddress,
	&validation.MsgExpectedRFC4122UUID:                errNotID,
	&validation.MsgExpectedMatchAtLeastOneSchema:      errWrongForm,
	&validation.MsgExpectedMatchExactlyOneSchema:      errWrongForm,
	&validation.MsgExpectedNotMatchSchema:             errWrongForm,
	&validation.MsgExpectedPropertyNameInObject:       errWrongForm,
	&validation.MsgExpectedBoolean:                    errNotBoolean,
	&validation.MsgExpectedDuration:                   errNotDuration,
	&validation.MsgExpectedNumber:                     errNotNumber,
	&validation.MsgExpectedInteger:                    errNotWholeNumber,
	&validation.MsgExpectedString:                     errNotText,
	&validation.MsgExpectedBase64String:               errNotBase64,
	&validation.MsgExpectedArray:                      errNotList,
	&validation.MsgExpectedObject:                     errNotObject,
	&validation.MsgExpectedArrayItemsUnique:           errNamedTwice,
	&validation.MsgExpectedBePattern:                  errWrongForm,
	&validation.MsgExpectedMatchPattern:               errWrongForm,
	&validation.MsgExpectedRegexp:                     errWrongForm,
	&validation.MsgExpectedRFC5890Hostname:            errNotHost,
	&validation.MsgExpectedRFC2673IPv4:                errNotNetworkAddress,
	&validation.MsgExpectedRFC2373IPv6:                errNotNetworkAddress,
	&validation.MsgExpectedRFCIPAddr:                  errNotNetworkAddress,
	&validation.MsgExpectedRFC6570URITemplate:         errWrongForm,
	&validation.MsgExpectedRFC6901JSONPointer:         errWrongForm,
	&validation.MsgExpectedRFC6901RelativeJSONPointer: errWrongForm,
}

// errorsWithValue make the errors that replace those messages of Huma that contain a value of the schema, such as a maximum.
var errorsWithValue = map[*string]func(value any) *fault.Error{
	&validation.MsgExpectedOneOf:                  func(value any) *fault.Error { return errOtherWord.With(allowed{fmt.Sprint(value)}) },
	&validation.MsgExpectedConst:                  func(value any) *fault.Error { return errOtherValue.With(allowed{fmt.Sprint(value)}) },
	&validation.MsgExpectedMinimumNumber:          func(value any) *fault.Error { return errBelowMin.With(minimum{toNumber(value)}) },
	&validation.MsgExpectedExclusiveMinimumNumber: func(value any) *fault.Error { return errNotAboveMin.With(minimum{toNumber(value)}) },
	&validation.MsgExpectedMaximumNumber:          func(value any) *fault.Error { return errAboveMax.With(maximum{toNumber(value)}) },
	&validation.MsgExpectedExclusiveMaximumNumber: func(value any) *fault.Error { return errNotBelowMax.With(maximum{toNumber(value)}) },
	&validation.MsgExpectedNumberBeMultipleOf:     func(value any) *fault.Error { return errNotMultiple.With(factor{toNumber(value)}) },
	&validation.MsgExpectedMinLength:              func(value any) *fault.Error { return errTooShort.With(minimumCount{toCount(value)}) },
	&validation.MsgExpectedMaxLength:              func(value any) *fault.Error { return errTooLong.With(maximumCount{toCount(value)}) },
	&validation.MsgExpectedMinItems:               func(value any) *fault.Error { return errTooFew.With(minimumCount{toCount(value)}) },
	&validation.MsgExpectedMinProperties:          func(value any) *fault.Error { return errTooFew.With(minimumCount{toCount(value)}) },
	&validation.MsgExpectedMaxItems:               func(value any) *fault.Error { return errTooManyChosen.With(maximumCount{toCount(value)}) },
	&validation.MsgExpectedMaxProperties:          func(value any) *fault.Error { return errTooMany.With(maximumCount{toCount(value)}) },
}

// toNumber returns a value of a schema, which Huma has as a float64.
func toNumber(value any) float64 {
	number, _ := value.(float64)
	return number
}

// toCount returns a value of a schema, which Huma has as an int.
func toCount(value any) int {
	count, _ := value.(int)
	return count
}

// missingProperty is the prefix of the message for a missing property, which is
// followed by its name: Huma's location is the object that lacks it.
const missingProperty = "missing property: "

// inputErrors has the *fault.Error of each sentence that Huma returns as a message. Its size is bounded, because values
// in the sentences are those of the schemas.
var inputErrors sync.Map

// useInputErrors replaces Huma's validation messages by the sentences of the errors above.
func useInputErrors() {
	withValue := map[string]func(any) *fault.Error{}
	for message, newError := range errorsWithValue {
		withValue[*message] = newError
	}
	for message, f := range plainErrors {
		*message = f.Message
		inputErrors.Store(f.Message, f)
	}
	validation.MsgExpectedRequiredProperty = missingProperty + "%s"
	validation.MsgExpectedDependentRequiredProperty = missingProperty + "%s"
	huma.ErrorFormatter = func(format string, args ...any) string {
		if newError := withValue[format]; newError != nil && len(args) == 1 {
			f := newError(args[0])
			inputErrors.Store(f.Message, f)
			return f.Message
		}
		if !strings.Contains(format, "%") {
			return format // the sentence uses none of the arguments
		}
		return fmt.Sprintf(format, args...)
	}
}

// inputError returns the error with a sentence that useInputErrors installed, or nil if the sentence is another one.
func inputError(sentence string) *fault.Error {
	f, _ := inputErrors.Load(sentence)
	known, _ := f.(*fault.Error)
	return known
}
