package members

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/fault"
	"heartward/api/platform/text"
)

// The words of fields from which members choose. The constraints of users contain the same
// lists, which a test compares, so a new word needs a migration.
var (
	Genders    = []string{"woman", "man", "nonbinary", "other"}
	Educations = []string{"high_school", "some_college", "bachelors", "masters", "doctorate"}
	Religions  = []string{"christian", "jewish", "muslim", "hindu", "buddhist", "spiritual", "agnostic", "atheist", "other"}

	PersonalityTraits = []string{"Adventurous", "Affectionate", "Ambitious", "Calm", "Creative", "Curious", "Empathetic",
		"Funny", "Outgoing", "Thoughtful"}
	LifestylePreferences = []string{"Active", "Early bird", "Foodie", "Homebody", "Music lover", "Night owl", "Nonsmoker",
		"Outdoorsy", "Pet lover", "Traveler"}
	RelationshipGoals = []string{"Marriage", "Life partner", "Long-term relationship", "Dating, open to more",
		"Companionship", "Friendship first"}
	Pronouns = []string{"She/her", "He/him", "They/them", "Ze/hir", "Any"}
	// The most common ones in the U.S. are first: the app shows only these at first.
	Languages = []string{"English", "Spanish", "Mandarin", "Tagalog", "Vietnamese", "French", "Arabic",
		"Korean", "Russian", "Portuguese", "American Sign Language", "Amharic", "Bengali", "Bulgarian", "Burmese",
		"Cantonese", "Catalan", "Croatian", "Czech", "Danish", "Dutch", "Finnish", "German", "Greek", "Gujarati",
		"Haitian Creole", "Hausa", "Hebrew", "Hindi", "Hungarian", "Indonesian", "Italian", "Japanese", "Khmer",
		"Malay", "Malayalam", "Marathi", "Nepali", "Norwegian", "Persian", "Polish", "Punjabi", "Romanian",
		"Serbian", "Somali", "Swahili", "Swedish", "Tamil", "Telugu", "Thai", "Turkish", "Ukrainian", "Urdu",
		"Yoruba"}
	Drinking = []string{"Never drinks", "Rarely drinks", "Drinks socially", "Drinks often"}
	Smoking  = []string{"Never smokes", "Smokes sometimes", "Smokes often", "Vapes",
		"Trying to quit smoking"}
	Pets = []string{"Dog", "Cat", "Bird", "Fish", "Rabbit", "Reptile", "Other pet", "No pets",
		"Would like a pet", "Allergic to pets"}
)

// kind is the type of a profile field. It determines the Go type in Changes and the validation.
type kind int

const (
	other  kind = iota // validated separately, see Changes.columns
	line               // one line of at most max characters
	lines              // text with line breaks
	choice             // one of words, or null
	list               // up to max of words; without words, validated separately
	yesNo              // true, false or null
	number             // min to max, or null
)

// field is a field of a profile. Its other names are derived from its name in JSON: for
// loveReflection, the Go field LoveReflection and the column love_reflection.
type field struct {
	name     string
	kind     kind
	words    []string
	min, max int
	complete bool // counts for completeness
}

// fields are the fields of a profile. The table determines the validation, the enumerations
// of the API's schema, the completeness and the word lists of the search.
var fields = []field{
	{name: "photos", complete: true},
	{name: "bio", kind: lines, max: 1000, complete: true},
	{name: "loveReflection", kind: lines, max: 500, complete: true},
	{name: "intentionTags", kind: list, complete: true},
	{name: "prompts", complete: true},
	{name: "city", kind: line, max: 100, complete: true},
	{name: "state", kind: line, max: 100},
	{name: "occupation", kind: line, max: 100, complete: true},
	{name: "education", kind: choice, words: Educations, complete: true},
	{name: "hasChildren", kind: yesNo, complete: true},
	{name: "wantsChildren", kind: yesNo, complete: true},
	{name: "religion", kind: choice, words: Religions},
	{name: "gender", kind: choice, words: Genders},
	{name: "interestedIn", kind: list},
	{name: "heightCm", kind: number, min: 90, max: 250},
	{name: "personalityTraits", kind: list, words: PersonalityTraits, max: 10},
	{name: "lifestylePreferences", kind: list, words: LifestylePreferences, max: 10},
	{name: "relationshipGoals", kind: list, words: RelationshipGoals, max: 6},
	{name: "pronouns", kind: list, words: Pronouns, max: 4},
	{name: "languages", kind: list, words: Languages, max: 10},
	{name: "drinking", kind: list, words: Drinking, max: 1},
	{name: "smoking", kind: list, words: Smoking, max: 1},
	{name: "pets", kind: list, words: Pets, max: 6},
}

// Words are the lists of words that are shown to others and can be filtered by.
type Words struct {
	PersonalityTraits    []string `json:"personalityTraits"`
	LifestylePreferences []string `json:"lifestylePreferences"`
	RelationshipGoals    []string `json:"relationshipGoals"`
	Pronouns             []string `json:"pronouns"`
	Languages            []string `json:"languages"`
	Drinking             []string `json:"drinking"`
	Smoking              []string `json:"smoking"`
	Pets                 []string `json:"pets"`
}

// Lists returns the lists of w in the order of WordLists.
func (w *Words) Lists() []*[]string {
	value := reflect.ValueOf(w).Elem()
	lists := make([]*[]string, value.NumField())
	for i := range lists {
		lists[i] = value.Field(i).Addr().Interface().(*[]string)
	}
	return lists
}

// WordList is a list of Words with all words that can be chosen.
type WordList struct {
	Name   string // in JSON
	Column string // of users
	Words  []string
	Max    int // the number of words that a member can choose
}

// WordLists describes the fields of Words in their order.
var WordLists = func() (lists []WordList) {
	for structField := range reflect.TypeFor[Words]().Fields() {
		f := fieldNamed(jsonName(structField))
		lists = append(lists, WordList{f.name, f.column(), f.words, f.max})
	}
	return lists
}()

// fieldNamed returns the field with this name in JSON. It panics if there is none, because
// then a struct has a field that is missing in fields.
func fieldNamed(name string) field {
	at := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
	if at < 0 {
		panic("members: the table of fields has no " + name)
	}
	return fields[at]
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func (f field) column() string { return snakeCase(f.name) }

func (f field) goName() string { return strings.ToUpper(f.name[:1]) + f.name[1:] }

// snakeCase converts heightCm to height_cm.
func snakeCase(name string) string {
	var column strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			column.WriteByte('_')
		}
		column.WriteRune(unicode.ToLower(r))
	}
	return strings.TrimPrefix(column.String(), "_")
}

// filledIn reports whether the field is filled in.
func (f field) filledIn(me Me) bool {
	value := reflect.ValueOf(me).FieldByName(f.goName())
	if value.Kind() == reflect.Slice {
		return value.Len() > 0
	}
	return !value.IsZero()
}

// apply validates the field in changes, if it is present, and sets its column.
func (f field) apply(changes Changes, columns map[string]any) error {
	if f.kind == other || f.kind == list && f.words == nil {
		return nil
	}
	switch change := reflect.ValueOf(changes).FieldByName(f.goName()).Interface().(type) {
	case Field[string]:
		return f.applyText(change, columns)
	case Field[[]string]:
		return setList(columns, f.column(), change, f.chosenWords)
	case Field[bool]:
		if change.Sent {
			columns[f.column()] = change.Value
		}
	case Field[int]:
		if change.Sent {
			columns[f.column()] = change.Value
		}
		if n := change.Value; n != nil && (*n < f.min || *n > f.max) {
			return fault.InvalidField(f.name, fmt.Sprintf("Please give a number between %d and %d.", f.min, f.max))
		}
	}
	return nil
}

func (f field) applyText(change Field[string], columns map[string]any) error {
	switch {
	case !change.Sent:
		return nil
	case f.kind == choice:
		columns[f.column()] = change.Value
		return oneOf(f.name, change.Value, f.words...)
	}
	clean, err := text.Clean(f.name, change.orZero(), text.Rule{Max: f.max, Lines: f.kind == lines})
	columns[f.column()] = clean
	return err
}

// chosenWords returns words without repetitions, or Invalid if one cannot be chosen.
func (f field) chosenWords(words []string) ([]string, error) {
	chosen := []string{}
	for i, word := range words {
		if !slices.Contains(f.words, word) {
			return nil, fault.InvalidField(fmt.Sprintf("%s[%d]", f.name, i), "Please choose from the list.")
		}
		if !slices.Contains(chosen, word) {
			chosen = append(chosen, word)
		}
	}
	if len(chosen) > f.max {
		return nil, fault.InvalidField(f.name, fmt.Sprintf("Please choose at most %d.", f.max))
	}
	return chosen, nil
}

// EnumerateWords adds the words that can be chosen to the properties of a schema that have
// the name of a field.
func EnumerateWords(s *huma.Schema) *huma.Schema {
	for _, f := range fields {
		property := s.Properties[f.name]
		if property == nil || f.words == nil {
			continue
		}
		if property.Items != nil {
			property = property.Items
		}
		property.Enum = enumOf(f.words)
	}
	return s
}

func enumOf(words []string) (enum []any) {
	for _, word := range words {
		enum = append(enum, word)
	}
	return enum
}

// limitKey is the extension with the limit of a text after it was trimmed.
const limitKey = "x-limit"

// describeLimits adds the limits of the fields to the schema of Changes. It allows twice the
// limit of a text, because the text is trimmed before it is measured, and adds the limit as limitKey. It omits the words of
// lists, which are checked later so that the error contains the index of an invalid one.
func describeLimits(s *huma.Schema) *huma.Schema {
	s.Properties["fullName"].Extensions = map[string]any{limitKey: maxName}
	for _, f := range fields {
		property := s.Properties[f.name]
		switch {
		case property == nil:
		case f.kind == line || f.kind == lines:
			property.MaxLength = new(2 * f.max)
			property.Extensions = map[string]any{limitKey: f.max}
		case f.kind == list && f.words != nil:
			property.MaxItems = new(f.max)
		case f.kind == number:
			property.Minimum, property.Maximum = new(float64(f.min)), new(float64(f.max))
		case f.kind == choice:
			property.Enum = enumOf(f.words)
		}
	}
	return s
}
