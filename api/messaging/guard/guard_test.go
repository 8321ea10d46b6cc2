package guard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/messaging/guard"
	"heartward/api/platform/testkit"
)

func TestCategory_ReadsObfuscatedTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"send nudes":                               guard.SexualPressure,
		"SEND NUDES!!!":                            guard.SexualPressure,
		"s3nd nud3s":                               guard.SexualPressure,
		"s e n d  n u d e s":                       guard.SexualPressure,
		"s.e.n.d n.u.d.e.s":                        guard.SexualPressure,
		"sеnd nudеs":                               guard.SexualPressure, // Cyrillic
		"s\u200be\u200bn\u200bd n\u200budes":       guard.SexualPressure,
		"ｓｅｎｄ ｎｕｄｅｓ":                               guard.SexualPressure,
		"𝓼𝓮𝓷𝓭 𝓷𝓾𝓭𝓮𝓼":                               guard.SexualPressure,
		"ⓢⓔⓝⓓ ⓝⓤⓓⓔⓢ":                               guard.SexualPressure,
		"śéñd ñúdēs":                               guard.SexualPressure,
		"seeeend nuuuudes":                         guard.SexualPressure,
		"text me on what\u2060sapp":                guard.OffPlatform,
		"add me on t3legram":                       guard.OffPlatform,
		"you stupid b!tch":                         guard.Harassment,
		"you stupid b*tch":                         guard.Harassment,
		"can you cashapp me $50":                   guard.Money,
		"Nice day. Really. Anyway, send me nudes.": guard.SexualPressure,
		"":       guard.None,
		"\u200b": guard.None,
	} {
		require.Equal(t, want, guard.Category(text), text)
	}
}

func TestCategory_ShortTexts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"react to me", "first", "to nobody", "talk to me", "and on", "Call me!", "one more", "money", "whatsapp?"} {
		require.Empty(t, guard.Category(text), text)
	}
	for text, want := range map[string]string{"fuck you": guard.Harassment, "send nudes": guard.SexualPressure} {
		require.Equal(t, want, guard.Category(text), text)
	}
}

func TestCategory_QuotedPhrases(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Some guy told me to send nudes", "please don't send nudes", "never send me money, I mean it",
		"he called me a stupid bitch", "scammers ask you to buy me a gift card",
	} {
		require.Empty(t, guard.Category(text), text)
	}
}

func FuzzClassify(f *testing.F) {
	seeds := []string{"", "hello", "s e n d", "\xff\xfe", "🖕🖕🖕", "$$$@@@!!!***", "http://", "@", "a@b.c", "+1 555 010 22 33", "’’’", "....", "????"}
	for _, text := range append(testkit.Mutations(1000, seeds...), seeds...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := guard.Classify(text)
		if (found.Category == guard.None) != (found.Score == 0) || !(found.Score >= 0 && found.Score <= 1) {
			t.Errorf("%q: %+v", text, found)
		}
		if again := guard.Classify(text); again != found {
			t.Errorf("%q: %+v, then %+v", text, found, again)
		}
	})
}
