package community_test

import (
	"testing"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/community"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestTags_HaveOneForm(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"Long  Distance":           "long distance",
		" #First dates ":           "first dates",
		"# # Café":                 "café",
		"CAFE\u0301":               "café",
		"slow\u200bburn\u00ad":     "slowburn",
		"\u3164":                   "",
		"#":                        "",
		"non\u00a0breaking\u2003x": "non breaking x",
		"Über-30's":                "über-30's",
	} {
		got, err := community.CleanTag("tags", given)
		require.NoError(t, err, "%q", given)
		require.Equal(t, want, got, "%q", given)
	}
}

// Cleaning a clean tag does not change it, for any tag.
func FuzzCleanTag(f *testing.F) {
	for _, seed := range []string{"Long  Distance", "#\u200b# a", "İ\u0307", "ẞ", "\u1fb3\u0345", "\u00ad#"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		got, err := community.CleanTag("tags", given)
		if err != nil {
			return
		}
		require.LessOrEqual(t, utf8.RuneCountInString(got), 30)
		again, err := community.CleanTag("tags", got)
		require.NoError(t, err)
		require.Equal(t, got, again)
	})
}

func TestTags_AreStoredWithTheCategoryAndFilterTheBoard(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.join("Ann"), w.join("Ben")
	add := func(author uuid.UUID, title string, tags ...string) community.Post {
		d := draft(title)
		d.Tags = tags
		post, err := w.Create(t.Context(), web.Actor{ID: author}, uuid.New(), d)
		require.NoError(t, err)
		return post
	}
	one, two := add(ann, "One", "Long Distance", "#long  distance", "advice", ""), add(ben, "Two", "long distance", "Tea")
	add(ann, "Waits", "tea")
	require.Equal(t, []string{"advice", "long distance"}, one.Tags)
	for _, id := range []uuid.UUID{one.ID, two.ID} {
		require.True(t, w.decide("approve", id, 1).Stored)
	}
	for tag, want := range map[string][]string{
		"long distance": {"Two", "One"}, "#LONG distance": {"Two", "One"}, "tea": {"Two"}, "advice": {"Two", "One"}, "long": {}, "\u200b": {"Two", "One"},
	} {
		require.Equal(t, want, w.titles(uuid.Nil, community.Filter{Tag: tag}), tag)
		require.Equal(t, want, w.titles(ann, community.Filter{Tag: tag, Category: "advice"}), tag)
	}
	require.Empty(t, w.titles(ann, community.Filter{Tag: "tea", Category: "experience"}))
	require.Equal(t, []string{"Two"}, w.titles(ann, community.Filter{Tag: "tea", Search: "two"}))
	require.Empty(t, w.titles(ann, community.Filter{Tag: "tea", Search: "one"}))
	require.NoError(t, w.moderation.Block(t.Context(), web.Actor{ID: ann}, ben))
	require.Equal(t, []string{"One"}, w.titles(ann, community.Filter{Tag: "long distance"}))
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, ben)
	require.Empty(t, w.titles(uuid.Nil, community.Filter{Tag: "tea"}), "of an author who is not active")

	_, next, err := w.Board(t.Context(), uuid.Nil, community.Filter{}, web.Page{Limit: 1})
	require.NoError(t, err)
	require.Empty(t, next)
	_, _, err = w.Board(t.Context(), uuid.Nil, community.Filter{Tag: "a\u202eb"}, web.Page{Limit: 1})
	testkit.RequireKind(t, err, fault.Invalid)
}

func TestTags_AreKeptByAnEditAndLimited(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := web.Actor{ID: w.join("Ann")}
	d := draft("One")
	d.Tags = []string{"a", "b", "c", "d", "e", "E", "advice"}
	post, err := w.Create(t.Context(), ann, uuid.New(), d)
	require.NoError(t, err)
	require.Equal(t, []string{"advice", "a", "b", "c", "d", "e"}, post.Tags)
	d.Title, d.Tags, d.Category = "Two", post.Tags[1:], "experience"
	post, err = w.Edit(t.Context(), ann, post.ID, d)
	require.NoError(t, err)
	require.Equal(t, []string{"experience", "a", "b", "c", "d", "e"}, post.Tags)
	d.Tags = append(d.Tags, "f")
	_, err = w.Edit(t.Context(), ann, post.ID, d)
	require.Equal(t, "tags", fault.From(err).Field)
	d.Tags = []string{"send me money by wire transfer"}
	post, err = w.Edit(t.Context(), ann, post.ID, d)
	require.NoError(t, err)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM community_posts WHERE id = $1 AND flag IS NOT NULL`, post.ID), "the message filter reads tags")
}
