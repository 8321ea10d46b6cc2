package mail

import (
	"bytes"
	"cmp"
	_ "embed"
	"html/template"
	"strings"
	"unicode"
)

var (
	//go:embed templates/letter.html
	letterSource string

	letterTemplate = template.Must(template.New("letter.html").Parse(letterSource))
)

// Build returns the mail of a letter. Its two parts have the same contents and links.
func Build(l Letter) (Message, error) {
	message := Message{
		To: l.To.Address, ID: l.ID, Kind: l.Kind, Template: l.Template, Unsubscribe: l.Unsubscribe, Subject: l.Subject,
	}
	title := cmp.Or(l.Title, l.Subject)
	if l.To.IsPrivate && l.PrivateSubject != "" {
		title, message.Subject = l.PrivateSubject, l.PrivateSubject
	}
	greeting := l.Greeting
	if greeting == "" {
		greeting = "Hi"
		if l.To.Name != "" && !l.To.IsPrivate {
			greeting += " " + l.To.Name
		}
		greeting += ","
	}
	v := view{Greeting: greeting, Title: title, Blocks: parts(l.To.shown(l.Blocks)), Footer: parts(l.To.shown(l.Footer))}
	v.Preview, v.Subject = preview(v.Blocks), title
	if l.To.IsDiscreet {
		message.Sender, message.Subject = discreetSender, cmp.Or(l.DiscreetSubject, discreetSubjects[l.Kind])
		v.Preview, v.Subject = "Open this email to read it.", discreetSubjects[l.Kind]
	}
	message.Text = textOf(v)
	var html bytes.Buffer
	if err := letterTemplate.Execute(&html, v); err != nil {
		return message, err
	}
	message.HTML = html.String()
	return message, nil
}

// view is what the template of the HTML part shows.
type view struct {
	Subject, Preview, Greeting, Title string // Subject is the title of the document, without a code
	Blocks, Footer                    []part
}

// part is a Block as the template shows it.
type part struct {
	Style                     string
	Text, Detail, Label, Link string
	Lines                     []string
	IsMain                    bool // the first action, which is a filled button
}

// parts returns the blocks as the template shows them.
func parts(blocks []Block) []part {
	all := make([]part, len(blocks))
	isFirstAction := true
	for i, b := range blocks {
		all[i] = part{Style: string(b.style), Text: b.text, Detail: b.detail, Label: b.label, Link: b.link, Lines: b.lines}
		if b.style == quote {
			all[i].Lines = strings.Split(b.text, "\n")
		}
		if b.style == action {
			all[i].IsMain, isFirstAction = isFirstAction, false
		}
	}
	return all
}

// maxPreview is the longest preview that mail programs show, in characters.
const maxPreview = 140

// preview returns the beginning of the first paragraph or item, which mail programs show beside the subject. Other blocks
// are left out, because one may be a code.
func preview(all []part) string {
	for _, p := range all {
		if p.Style != string(paragraph) && p.Style != string(item) {
			continue
		}
		text := []rune(p.Text)
		if len(text) > maxPreview {
			text = append(text[:maxPreview-1], '…')
		}
		return string(text)
	}
	return ""
}

// textWidth is the longest line of the text part, in characters, without the addresses of links.
const textWidth = 76

// textOf returns the text part.
func textOf(v view) string {
	var b strings.Builder
	b.WriteString(wrapText(v.Greeting, "") + "\n")
	for i, p := range v.Blocks {
		if i == 0 || p.Style != string(item) || v.Blocks[i-1].Style != string(item) {
			b.WriteString("\n")
		}
		b.WriteString(textOfPart(p))
	}
	b.WriteString("\nWith love,\nHeartward\n")
	if len(v.Footer) > 0 {
		b.WriteString("\n--\n")
	}
	for _, p := range v.Footer {
		b.WriteString(textOfPart(p))
	}
	return b.String()
}

func textOfPart(p part) string {
	const indent = "    "
	switch style(p.Style) {
	case facts, quote:
		var b strings.Builder
		for _, line := range p.Lines {
			b.WriteString(strings.TrimRight(wrapText(line, indent), " ") + "\n")
		}
		return b.String()
	case code:
		return indent + p.Text + "\n"
	case action:
		return wrapText(p.Label+":", "") + "\n" + p.Link + "\n"
	case item:
		return "* " + strings.TrimSpace(wrapText(p.Text, "  ")) + "\n" + wrapText(p.Detail, "  ") + "\n" + wrapText(p.Label+":", "  ") + "\n  " + p.Link + "\n"
	}
	return wrapText(p.Text, "") + "\n"
}

// wrapText breaks a line of text at spaces, so that no line, with its indent, is longer than textWidth. It breaks longer
// words, such as a sentence in Japanese, between characters, but never the address of a link.
func wrapText(text, indent string) string {
	width := textWidth - len(indent)
	var lines []string
	var line []rune
	for _, word := range strings.Fields(text) {
		next := []rune(word)
		if len(line) > 0 && len(line)+1+len(next) > width {
			lines, line = append(lines, string(line)), nil
		}
		if len(line) > 0 {
			line = append(line, ' ')
		}
		line = append(line, next...)
		for len(line) > width && !strings.Contains(word, "://") {
			at := breakAt(line, width)
			lines, line = append(lines, string(line[:at])), line[at:]
		}
	}
	return indent + strings.Join(append(lines, string(line)), "\n"+indent)
}

// breakAt returns the index, at most width, at which a word is broken: not before a combining mark, nor beside a joiner.
func breakAt(word []rune, width int) int {
	for at := width; at > width/2; at-- {
		const joiner = '\u200d'
		if !unicode.IsMark(word[at]) && word[at] != joiner && word[at-1] != joiner {
			return at
		}
	}
	return width
}
