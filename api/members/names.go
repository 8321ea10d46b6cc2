package members

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"heartward/api/platform/fault"
	"heartward/api/platform/text"
)

//go:embed names.txt
var reservedNames string

// reserved is the data of names.txt, its words in the form of skeleton.
var reserved = parseReserved(reservedNames)

type reservedWords struct {
	product, staff []string
	letters        map[rune]rune // the letter that another one is read as
}

func parseReserved(data string) reservedWords {
	r := reservedWords{letters: map[rune]rune{}}
	var product, staff []string
	for line := range strings.Lines(data) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		switch words[0] {
		case "product":
			product = append(product, words[1:]...)
		case "staff":
			staff = append(staff, words[1:]...)
		case "like":
			as, _ := utf8.DecodeRuneInString(words[1])
			for _, letter := range words[2:] {
				from, _ := utf8.DecodeRuneInString(letter)
				r.letters[from] = as
			}
		}
	}
	for _, word := range product {
		r.product = append(r.product, r.skeleton(word))
	}
	for _, word := range staff {
		r.staff = append(r.staff, r.skeleton(word))
	}
	return r
}

// skeleton returns the letters that a word is read as: without case, accents and signs, look-alike letters of other
// scripts and digits as Latin ones. Texts that look alike have the same skeleton; it is for comparisons only.
func (r reservedWords) skeleton(word string) string {
	letters := strings.Map(func(letter rune) rune {
		for _, letter := range []rune{letter, unicode.ToLower(letter)} {
			if as, ok := r.letters[letter]; ok {
				return as
			}
		}
		letter = unicode.ToLower(letter)
		if unicode.IsLetter(letter) || unicode.IsNumber(letter) {
			return letter
		}
		return -1
	}, norm.NFKD.String(text.WithoutInvisible(word)))
	return strings.NewReplacer("rn", "m", "vv", "w", "uu", "w").Replace(letters)
}

// contains reports whether a name has a reserved word.
func (r reservedWords) contains(name string) bool {
	var words []string
	for _, word := range strings.FieldsFunc(name, func(letter rune) bool {
		return unicode.IsSpace(letter) || strings.ContainsRune("-_.,:;/·'’", letter)
	}) {
		words = append(words, r.skeleton(word))
	}
	whole := r.skeleton(name)
	if slices.ContainsFunc(r.product, func(product string) bool { return strings.Contains(whole, product) }) {
		return true
	}
	for from := range words {
		for to := from + 1; to <= len(words); to++ {
			if slices.Contains(r.staff, r.skeleton(strings.Join(words[from:to], ""))) {
				return true
			}
		}
	}
	return false
}

// link matches an e-mail address and an address of the web, with or without its scheme. The
// dot of an initial or of "St. John" is not in a link.
var link = regexp.MustCompile(`(?i)@|://|www\.|[\pL\pN]{2,}[.。][\pL\pN-]{2,}`)

// maxMarks is the highest number of combining marks on a letter. Vietnamese and Hebrew need
// two and three; more cover the lines around a name.
const maxMarks = 3

// checkName returns Invalid with the field fullName for a name that could be taken for that of
// our team, contains a link, covers other lines or does not begin with a word of letters.
func checkName(name string) error {
	refuse := func(why string) error { return fault.InvalidField("fullName", why) }
	first, _, _ := strings.Cut(name, " ")
	switch {
	case !strings.ContainsFunc(first, unicode.IsLetter):
		return refuse("Please begin with your first name, in letters.")
	case link.MatchString(norm.NFKC.String(text.WithoutInvisible(name))):
		return refuse("A name can't have an email address or a link in it.")
	case marksOnALetter(name) > maxMarks:
		return refuse("Please use fewer accents on one letter.")
	case reserved.contains(name):
		return refuse("This name could be taken for someone on our team. Please use your own.")
	}
	return nil
}

// marksOnALetter returns the highest number of combining marks after one letter, with every
// accent counted as a mark.
func marksOnALetter(name string) int {
	highest, marks := 0, 0
	for _, letter := range norm.NFD.String(name) {
		if unicode.In(letter, unicode.Mn, unicode.Me) {
			marks++
		} else {
			marks = 0
		}
		highest = max(highest, marks)
	}
	return highest
}
