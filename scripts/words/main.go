// Words writes docs/words.md: every text that a member, an admin or the recipient of a mail can read. It finds those of
// the server in the Go code, the templates and the migrations, and reads those of the app, which pwa/scripts/words.mjs
// prints, from its standard input. From the repository's root:
//
//	npm --silent --prefix pwa run words | go run ./scripts/words
package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

const document = "docs/words.md"

const introduction = `# Words

Every text that people read in Heartward: the app, its notifications, mails, public pages and errors. ` + "`scripts/generate`" + ` writes this
list from the source, so each new or changed sentence is a line in the review of its change. Read that line aloud: is it plain, kind and
short, does it speak to "you", and does it use the words of [the glossary](glossary.md)?

One text a line, by the folder it comes from. ` + "`{name}`" + ` and ` + "`{…}`" + ` stand for values. Not listed: words of demo members, labels of one word
that the app keeps in plain lists, and texts that the app puts together from parts. A few lines are texts for logs or code that looks like one.
`

// words are the texts of each folder.
type words map[string]map[string]bool

func (w words) add(folder, text string) {
	text = strings.Join(strings.Fields(text), " ")
	text = strings.ReplaceAll(text, "\u200c", "")
	if text == "" {
		return
	}
	if w[folder] == nil {
		w[folder] = map[string]bool{}
	}
	w[folder][text] = true
}

func main() {
	if err := run(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "words:", err)
		os.Exit(1)
	}
}

func run(app io.Reader) error {
	found := words{}
	if err := found.addApp(app); err != nil {
		return err
	}
	for _, root := range []string{"api", "jobs", "push", "migrations", "pwa/index.html", "pwa/site.html"} {
		if err := found.addServer(root); err != nil {
			return err
		}
	}
	return os.WriteFile(document, []byte(found.markdown()), 0o600)
}

// addApp reads the lines of pwa/scripts/words.mjs: a folder, a tab and a text.
func (w words) addApp(lines io.Reader) error {
	scanner := bufio.NewScanner(lines)
	count := 0
	for scanner.Scan() {
		folder, text, ok := strings.Cut(scanner.Text(), "\t")
		if !ok {
			return fmt.Errorf("not a folder, a tab and a text: %q", scanner.Text())
		}
		w.add(folder, text)
		count++
	}
	if count == 0 {
		return fmt.Errorf("the standard input has no texts of the app")
	}
	return scanner.Err()
}

// markdown returns the document: folders and texts in the order of their bytes, each text as code, so that nothing in it
// is formatted.
func (w words) markdown() string {
	var b strings.Builder
	b.WriteString(introduction)
	for _, folder := range slices.Sorted(maps.Keys(w)) {
		fmt.Fprintf(&b, "\n## %s\n\n```text\n", folder)
		for _, text := range slices.Sorted(maps.Keys(w[folder])) {
			b.WriteString(text + "\n")
		}
		b.WriteString("```\n")
	}
	return b.String()
}
