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
	// lastWord matches a search whose last word has letters and digits only, after a space or alone. The member may still
	// be typing that word. Its groups are what precedes the word, and the word.
	lastWord = regexp.MustCompile(`^(|.*\s)([\p{L}\p{N}][\p{L}\p{M}\p{N}]*)$`)
	// trailingOr matches words whose last one is the operator "or".
	trailingOr = regexp.MustCompile(`(?i)(^|\s)or\s*$`)
	// negated matches a word or phrase that posts must not have.
	negated = regexp.MustCompile(`(^|\s)-("[^"]*"?|\S*)`)
	// surfaceWord matches a word as it is in a text. The app divides texts by the same rule to mark the matches.
	surfaceWord = regexp.MustCompile(`[\p{L}\p{M}\p{N}]+`)
)

// minPrefix is the length of the shortest word that is also found as the beginning of others. A single
// letter would match most of the board.
const minPrefix = 2

// query has the arguments of the SQL function board_query.
type query struct {
	words      string // the whole search
	beforeLast string // the search without its last word; "" if last is
	last       string // the last word, which also matches as a prefix; "" if there is no such word
}

// parseQuery divides a search. Its last word is not a prefix if it is shorter than minPrefix, in an open quotation, or
// after the operator "or".
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

// addMatches sets Matches of the cards: the words of title and excerpt that match a word of the search, each once.
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
