package notifications

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTruncate_KeepsGraphemeClusters(t *testing.T) {
	t.Parallel()
	family := "👩\u200d👩\u200d👧"
	for _, c := range [][3]string{
		{"short", "short", "5"}, {"exactly", "exactly", "7"}, {"too long", "too…", "4"}, {"too long", "too l…", "5"},
		{"grüße", "grü…", "3"}, {"cafe\u0301!", "caf…", "4"}, {"a" + family + "b", "a…", "3"},
		{"a" + family + "b", "a" + family + "…", "6"}, {"🇦🇹🇩🇪x", "🇦🇹…", "3"}, {"👍🏽👍🏽", "👍🏽…", "3"},
		{strings.Repeat("\u0301", 9), strings.Repeat("\u0301", 4) + "…", "4"},
	} {
		most := int(c[2][0] - '0')
		require.Equal(t, c[1], truncate(c[0], most), "%q at %d", c[0], most)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		got := truncate(text, 50)
		if n := utf8.RuneCountInString(got); n > 51 || !utf8.ValidString(got) {
			t.Fatalf("%q became %q", text, got)
		}
		if head := strings.TrimSuffix(got, "…"); !strings.HasPrefix(text, head) {
			t.Fatalf("%q became %q", text, got)
		}
	})
}
