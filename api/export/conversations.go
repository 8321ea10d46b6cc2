package export

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"strings"
	"time"

	"heartward/api/platform/archive"
)

const conversationsName = "conversations/conversations.json"

// conversation has what the pages show of a row of conversations.json.
type conversation struct {
	ID            string     `json:"id"`
	FirstName     *string    `json:"first_name"` // of the other member; null if the app does not show the conversation
	IsRequest     bool       `json:"is_request"`
	LastMessageAt *time.Time `json:"last_message_at"`

	Messages archive.Document `json:"-"`
}

// Page returns the name of the page.
func (c conversation) Page() string { return "conversations/" + c.ID + ".html" }

// Title returns the title of the page.
func (c conversation) Title() string {
	if c.FirstName == nil {
		return "A conversation that has ended or is hidden"
	}
	return "Your conversation with " + *c.FirstName
}

// message has what a page shows of a message.
type message struct {
	Seq           int64      `json:"seq"`
	Sender        string     `json:"sender"` // "me" or "them"
	MessageType   string     `json:"message_type"`
	Content       string     `json:"content"`
	ReplyTo       *int64     `json:"reply_to"`
	SentAt        time.Time  `json:"sent_at"`
	DeletedAt     *time.Time `json:"deleted_at"`
	MyReaction    *string    `json:"my_reaction"`
	TheirReaction *string    `json:"their_reaction"`
	Files         []struct {
		FileID      *string `json:"file_id"` // null for a file of the other member
		ContentType string  `json:"content_type"`
	} `json:"files"`

	FirstOfDay bool           `json:"-"`
	SenderName string         `json:"-"`
	Included   []includedFile `json:"-"`
	LeftOut    []string       `json:"-"` // the kinds of files that are not in the archive
}

// conversationOf returns the conversation of a row of conversations.json.
func (p *pageWriter) conversationOf(row json.RawMessage) (c conversation, err error) {
	if err := json.Unmarshal(row, &c); err != nil {
		return c, fmt.Errorf("reading %s: %w", conversationsName, err)
	}
	c.Messages = p.documents["conversations/"+c.ID+".json"]
	return c, nil
}

// writeConversations adds a page for each conversation that has a document with messages.
func (p *pageWriter) writeConversations() error {
	list, ok := p.documents[conversationsName]
	if !ok {
		return nil
	}
	return p.w.ForEachRow(list, func(row json.RawMessage) error {
		c, err := p.conversationOf(row)
		if err != nil || c.Messages.Name == "" {
			return err
		}
		return p.w.WritePage(c.Page(), func(out io.Writer) error { return p.writeConversation(out, c) })
	})
}

func (p *pageWriter) writeConversation(out io.Writer, c conversation) error {
	if err := pages.ExecuteTemplate(out, "conversation", c); err != nil {
		return err
	}
	var day time.Time
	err := p.w.ForEachRow(c.Messages, func(row json.RawMessage) error {
		m := message{SenderName: "Them"}
		if err := json.Unmarshal(row, &m); err != nil {
			return fmt.Errorf("reading %s: %w", c.Messages.Name, err)
		}
		if c.FirstName != nil {
			m.SenderName = *c.FirstName
		}
		if m.Sender == "me" {
			m.SenderName = "You"
		}
		sent := m.SentAt.UTC().Truncate(24 * time.Hour)
		m.FirstOfDay, day = !sent.Equal(day), sent
		p.addFiles(&m)
		return pages.ExecuteTemplate(out, "message", m)
	})
	if err != nil {
		return err
	}
	return pages.ExecuteTemplate(out, "conversation-end", nil)
}

// addFiles adds the files of the message that are in the archive, and the kinds of the others.
func (p *pageWriter) addFiles(m *message) {
	for _, f := range m.Files {
		if f.FileID != nil {
			if file, ok := p.files[*f.FileID]; ok {
				m.Included = append(m.Included, file)
				continue
			}
		}
		m.LeftOut = append(m.LeftOut, kindOf(f.ContentType))
	}
}

// kindOf returns the type of a content type without its subtype: "image", "audio" or "video".
func kindOf(contentType string) string {
	mediaType, _, _ := mime.ParseMediaType(contentType)
	kind, _, _ := strings.Cut(mediaType, "/")
	return kind
}

// writeLink writes the entry of a conversation in index.html, with a link if it has a page.
func (p *pageWriter) writeLink(out io.Writer, row json.RawMessage) error {
	c, err := p.conversationOf(row)
	if err != nil {
		return err
	}
	return pages.ExecuteTemplate(out, "link", c)
}
