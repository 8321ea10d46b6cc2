package gazetteer

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Letters that do not decompose into a base letter and an accent.
var letters = strings.NewReplacer("ø", "o", "ł", "l", "ß", "ss", "æ", "ae", "œ", "oe", "đ", "d", "ð", "d", "þ", "th", "ı", "i")

var apostrophes = strings.NewReplacer("'", "", "’", "")

var abbreviations = map[string]string{"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount"}

// Fold returns a name in the form used for comparison: lower case without accents and
// points, single spaces, common abbreviations expanded.
func Fold(name string) string { return fold(name, true) }

// fold does not expand the last word unless whole is true.
func fold(name string, whole bool) string {
	lower := strings.ToLower(name)
	if !ascii(lower) {
		lower = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(lower))
		lower = letters.Replace(lower)
	}
	parts := strings.FieldsFunc(lower, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’'
	})
	for i, part := range parts {
		part = apostrophes.Replace(part)
		if full, ok := abbreviations[part]; ok && (whole || i < len(parts)-1) {
			part = full
		}
		parts[i] = part
	}
	return strings.Join(parts, " ")
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
