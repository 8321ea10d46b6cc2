package messages

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/testkit"
)

func TestIsEmoji_AcceptsOneEmoji(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"❤️", "❤", "👍", "👍🏽", "😂", "😮", "😢", "🙏", "🔥", "☺️", "✌🏿", "🇩🇪", "5️⃣", "#️⃣", "©️", "🫶🏻", "🥹", "🏳️‍🌈", "🏴‍☠️",
		"👩‍👩‍👧‍👦", "👩🏽‍❤️‍💋‍👨🏿", "🧑🏻‍🚀", "👁️‍🗨️", "🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F", "🐦‍⬛", "🀄", "㊗️", "☝🏾\ufe0f",
	} {
		require.True(t, isEmoji(text), "%s %+q", text, text)
	}
	for _, text := range []string{
		"", " ", "a", "ok", "5", "#", "1️", "❤️❤️", "👍👍", "👍 ", " 👍", "👍a", "a👍", "\u200d", "\ufe0f", "🏽", "🇩", "🇩🇪🇫🇷", "🇩a",
		"👍🏽\ufe0f\ufe0f", "👍\ufe0f🏽", "👩\u200d", "\u200d👩", "👩\u200da", "👩\u200d\u200d👧", "❤️\ufe0f", "🏴\U000E0067", "👍\U000E0067\U000E007F", "\x00", "<b>", "\u202e👍", "👍\u0301", "é",
		strings.Repeat("👩‍", 9) + "👩", "\xf0\x9f\x91", "5⃣",
	} {
		require.False(t, isEmoji(text), "%s %+q", text, text)
	}
}

// An accepted text fits the column and has no forbidden character. Twice the text is
// refused.
func FuzzIsEmoji(f *testing.F) {
	seeds := []string{"👍", "🇩🇪", "👩‍👩‍👧‍👦", "5️⃣", "a", "🏴\U000E0067\U000E007F"}
	for _, text := range append(testkit.Mutations(2000, seeds...), seeds...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !isEmoji(text) {
			return
		}
		n := len([]rune(text))
		require.True(t, n >= 1 && n <= maxEmoji)
		require.False(t, strings.ContainsFunc(text, unicode.IsControl))
		require.False(t, isEmoji(text+text), "two emoji are refused")
	})
}
