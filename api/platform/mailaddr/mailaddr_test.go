package mailaddr_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"heartward/api/platform/fault"
	"heartward/api/platform/mailaddr"
)

func TestParse_MakesKeys(t *testing.T) {
	t.Parallel()
	for _, row := range [][4]string{
		{" Kim.Lee+News@Example.COM\t", "Kim.Lee+News@Example.COM", "kim.lee+news@example.com", "kim.lee@example.com"},
		{"kim.lee@example.com", "kim.lee@example.com", "kim.lee@example.com", "kim.lee@example.com"},
		{"+kim+x@example.com", "+kim+x@example.com", "+kim+x@example.com", "+kim@example.com"},
		{"kim.+x@example.com", "kim.+x@example.com", "kim.+x@example.com", "kim@example.com"},
		{"Kim@Bücher.example", "Kim@bücher.example", "kim@xn--bcher-kva.example", "kim@xn--bcher-kva.example"},
		{"kim@xn--bcher-kva.example", "kim@xn--bcher-kva.example", "kim@xn--bcher-kva.example", "kim@xn--bcher-kva.example"},
		{"kim@straße.example", "kim@straße.example", "kim@xn--strae-oqa.example", "kim@xn--strae-oqa.example"},
		{"kim@bü\u00adcher。example", "kim@bücher.example", "kim@xn--bcher-kva.example", "kim@xn--bcher-kva.example"},
		{"K.i.m+x@GoogleMail.com", "K.i.m+x@GoogleMail.com", "k.i.m+x@googlemail.com", "kim@gmail.com"},
		{"k-i_m.@pm.me", "", "", ""},
		{"K-i_m@pm.me", "K-i_m@pm.me", "k-i_m@pm.me", "kim@proton.me"},
		{"-_@proton.me", "-_@proton.me", "-_@proton.me", "-_@proton.me"},
		{"kim@mac.com", "kim@mac.com", "kim@mac.com", "kim@icloud.com"},
		{"kim.lee@ya.ru", "kim.lee@ya.ru", "kim.lee@ya.ru", "kim-lee@yandex.ru"},
		{"kim-shop@yahoo.de", "kim-shop@yahoo.de", "kim-shop@yahoo.de", "kim@yahoo.de"},
		{"shop@kim.fastmail.com", "shop@kim.fastmail.com", "shop@kim.fastmail.com", "kim@fastmail.com"},
		{"k.i.m@outlook.com", "k.i.m@outlook.com", "k.i.m@outlook.com", "k.i.m@outlook.com"},
	} {
		got, err := mailaddr.Parse("email", row[0])
		if row[1] == "" {
			require.Error(t, err, row[0])
			continue
		}
		require.NoError(t, err, row[0])
		require.Equal(t, mailaddr.Address{Typed: row[1], Identity: row[2], Abuse: row[3]}, got, row[0])
		require.Equal(t, row[2], strings.ToLower(mailaddr.Wire(got.Typed)))
	}
}

func TestParse_RefusesWhatMailServersRefuse(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{
		"", "kim", "@example.com", "kim@", "kim@example", "a..b@docomo.example", ".kim@example.com", "kim.@example.com",
		strings.Repeat("a", 65) + "@example.com", "a@" + strings.Repeat("b.", 126) + "com", "ki m@example.com", "kim@exa mple.com",
		"\u212aim@example.com", "kïm@example.com", `"kim"@example.com`, "kim@example..com", "kim@-a.example", "kim@a\u202eb.example",
		"kim@example.com\r\nBcc: eve@evil.example", "kim@ex_ample.com", "Kim <kim@example.com>", "kim@eve@example.com",
	} {
		_, err := mailaddr.Parse("partnerEmail", typed)
		require.True(t, fault.Is(err, fault.Invalid), "%q", typed)
		require.Equal(t, "partnerEmail", fault.From(err).Field)
		require.NotPanics(t, func() { mailaddr.Of(typed).Keys() })
	}
	_, err := mailaddr.Parse("email", strings.Repeat("a", 64)+"@example.com")
	require.NoError(t, err)
}

// A member may have an address that Parse refuses now. Its keys have the form that the checks of the columns require.
func TestOf_AcceptsAddressesOfEarlierRules(t *testing.T) {
	t.Parallel()
	require.Equal(t, mailaddr.Address{Typed: "A..b+x@docomo.example", Identity: "a..b+x@docomo.example", Abuse: "a..b@docomo.example"},
		mailaddr.Of("A..b+x@docomo.example"))
}

func TestKeys_HaveThoseOfEarlierHashes(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"kim@proton.me", "k.i.m@pm.me"}, mailaddr.Of("k.i.m+x@pm.me").Keys())
	require.Equal(t, []string{"kim@example.com"}, mailaddr.Of("kim+x@example.com").Keys())
}

// mailbox is a person's mailbox, to which its provider delivers several addresses (variant). Two mailboxes of the same
// kind with different names belong to different persons.
type mailbox struct {
	name string
	kind int
}

// kinds are providers. Each draws an address of a mailbox by its name, without the variants in case and tags, which all
// of them have.
var kinds = []func(t *rapid.T, name string) string{
	func(_ *rapid.T, name string) string { return name + "@example.com" },
	func(_ *rapid.T, name string) string { return name + "@outlook.com" },
	func(t *rapid.T, name string) string {
		return sprinkle(t, name, ".") + oneOf(t, "@gmail.com", "@googlemail.com")
	},
	func(t *rapid.T, name string) string {
		return sprinkle(t, name, ".-_") + oneOf(t, "@proton.me", "@protonmail.com", "@protonmail.ch", "@pm.me")
	},
	func(t *rapid.T, name string) string {
		return name + oneOf(t, "@icloud.com", "@me.com", "@mac.com")
	},
	func(t *rapid.T, name string) string {
		return name + oneOf(t, "@yandex.ru", "@ya.ru", "@yandex.com", "@yandex.kz")
	},
	func(t *rapid.T, name string) string { return name + oneOf(t, "", "-shop", "-a-b") + "@yahoo.com" },
	func(t *rapid.T, name string) string {
		return oneOf(t, name+"@fastmail.com", "shop@"+name+".fastmail.com")
	},
	func(t *rapid.T, name string) string {
		return name + oneOf(t, "@bücher.example", "@BÜCHER.example", "@xn--bcher-kva.example", "@bu\u0308cher.example")
	},
}

func oneOf(t *rapid.T, choices ...string) string { return rapid.SampledFrom(choices).Draw(t, "choice") }

// sprinkle inserts ignored characters between those of a name.
func sprinkle(t *rapid.T, name, ignored string) string {
	var b strings.Builder
	for i := range len(name) {
		if i > 0 && rapid.Bool().Draw(t, "sprinkle") {
			b.WriteByte(rapid.SampledFrom([]byte(ignored)).Draw(t, "ignored"))
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

func drawMailbox(t *rapid.T) mailbox {
	return mailbox{rapid.StringMatching(`[a-c][a-c0-1]{0,3}`).Draw(t, "name"), rapid.IntRange(0, len(kinds)-1).Draw(t, "kind")}
}

// variant returns an address that arrives at the mailbox, with random case, tags and spaces.
func (m mailbox) variant(t *rapid.T) string {
	address := kinds[m.kind](t, m.name)
	local, domain, _ := strings.Cut(address, "@")
	local += oneOf(t, "", "+x", "+", "+a.b", "+a+b")
	letters := []byte(local)
	for i, c := range letters {
		if c >= 'a' && c <= 'z' && rapid.Bool().Draw(t, "upper") {
			letters[i] = c - 'a' + 'A'
		}
	}
	return oneOf(t, "", " ") + string(letters) + "@" + domain + oneOf(t, "", "\n")
}

// All addresses of a mailbox have one abuse key, and no other mailbox has it.
func TestParse_OneMailboxHasOneAbuseKey(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first, second := drawMailbox(t), drawMailbox(t)
		a, err := mailaddr.Parse("email", first.variant(t))
		require.NoError(t, err)
		b, err := mailaddr.Parse("email", second.variant(t))
		require.NoError(t, err)
		require.Equal(t, first == second, a.Abuse == b.Abuse, "%v and %v", a, b)
		again, err := mailaddr.Parse("email", first.variant(t))
		require.NoError(t, err)
		require.Equal(t, a.Abuse, again.Abuse)
		require.True(t, a.Identity != b.Identity || a.Abuse == b.Abuse, "an identity belongs to one mailbox")
		require.Equal(t, a.Abuse, a.Keys()[0])
	})
}

// A key is in its final form: parsed again, it has the same keys. Spellings of an address have one identity.
func TestParse_IsIdempotent(t *testing.T) {
	t.Parallel()
	domain := rapid.SampledFrom([]string{"gmail.com", "pm.me", "mac.com", "ya.ru", "yahoo.fr", "a.fastmail.fm", "x.example", "bücher.example"})
	rapid.Check(t, func(t *rapid.T) {
		typed := rapid.StringMatching(`[a-cA-C+_.-]{1,12}`).Draw(t, "local") + "@" + domain.Draw(t, "domain")
		a, err := mailaddr.Parse("email", typed)
		if err != nil {
			require.Regexp(t, `^\.|\.\.|\.@`, typed)
			return
		}
		for _, form := range []string{a.Typed, a.Identity, mailaddr.Wire(a.Typed), strings.ToUpper(a.Typed)} {
			b, err := mailaddr.Parse("email", form)
			require.NoError(t, err, form)
			require.Equal(t, []string{a.Identity, a.Abuse}, []string{b.Identity, b.Abuse}, form)
		}
		key, err := mailaddr.Parse("email", a.Abuse)
		require.NoError(t, err, a.Abuse)
		require.Equal(t, a.Abuse, key.Abuse)
		require.Equal(t, a.Abuse, key.Identity)
		require.False(t, slices.Contains(a.Keys()[1:], a.Abuse))
	})
}
