package search

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// prefilterLength is the number of characters of a search that its prefilter checks.
const prefilterLength = 12

// prefilter returns a regular expression that matches every stored text whose search_form contains that of words. It also
// matches some others, so that search_form still decides, but it costs a fraction and spares most texts the normalization. It
// returns "", which matches every text, for words with a character that has too many forms or is a combining one, which the
// normalization may reorder.
func prefilter(words string) string {
	var pattern strings.Builder
	var before rune
	for i, r := range []rune(searchForm(words)) {
		if i == prefilterLength {
			break
		}
		if isJamo(r) || norm.NFD.PropertiesString(string(r)).CCC() != 0 {
			return ""
		}
		pattern.WriteString("(?:" + class(append([]rune{r}, forms().sources[r]...)) + "[\u0300-\u036f]*)")
		if i > 0 && forms().pairs[[2]rune{before, r}] { // one character may stand for both, as ß for SS
			pattern.WriteByte('?')
		}
		before = r
	}
	return pattern.String()
}

// searchForm returns the same as search_form of the database.
func searchForm(text string) string {
	return cases.Upper(language.Und).String(withoutAccents(text))
}

// isJamo reports whether a character is one of the parts of which Hangul syllables consist. Each is in hundreds of syllables.
func isJamo(r rune) bool { return r >= 0x1100 && r <= 0x11ff }

// class returns a bracket expression that PostgreSQL and package regexp read alike.
func class(letters []rune) string {
	var b strings.Builder
	b.WriteByte('[')
	for _, r := range letters {
		if r < utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsSpace(r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	b.WriteByte(']')
	return b.String()
}

// characterForms describes the characters that search_form changes.
type characterForms struct {
	sources map[rune][]rune  // the characters whose form contains the key: ß and ſ among those of S
	pairs   map[[2]rune]bool // the neighbours within one form: S and S of ß
}

// forms is computed once, in some ten milliseconds. Ideographs and Hangul syllables are left out: search_form changes only the few
// ideographs of the compatibility blocks, which are read, and a search for Hangul has no prefilter.
var forms = sync.OnceValue(func() characterForms {
	f := characterForms{sources: map[rune][]rune{}, pairs: map[[2]rune]bool{}}
	for _, block := range [][2]rune{{0, 0x33ff}, {0xa000, 0xabff}, {0xf900, 0xffff}, {0x10000, 0x1efff}, {0x2f800, 0x2fa1f}} {
		for r := block[0]; r <= block[1]; r++ {
			form := []rune(searchForm(string(r)))
			if len(form) == 1 && form[0] == r {
				continue
			}
			for i, part := range form {
				f.sources[part] = append(f.sources[part], r)
				if i > 0 {
					f.pairs[[2]rune{form[i-1], part}] = true
				}
			}
		}
	}
	return f
})
