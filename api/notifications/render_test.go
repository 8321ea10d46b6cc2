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
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"short", 5, "short"}, {"exactly", 7, "exactly"}, {"too long", 4, "too…"}, {"too long", 5, "too l…"},
		{"grüße", 3, "grü…"}, {"cafe\u0301!", 4, "caf…"}, {"a" + family + "b", 3, "a…"},
		{"a" + family + "b", 6, "a" + family + "…"}, {"🇦🇹🇩🇪x", 3, "🇦🇹…"}, {"👍🏽👍🏽", 3, "👍🏽…"},
		{strings.Repeat("\u0301", 9), 4, strings.Repeat("\u0301", 4) + "…"},
	} {
		require.Equal(t, c.want, truncate(c.text, c.limit), "%q at %d", c.text, c.limit)
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
