package members

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

func TestSplitName_AllowsNamesOfPeople(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Ada", "J. R. R. Tolkien", "J.R.R. Tolkien", "St. John Rivers", "Mary-Jane O’Neil", "Nguyễn Thị Ánh", "Zoë", "李小龍", "نور", "שָׁלוֹם",
		"Жанна", "Σοφία", "สมชาย", "प्रिया", "नूर 🦊", "Adrian Minor", "Amin", "Staffan", "Stafford", "Supporta", "Hart Ward", "Modi", "Ann Robert 3rd",
		"Alan Service", "Ana D'Min", "Ward Heart", "Offi Cialdini",
	} {
		_, _, _, err := splitName(name)
		require.NoError(t, err, name)
	}
}

func TestSplitName_RefusesOtherNames(t *testing.T) {
	t.Parallel()
	const team = "This name could be taken for someone on our team. Please use your own."
	const address = "A name can't have an email address or a link in it."
	for name, want := range map[string]string{
		"Heartward Safety Team": team, "heartward": team, "My Heartward": team, "H e a r t w a r d": team, "Ηeаrtwаrd": team, "𝓗𝓮𝓪𝓻𝓽𝔀𝓪𝓻𝓭": team,
		"He\u200dart\u2060ward": team, "Héärtwård": team, "H3artw4rd": team, "Heart-ward Anna": team, "Heartvvard": team, "TheHeartwardTeam": team,
		"Admin": team, "ADMIN Kim": team, "Kim Аdmіn": team, "Adm1n": team, "A d m i n": team, "Ad-min": team, "ａｄｍｉｎ": team, "Adrnin": team, "Admın": team,
		"@dmin": address, "Adm!n": team, "Moderator": team, "Мoderator Anna": team, "Support": team, "$upport Anna": team, "Safety Team": team,
		"Trust and Safety": team, "Staff": team, "Official": team, "0fficial": team,
		"evil.example": address, "http://evil.example/x y": address, "Ann www.x": address, "Ann a@b": address, "Ann ev\u200bil.com": address,
		"Ann evil．com": address, "Ann evil。com": address, "Ann https://x": address,
		"1 Anna": "Please begin with your first name, in letters.", "🦊 Nour": "Please begin with your first name, in letters.",
		"A\u0301\u0302\u0303\u0304nn": "Please use fewer accents on one letter.", "Ann e\u0320\u0321\u0322\u0323": "Please use fewer accents on one letter.",
	} {
		_, _, _, err := splitName(name)
		testkit.RequireKind(t, err, fault.Invalid, "%q", name)
		require.Equal(t, [2]string{"fullName", want}, [2]string{fault.From(err).Field, fault.From(err).Message}, "%q", name)
	}
}

// Every spelling of a reserved word by look-alike letters is refused, and what is allowed keeps the rules.
func FuzzSplitName(f *testing.F) {
	alike := map[rune][]rune{}
	for letter, as := range reserved.letters {
		alike[as] = append(alike[as], letter)
	}
	f.Add("Ada Byron", uint64(7))
	f.Add("J.R. 🦊 e\u0301", uint64(1<<40+3))
	f.Fuzz(func(t *testing.T, name string, choice uint64) {
		for _, word := range []string{"admin", "heartward", "moderator", "support"} {
			spelled := strings.Map(func(letter rune) rune {
				letters := append([]rune{letter, unicode.ToUpper(letter)}, alike[letter]...)
				choice = choice*6364136223846793005 + 1442695040888963407
				return letters[choice>>33%uint64(len(letters))]
			}, word)
			_, _, _, err := splitName("Kim " + spelled)
			require.Error(t, err, spelled)
		}
		whole, first, last, err := splitName(name)
		if err != nil {
			require.Equal(t, fault.Invalid, fault.From(err).Kind)
			return
		}
		require.Equal(t, whole, strings.TrimSpace(first+" "+last))
		require.True(t, strings.ContainsFunc(first, unicode.IsLetter), "%q", first)
		require.LessOrEqual(t, marksOnALetter(whole), 3)
		require.NotContains(t, whole, "://")
		again, _, _, err := splitName(whole)
		require.NoError(t, err)
		require.Equal(t, whole, again)
	})
}
