package community_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/community"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// publishText publishes a post with these texts.
func (w *env) publishText(author uuid.UUID, title, excerpt, content string) uuid.UUID {
	w.Helper()
	post, err := w.Create(w.Context(), web.Actor{ID: author}, uuid.New(), community.Draft{Title: title, Excerpt: excerpt, Content: content, Category: "advice"})
	require.NoError(w, err)
	require.True(w, w.decide("approve", post.ID, 1).Stored)
	return post.ID
}

func (w *env) search(words string) []string {
	w.Helper()
	return w.titles(uuid.Nil, community.Filter{Search: words})
}

func TestSearch_FindsWordsWithoutAccentsAndTheirBeginnings(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.join("Ann")
	w.publishText(ann, "Tomás and I", "A summary", "We met in a cafe, running late.")
	w.publishText(ann, "Tomas alone", "About nothing", "He waits for the theatre.")
	both, first, second := []string{"Tomas alone", "Tomás and I"}, []string{"Tomás and I"}, []string{"Tomas alone"}
	for words, want := range map[string][]string{
		"Tomás": both, "tomas": both, "TOMÁS": both, "Toma\u0301s": both,
		"café": first, "caf": first, "runni": first, "run": first, "ran": {},
		"tomas caf": first, "tomas -cafe": second, "tomas -caf": both, `"tomas alone"`: second, `"tomas al`: {}, `"alone tomas"`: {},
		"cafe or theatre": both, "thea": second, "waits for the thea": second, "advice": {}, "advi": {}, "t": {},
	} {
		require.Equal(t, want, w.search(words), words)
	}
}

func TestSearch_OfCommonWordsFindsNothing(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.publishText(w.join("Ann"), "The theatre", "Of the two of us", "There and then.")
	for _, words := range []string{"the", "of the", "THE", `"the of"`, "-the", "or", "...", "the or of"} {
		require.Empty(t, w.search(words), words)
	}
	require.Equal(t, []string{"The theatre"}, w.search("the theatre"))
}

func TestSearch_MarksTheWordsThatItHasFound(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.publishText(w.join("Ann"), "Tomás was running", "He runs, and <b>running</b> Tomas-like. Rivers!", "Bakeries along the river.")
	for words, want := range map[string][]string{
		"tomas":          {"Tomás", "Tomas"},
		"tomás run":      {"Tomás", "running", "runs", "Tomas"},
		"riv":            {"Rivers"},
		"bakery":         nil,
		"run -bread":     {"running", "runs"},
		`"was running"`:  {"running", "runs"},
		`run -"cold tea`: {"running", "runs"},
		"bread or river": {"Rivers"},
	} {
		posts, _, err := w.Board(t.Context(), uuid.Nil, community.Filter{Search: words}, web.Page{Limit: 5})
		require.NoError(t, err)
		require.Len(t, posts, 1, words)
		require.Equal(t, want, append([]string(nil), posts[0].Matches...), words)
	}
	posts, _, err := w.Board(t.Context(), uuid.Nil, community.Filter{}, web.Page{Limit: 5})
	require.NoError(t, err)
	require.Nil(t, posts[0].Matches, "without a search")
}

// No input is an error, and each word of a post finds it.
func TestSearch_AcceptsEveryInput(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.publishText(w.join("Ann"), "Quiet rivers", "An evening", "A heron.")
	random := testkit.Rand(t, 1)
	parts := []string{"quiet", "riv", `"`, "-", " ", " ", "or", "&", "|", "!", ":*", "(", ")", "<->", "'", `\`, "%", "$1", "@last", "é", "\u0301", "ﷺ", "ß", "愛", "👩‍❤️‍👩", "9", ".", "a@b.c", "https://x.y/z?q", "--", ";"}
	for range 400 {
		var words strings.Builder
		for range 1 + random.IntN(8) {
			words.WriteString(parts[random.IntN(len(parts))])
		}
		_, _, err := w.Board(t.Context(), w.moderator.ID, community.Filter{Search: words.String()}, web.Page{Limit: 5})
		w.Exec(`DELETE FROM rate_limits`)
		require.NoError(t, err, "%q", words.String())
	}
}

func TestSearch_ReadsTheLongestText(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.join("Ann")
	var unique strings.Builder // words of two letters of four bytes each
	for i := rune(0); unique.Len() < 70_000; i++ {
		unique.WriteString(string([]rune{0x20000 + i, 0x20000 + i*3%40_000, ' '}))
	}
	letters := []rune(unique.String())
	w.publishText(ann, "Unique words", "A summary", string(letters[:20_000]))
	w.publishText(ann, "Marks", "A summary", strings.Repeat("ΐ\u0345", 9_000)+" heron")
	w.publishText(ann, "Addresses", "A summary", strings.Repeat("a-b-c.de/f ", 1_800)+"heron")
	require.Equal(t, []string{"Addresses", "Marks"}, w.search("heron"))
	require.Equal(t, []string{"Unique words"}, w.search(string(letters[:2])))
}
