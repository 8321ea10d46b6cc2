package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/text"
)

func TestClean_ReturnsStoredForm(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"":                       "",
		"  two  spaces inside\t": "two  spaces inside",
		"cafe\u0301":             "caf\u00e9",
		"one\r\ntwo\tthree":      "one\ntwo\tthree",
		"from\va\fslide\rof\u2028an\u2029office\u0085program": "from\na\nslide\nof\nan\noffice\nprogram",
		"\u3164":         "",
		" \u200b\u2060 ": "",
		"\ufe0f":         "",
		"\u2800\u115f":   "",
		"❤️":             "❤️",
		"👩‍❤️‍👩 and 🏳️‍🌈": "👩‍❤️‍👩 and 🏳️‍🌈",
		"שלום\u200f עולם": "שלום\u200f עולם",
		"می\u200cخواهم":   "می\u200cخواهم",
		"1":               "1",
	} {
		got, err := text.Lines("note", given, 100)
		require.NoError(t, err, "%q", given)
		require.Equal(t, want, got, "%q", given)
	}
}

func TestClean_ErrorHasFieldAndSentenceOfRule(t *testing.T) {
	t.Parallel()
	rule := text.Rule{Max: 3, TooLong: "Too long.", Bad: "Bad.", Empty: "Empty."}
	for given, want := range map[string]string{
		"abcd": "Too long.", "\xff": "Bad.", "a\x00": "Bad.", "a\nb": "Bad.", "a\vb": "Bad.", "a\x03": "Bad.", "a\u202eb": "Bad.", "a\u2066": "Bad.", "\u3164\u200b": "Empty.",
	} {
		_, err := text.Clean("note", given, rule)
		testkit.RequireKind(t, err, fault.Invalid, "%q", given)
		require.Equal(t, [2]string{"note", want}, [2]string{fault.From(err).Field, fault.From(err).Message}, "%q", given)
	}
}

func TestLine_LimitCountsCharactersOfStoredForm(t *testing.T) {
	t.Parallel()
	_, err := text.Line("note", "four", 3)
	require.Equal(t, "Please use at most 3 characters.", fault.From(err).Message)
	got, err := text.Line("note", "e\u0301e\u0301e\u0301", 3)
	require.NoError(t, err)
	require.Equal(t, "ééé", got)
}

func TestWithoutDirections(t *testing.T) {
	t.Parallel()
	require.Equal(t, "+44 20 7946 0000", text.WithoutDirections("\u202a+44 20 7946 0000\u202c"))
	require.Equal(t, "\xff\u202a", text.WithoutDirections("\xff\u202a"))
}

func TestWithoutInvisible(t *testing.T) {
	t.Parallel()
	require.Equal(t, "long distance\u00a0x", text.WithoutInvisible("lo\u200bng dis\u00adtance\u00a0x\ufe0f\u3164"))
	require.Equal(t, "cafe\u0301", text.WithoutInvisible("cafe\u0301"))
}

// Cleaning a clean text does not change it, for any text.
func FuzzClean(f *testing.F) {
	for _, seed := range []string{"cafe\u0301", "\u3164", " a\r\nb ", "\u202e", "\xff", strings.Repeat("é", 300), "각", "a\r\r\nb"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		got, err := text.Lines("note", given, 200)
		if err != nil {
			return
		}
		require.True(t, utf8.ValidString(got))
		require.LessOrEqual(t, utf8.RuneCountInString(got), 200)
		again, err := text.Lines("note", got, 200)
		require.NoError(t, err)
		require.Equal(t, got, again)
	})
}
