package export

import "strings"

// folder is a folder of the archive, as README.txt and index.html describe it.
type folder struct{ Name, Title, Text string }

// folders lists the folders in the order of index.html. Every document is in one of them.
var folders = []folder{
	{"profile", "Profile", "your profile, settings, prompts, photos and recordings in their order, reviews and changes of town"},
	{"conversations", "Conversations", "your conversations and requests; each has a page and a file with its messages, named by its id"},
	{"files", "Photos and recordings", "your photos and recordings, files you sent in messages, and a selfie that waits for its check; their names are their ids"},
	{"dates", "Dates", "dates, links you shared, and your private feedback"},
	{"matching", "Likes and matches", "likes, passes and matches"},
	{"matches", "Notes", "your private notes about matches"},
	{"love-pulse", "Love Pulse", "your entries, and whether a partner sees them"},
	{"community", "Community", "your stories, likes and comments"},
	{"moments", "Moments", "moments you shared, and your answers to those of others"},
	{"graduation", "Graduation", "couples you are or were part of"},
	{"badges", "Badges", "badges you earned"},
	{"discovery", "Discovery", "your filters"},
	{"notifications", "Notifications", "settings of notifications and media, your devices, what you read, the weekly digests of the last weeks, and what became of mails to you"},
	{"referrals", "Friends", "friends you invited, and rewards"},
	{"safety", "Safety", "whom you blocked, your reports, your answers about messages, and decisions about you"},
	{"verification", "Verification", "requests to verify your photos"},
	{"sign-in", "Sign-in", "devices that are signed in, passkeys, and mails about sign-ins"},
}

// Names of entries.
const (
	indexName  = "index.html"
	schemaName = "schema.json"
	sumsName   = "SHA256SUMS"
	errorsName = "errors.txt"
)

// othersText and the leftOut texts are in README.txt and in index.html.
const othersText = `Messages of others are here as the app shows them to you. When a conversation has ended or is hidden, only your own messages are here. Photos and recordings that others sent are theirs and are not included. Other people are named by their first name, and only while the app shows them to you.`

var leftOut = []string{
	"Passwords, codes and keys: we store them only in a form that cannot be read.",
	"Reports about you, and marks of our message filter on what you wrote: they would reveal who reported you, and how to get around our protection.",
	"Notes of our safety team, and the log of what admins did.",
	"Limits on how often something may be done, and similar counters: they are deleted within days.",
}

// readme returns the text of README.txt.
func readme() string {
	var b strings.Builder
	heading := func(text, line string) { b.WriteString(text + "\n" + strings.Repeat(line, len(text)) + "\n\n") }
	item := func(name, text string) { b.WriteString(wrap(pad(name)+text, columnOfTexts)) }
	heading("Your Heartward data", "=")
	b.WriteString(wrap("This is what Heartward has stored about you. Open "+indexName+" in a browser to read it: no connection is needed. "+
		"The .json files have the same data for programs, with all keys. Times are in UTC.", 0) + "\n")
	item(indexName, "everything to read, with a page for each conversation")
	item(schemaName, "the JSON Schema of the .json files")
	item(sumsName, "the SHA-256 of each file; sha256sum -c "+sumsName+" checks them")
	item(errorsName, "files that are missing here; it exists only if there are any")
	b.WriteString("\n")
	for _, f := range folders {
		item(f.Name+"/", f.Text)
	}
	b.WriteString("\n")
	heading("Other people", "-")
	b.WriteString(wrap(othersText, 0) + "\n")
	heading("What is not here", "-")
	for _, text := range leftOut {
		b.WriteString(wrap("- "+text, 2))
	}
	b.WriteString("\n" + wrap(keepText, 0))
	return b.String()
}

const keepText = `This file can show your whole private life to anyone who has it. Keep it where only you can read it.`

// columnOfTexts is where the descriptions in README.txt begin.
const columnOfTexts = 17

func pad(name string) string { return name + strings.Repeat(" ", max(1, columnOfTexts-len(name))) }

// wrap breaks the text into lines of at most 79 characters, and indents all but the first.
func wrap(text string, indent int) string {
	var b strings.Builder
	for len(text) > 79 {
		end := strings.LastIndexByte(text[:80], ' ')
		b.WriteString(text[:end] + "\n")
		text = strings.Repeat(" ", indent) + text[end+1:]
	}
	b.WriteString(text + "\n")
	return b.String()
}
