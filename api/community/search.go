package community

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

var (
	// lastWord matches words of a search that end with a word of letters and digits, which nothing but a
	// space is before. The member may still be typing it.
	lastWord = regexp.MustCompile(`^(|.*\s)([\p{L}\p{N}][\p{L}\p{M}\p{N}]*)$`)
	// trailingOr matches words whose last one is the operator "or".
	trailingOr = regexp.MustCompile(`(?i)(^|\s)or\s*$`)
	// negated matches a word or phrase that posts must not have.
	negated = regexp.MustCompile(`(^|\s)-("[^"]*"?|\S*)`)
	// surfaceWord matches a word of a text, as the app divides texts.
	surfaceWord = regexp.MustCompile(`[\p{L}\p{M}\p{N}]+`)
)

// minPrefix is the length of the shortest word that is also found as the beginning of others. A single
// letter would match most of the board.
const minPrefix = 2

// query is a search as the function board_query takes it.
type query struct {
	words      string
	beforeLast string
	last       string // "" if the last word is found as a whole only
}

// parseQuery divides a search. The last word is part of a phrase while a quote is open.
func parseQuery(words string) query {
	q := query{words: words}
	match := lastWord.FindStringSubmatch(words)
	if match == nil || strings.Count(words, `"`)%2 == 1 || utf8.RuneCountInString(match[2]) < minPrefix || trailingOr.MatchString(match[1]) {
		return q
	}
	q.beforeLast, q.last = match[1], match[2]
	return q
}

func (q query) args() pgx.NamedArgs {
	return pgx.NamedArgs{"words": q.words, "beforeLast": q.beforeLast, "last": q.last}
}

// anyWord returns the query for texts with at least one of the words that q searches for.
func (q query) anyWord() query {
	words := surfaceWord.FindAllString(negated.ReplaceAllString(q.words, " "), -1)
	return query{words: strings.Join(words, " or "), last: q.last}
}

// addMatches sets the words of title and excerpt that the search has found.
func addMatches(ctx context.Context, db pg.DB, search string, cards []PostCard) error {
	wordsOf := make([][]string, len(cards))
	var all []string
	for i, c := range cards {
		wordsOf[i] = surfaceWord.FindAllString(c.Title+"\n"+c.Excerpt, -1)
		all = append(all, wordsOf[i]...)
	}
	args := parseQuery(search).anyWord().args()
	args["all"] = all
	rows, _ := db.Query(ctx, `
		SELECT w.word
		FROM (SELECT DISTINCT unnest(@all::text[]) AS word) w
		WHERE board_words(w.word) @@ (SELECT board_query(@words, @beforeLast, @last))`, args)
	found := map[string]bool{}
	var word string
	if _, err := pgx.ForEachRow(rows, []any{&word}, func() error { found[word] = true; return nil }); err != nil {
		return err
	}
	for i := range cards {
		cards[i].Matches = []string{}
		for _, word := range wordsOf[i] {
			if found[word] && !slices.Contains(cards[i].Matches, word) {
				cards[i].Matches = append(cards[i].Matches, word)
			}
		}
	}
	return nil
}
