package mail

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Stored is a stored mail, as shown by /dev/mailbox.
type Stored struct {
	ID      string    `json:"id"` // of the file, not in it
	From    string    `json:"from"`
	To      string    `json:"to"`
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	HTML    string    `json:"html"`
	Date    time.Time `json:"date"`

	Unsubscribe string `json:"unsubscribe,omitempty"`
}

// Folder stores mails as files instead of sending them, for a machine without a mail
// server.
type Folder struct{ path string }

// NewFolder returns a Folder and creates it if necessary.
func NewFolder(path string) (*Folder, error) {
	return &Folder{path: path}, os.MkdirAll(path, 0o700)
}

// Send stores the mail in a file, atomically.
func (f *Folder) Send(_ context.Context, m Message) error {
	text, err := json.Marshal(Stored{
		From: senderName(m), To: m.To, Subject: m.Subject, Text: m.Text, HTML: m.HTML, Date: time.Now().UTC(), Unsubscribe: m.Unsubscribe,
	})
	if err != nil {
		return err
	}
	id, err := uuid.NewV7() // sorts by time
	if err != nil {
		return err
	}
	temp := filepath.Join(f.path, id.String()+".temp")
	if err := os.WriteFile(temp, text, 0o600); err != nil {
		return err
	}
	return os.Rename(temp, filepath.Join(f.path, id.String()+".json"))
}

// Get returns a mail, or an error that is fs.ErrNotExist.
func (f *Folder) Get(id string) (stored Stored, err error) {
	if _, err := uuid.Parse(id); err != nil {
		return stored, fs.ErrNotExist
	}
	text, err := os.ReadFile(filepath.Join(f.path, id+".json"))
	if err != nil {
		return stored, err
	}
	err = json.Unmarshal(text, &stored)
	stored.ID = id
	return stored, err
}

// List returns the newest limit mails, the newest first, to an address or, if to is
// empty, to all.
func (f *Folder) List(to string, limit int) ([]Stored, error) { return f.Search(to, "", limit) }

// Search is List for the mails whose address, subject or text contains words, in any case.
func (f *Folder) Search(to, words string, limit int) ([]Stored, error) {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return nil, err
	}
	mails := []Stored{}
	for _, entry := range slices.Backward(entries) {
		if len(mails) == limit {
			break
		}
		if !strings.HasSuffix(entry.Name(), ".json") {
			continue
		}
		stored, err := f.Get(strings.TrimSuffix(entry.Name(), ".json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted since
		}
		if err != nil {
			return nil, err
		}
		if (to == "" || strings.EqualFold(to, stored.To)) && stored.contains(words) {
			mails = append(mails, stored)
		}
	}
	return mails, nil
}

// contains reports whether the address, the subject or the text contains words, in any case.
func (s Stored) contains(words string) bool {
	return strings.Contains(strings.ToLower(s.To+"\n"+s.Subject+"\n"+s.Text), strings.ToLower(words))
}
