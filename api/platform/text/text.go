// Package text has the rules of the texts that members and admins write: which characters they may have, how long they may be
// and in which form they are stored. Every text field of the API passes it.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"heartward/api/platform/fault"
)

type maximum struct {
	Max int `json:"max"`
}

// The errors of Clean. A rule may have sentences of its own for them.
var (
	errUnreadable = fault.Declare("text_unreadable", fault.Invalid, "This text has letters that we cannot read.")
	errTooLong    = fault.DeclareWith[maximum]("text_too_long", fault.Invalid, "Please use at most {max} characters.")
	errForbidden  = fault.Declare("text_with_bad_character", fault.Invalid, "This text has a character that cannot be shown.")
	codeEmpty     = fault.DeclareCode("text_empty", fault.Invalid)
)

// Rule is what a text must be. The sentences replace those that Clean has for every field.
type Rule struct {
	Max     int    // code points of the stored form
	Lines   bool   // may have line breaks and tabs
	TooLong string // the sentence for a longer text
	Bad     string // the sentence for a text that is not UTF-8 or has a forbidden character
	Empty   string // the sentence for a text without a visible character; "" if it may be empty
}

// Line returns a text of one line in its stored form. See Clean.
func Line(field, value string, limit int) (string, error) {
	return Clean(field, value, Rule{Max: limit})
}

// Lines returns a text that may have several lines in its stored form. See Clean.
func Lines(field, value string, limit int) (string, error) {
	return Clean(field, value, Rule{Max: limit, Lines: true})
}

// breaks makes each line break "\n". Office programs use a vertical tab for a line break within a paragraph, and copy it.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// Clean returns the stored form of a text: normalised to NFC, so that equal texts have equal bytes, with "\n" as the line
// break, without spaces at its ends, and empty if it has no visible character.
//
// It returns Invalid with the field for a text that is too long, is not UTF-8, has a control character or changes the
// direction of text.
func Clean(field, value string, rule Rule) (string, error) {
	if !utf8.ValidString(value) {
		return "", saying(errUnreadable, rule.Bad).ForField(field)
	}
	value = strings.TrimSpace(norm.NFC.String(breaks.Replace(value)))
	if utf8.RuneCountInString(value) > rule.Max {
		return "", saying(errTooLong.With(maximum{rule.Max}), rule.TooLong).ForField(field)
	}
	isForbidden := func(r rune) bool {
		isLayout := rule.Lines && (r == '\n' || r == '\t')
		return unicode.IsControl(r) && !isLayout || changesDirection(r)
	}
	if strings.ContainsFunc(value, isForbidden) {
		return "", saying(errForbidden, rule.Bad).ForField(field)
	}
	if strings.ContainsFunc(value, isVisible) {
		return value, nil
	}
	if rule.Empty != "" {
		return "", fault.InvalidField(field, rule.Empty).WithCode(codeEmpty)
	}
	return "", nil
}

// saying returns the error with the sentence of a rule, if it has one.
func saying(e *fault.Error, sentence string) *fault.Error {
	if sentence == "" {
		return e
	}
	return e.Saying(sentence)
}

// changesDirection reports whether r embeds, overrides or isolates text of a direction, so
// that a name or text could read differently from what it says. The marks that right-to-left
// scripts need are not among them.
func changesDirection(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// isVisible reports whether r is drawn. Some characters, such as the Hangul filler, are letters but are not drawn.
func isVisible(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) && r != '\u2800' // a Braille cell without dots
}

// WithoutInvisible removes the characters that are not drawn, except spaces, for texts that are compared. Some scripts and
// emoji need such characters between others, so it is not for texts that are read.
func WithoutInvisible(value string) string {
	return strings.Map(func(r rune) rune {
		if isVisible(r) || unicode.IsSpace(r) {
			return r
		}
		return -1
	}, value)
}

// WithoutDirections removes the characters that change the direction of text, for texts that may be copied from elsewhere,
// such as a telephone number. It returns invalid UTF-8 unchanged, which Clean refuses.
func WithoutDirections(value string) string {
	if !utf8.ValidString(value) {
		return value
	}
	return strings.Map(func(r rune) rune {
		if changesDirection(r) {
			return -1
		}
		return r
	}, value)
}
