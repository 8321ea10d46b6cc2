package search

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// What the prefilter refuses is never found, so it must match whatever contains the words in the form of the search.
func TestPrefilter_MatchesWhatTheSearchFinds(t *testing.T) {
	t.Parallel()
	letters := []rune("aàAÄsSßẞſfiﬁﬃﬀstﬆkK\u212aiİıI\u0307\u0301\u0328\u0345eéœŒñ ǆǅнйёЁΣσςάᾳΐŉ한국ㅎ漢\uf900の゙が.*[]^-\\%_ 1\u064e\u0651\u0622\u0627\u0653ো")
	texts := rapid.Custom(func(t *rapid.T) string {
		return norm.NFC.String(string(rapid.SliceOfN(rapid.SampledFrom(letters), 1, 20).Draw(t, "letters")))
	})
	rapid.Check(t, func(t *rapid.T) {
		content := texts.Draw(t, "content")
		runes := []rune(content)
		from := rapid.IntRange(0, len(runes)-1).Draw(t, "from")
		words := string(runes[from : from+rapid.IntRange(1, len(runes)-from).Draw(t, "length")])
		switch rapid.IntRange(0, 3).Draw(t, "change") {
		case 0:
			words = strings.ToLower(words)
		case 1:
			words = searchForm(words)
		case 2:
			words = texts.Draw(t, "other words")
		}
		if strings.Contains(searchForm(content), searchForm(words)) && !regexp.MustCompile(prefilter(words)).MatchString(content) {
			t.Fatalf("%q is refused for %q: %s", content, words, prefilter(words))
		}
	})
}

func TestPrefilter_RefusesOtherTexts(t *testing.T) {
	t.Parallel()
	for words, content := range map[string]string{
		"château blanc": "Déjà vu à la crèche: où êtes-vous, chère Zoë? L’été à côté du château de Besançon.",
		"привет":        "Встретимся завтра утром на вокзале, или позже вечером?",
		"straße":        "Die Strafe",
		"100%":          "100 times",
	} {
		require.False(t, regexp.MustCompile(prefilter(words)).MatchString(norm.NFC.String(content)), words)
		require.True(t, regexp.MustCompile(prefilter(words)).MatchString("… "+strings.ToUpper(words)+" …"), words)
	}
	require.Empty(t, prefilter("한국"), "too many forms")
}
