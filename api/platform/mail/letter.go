package mail

import (
	"context"
	"time"
)

// Reader is the recipient of a mail.
type Reader struct {
	Address string
	Name    string         // the first name; empty if it is not known
	Zone    *time.Location // of the times in the mail; nil is UTC

	Manner
}

// Manner is how a member wants their mails written.
type Manner struct {
	// IsPrivate leaves names and what members and moderators wrote out of the mail.
	IsPrivate bool `json:"private,omitempty"`

	// IsDiscreet replaces the sender's name, the subject and the preview, which a locked device shows, by ones that
	// do not tell what the mail is about.
	IsDiscreet bool `json:"discreet,omitempty"`
}

// Letter is the contents of a mail, from which Build writes the text and the HTML part.
type Letter struct {
	// Template names the letter among all letters of the product, such as "auth.code".
	Template string
	Kind     Kind
	ID       string // as in Message
	To       Reader

	Subject  string
	Title    string // the heading; empty for the subject
	Greeting string // instead of "Hi" and the name
	Blocks   []Block
	Footer   []Block // paragraphs and links in small print

	// PrivateSubject is the subject and the heading for private readers. It may be empty if Subject and Title have no name.
	PrivateSubject string

	// DiscreetSubject is the subject for discreet readers; empty for that of the kind.
	DiscreetSubject string

	// Unsubscribe is as in Message.
	Unsubscribe string
}

// Block is a part of a letter.
type Block struct {
	style  style
	text   string
	lines  []string
	detail string
	link   string
	label  string

	private *Block // for private readers; nil if the block is for all
}

type style string

const (
	paragraph style = "paragraph"
	facts     style = "facts"
	code      style = "code"
	quote     style = "quote"
	action    style = "action"
	item      style = "item"
)

// Text returns a paragraph without names and without text of others.
func Text(text string) Block { return Block{style: paragraph, text: text} }

// Personal returns a paragraph with a name. Private readers get the other text.
func Personal(text, private string) Block {
	other := Text(private)
	return Block{style: paragraph, text: text, private: &other}
}

// Facts returns short lines, such as a device and a time.
func Facts(lines ...string) Block { return Block{style: facts, lines: lines} }

// PersonalFacts returns short lines with a name. Private readers get the other lines.
func PersonalFacts(lines, private []string) Block {
	other := Facts(private...)
	return Block{style: facts, lines: lines, private: &other}
}

// Code returns a code that the reader enters.
func Code(digits string) Block { return Block{style: code, text: digits} }

// Quote returns a text that a person wrote, with its line breaks. Private readers get the other text.
func Quote(text, private string) Block {
	other := Text(private)
	return Block{style: quote, text: text, private: &other}
}

// Action returns a link, which HTML shows as a button.
func Action(label, link string) Block { return Block{style: action, label: label, link: link} }

// Item returns an entry of a list with a link.
func Item(title, detail, label, link string) Block {
	return Block{style: item, text: title, detail: detail, label: label, link: link}
}

// Or returns the block with another one, which private readers get instead.
func (b Block) Or(private Block) Block {
	b.private = &private
	return b
}

// shown returns the blocks that the reader gets.
func (r Reader) shown(blocks []Block) []Block {
	shown := make([]Block, len(blocks))
	for i, b := range blocks {
		if r.IsPrivate && b.private != nil {
			b = *b.private
		}
		shown[i] = b
	}
	return shown
}

// discreetSender is the name of the sender for discreet readers.
const discreetSender = "Account mail"

// discreetSubjects are the subjects for discreet readers.
var discreetSubjects = map[Kind]string{
	Codes: "Your code", Security: "About your account", Account: "About your account", Decisions: "About your account",
	Staff: "Something is waiting for you", Digests: "Your week", Graduations: "Something new for you", Reminders: "Where you left off", Invitations: "An invitation",
}

// Send builds the mail of a letter and sends it.
func Send(ctx context.Context, sender Sender, letter Letter) error {
	message, err := Build(letter)
	if err != nil {
		return err
	}
	return sender.Send(ctx, message)
}
