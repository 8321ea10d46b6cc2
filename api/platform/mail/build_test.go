package mail_test

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/mail"
)

// letter returns a letter with every kind of block. Names and texts of others begin with Secret.
func letter() mail.Letter {
	return mail.Letter{
		Template: "test", Kind: mail.Decisions, To: mail.Reader{Address: "ann@example.test", Name: "SecretAnn"},
		Subject: "SecretBen wrote", PrivateSubject: "Someone wrote", DiscreetSubject: "",
		Blocks: []mail.Block{
			mail.Personal("SecretBen wrote to you:", "Someone wrote to you."),
			mail.Quote("Secret <words> of a person,\n\nin several lines & with "+strings.Repeat("many ", 40), "Sign in to read it."),
			mail.Facts("A device", "A time"),
			mail.PersonalFacts([]string{"SecretBen"}, []string{"A member"}),
			mail.Code("12345678"),
			mail.Text(strings.Repeat("漢字", 100)),
			mail.Action("Open it", "https://heartward.test/a?b=1&c=2#"+strings.Repeat("d", 100)),
			mail.Item("Secret title", "Secret detail", "See it", "https://heartward.test/item").
				Or(mail.Item("A title", "A detail", "See it", "https://heartward.test/item")),
		},
		Footer:      []mail.Block{mail.Text("You get this once."), mail.Action("Turn it off", "https://heartward.test/off")},
		Unsubscribe: "https://heartward.test/off",
	}
}

func build(t *testing.T, l mail.Letter) mail.Message {
	t.Helper()
	m, err := mail.Build(l)
	require.NoError(t, err)
	return m
}

var (
	textLinks = regexp.MustCompile(`https://\S+`)
	htmlLinks = regexp.MustCompile(`href="([^"]+)"`)
)

func TestBuild_BothPartsHaveTheSameLinks(t *testing.T) {
	t.Parallel()
	m := build(t, letter())
	var inHTML []string
	for _, link := range htmlLinks.FindAllStringSubmatch(m.HTML, -1) {
		inHTML = append(inHTML, html.UnescapeString(link[1]))
	}
	require.Equal(t, textLinks.FindAllString(m.Text, -1), inHTML)
	require.Len(t, inHTML, 3)
	for _, link := range inHTML {
		_, err := url.Parse(link)
		require.NoError(t, err)
	}
	for _, word := range []string{"SecretBen wrote to you:", "12345678", "A device", "Secret title", "Secret detail", "You get this once."} {
		require.Contains(t, m.Text, word)
		require.Contains(t, m.HTML, word)
	}
	require.Contains(t, m.HTML, "Secret &lt;words&gt; of a person,<br><br>in several lines &amp; with")
}

func TestBuild_WrapsTheText(t *testing.T) {
	t.Parallel()
	for line := range strings.SplitSeq(build(t, letter()).Text, "\n") {
		if !strings.Contains(line, "://") {
			require.LessOrEqual(t, utf8.RuneCountInString(line), 76, line)
		}
		require.Equal(t, strings.TrimRight(line, " "), line)
	}
}

func TestBuild_PrivateReadersGetNoNamesAndTexts(t *testing.T) {
	t.Parallel()
	l := letter()
	l.To.IsPrivate = true
	m := build(t, l)
	for _, part := range []string{m.Subject, m.Text, m.HTML} {
		require.NotContains(t, part, "Secret")
	}
	require.Equal(t, "Someone wrote", m.Subject)
	for _, part := range []string{m.Text, m.HTML} {
		for _, word := range []string{"Someone wrote to you.", "Sign in to read it.", "A member", "12345678", "A title", "A detail"} {
			require.Contains(t, part, word)
		}
	}
	require.Contains(t, m.Text, "Hi,\n")
}

func TestBuild_DiscreetReadersGetNeutralEnvelope(t *testing.T) {
	t.Parallel()
	l := letter()
	l.To.IsDiscreet = true
	m := build(t, l)
	require.Equal(t, []string{"Account mail", "About your account"}, []string{m.Sender, m.Subject})
	head, _, _ := strings.Cut(m.HTML, "<table")
	require.NotContains(t, head, "Secret")
	require.NotContains(t, head, "Heartward", "a locked device shows the preview")
}

// Gmail clips mails of more than 102 kB. The longest texts that members and moderators write have 4,000 characters, and a
// digest has at most 20 dates, 3 picks and 5 other entries, with names of at most 100 characters.
func TestBuild_IsAtMost80kB(t *testing.T) {
	t.Parallel()
	decision, digest := letter(), letter()
	for range 2 {
		decision.Blocks = append(decision.Blocks, mail.Quote(strings.Repeat("<\n", 2000), ""), mail.Quote(strings.Repeat("&", 4000), ""))
	}
	for range 28 {
		name := strings.Repeat("&", 100)
		digest.Blocks = append(digest.Blocks, mail.Item(name, name, "See it", "https://heartward.test/"+strings.Repeat("a", 100)))
	}
	for _, l := range []mail.Letter{decision, digest} {
		require.LessOrEqual(t, len(build(t, l).HTML), 80_000)
	}
}

func TestBuild_SuitsMailPrograms(t *testing.T) {
	t.Parallel()
	m := build(t, letter())
	require.Contains(t, m.HTML, `<meta name="color-scheme" content="light dark">`)
	require.Equal(t, 1, strings.Count(m.HTML, "@media"))
	for _, remote := range []string{"<img", "url(", "<script", "<link"} {
		require.NotContains(t, m.HTML, remote)
	}
}

func TestReader_TimesAreInTheReadersZone(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 27, 23, 5, 0, 0, time.UTC)
	for name, want := range map[string]string{
		"Europe/Vienna": "Saturday, November 28, 2026 at 12:05 AM CET", "America/New_York": "Friday, November 27, 2026 at 6:05 PM EST",
		"Asia/Kathmandu": "Saturday, November 28, 2026 at 4:50 AM UTC+05:45", "UTC": "Friday, November 27, 2026 at 11:05 PM UTC",
	} {
		zone, err := time.LoadLocation(name)
		require.NoError(t, err)
		require.Equal(t, want, mail.Reader{Zone: zone}.Time(at))
	}
	require.Equal(t, "Friday, November 27, 2026 at 11:05 PM UTC", mail.Reader{}.Time(at))
	require.Equal(t, "November 27, 2026", mail.Reader{}.Day(at))
}
