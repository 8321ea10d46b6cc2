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

// Kept is a mail in the folder, as /dev/mailbox shows it.
type Kept struct {
	To      string    `json:"to"`
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	HTML    string    `json:"html"`
	Date    time.Time `json:"date"`
}

// Folder keeps mails as files instead of sending them: for a laptop, where no
// mail server is configured.
type Folder struct{ path string }

// NewFolder makes the folder when it is missing.
func NewFolder(path string) (*Folder, error) {
	return &Folder{path: path}, os.MkdirAll(path, 0o700)
}

// Send writes the mail to a file of its own, which appears whole or not at all.
func (f *Folder) Send(_ context.Context, m Message) error {
	text, err := json.Marshal(Kept{To: m.To, Subject: m.Subject, Text: m.Text, HTML: m.HTML, Date: time.Now().UTC()})
	if err != nil {
		return err
	}
	id, err := uuid.NewV7() // names sort by time
	if err != nil {
		return err
	}
	draft := filepath.Join(f.path, id.String()+".draft")
	if err := os.WriteFile(draft, text, 0o600); err != nil {
		return err
	}
	return os.Rename(draft, filepath.Join(f.path, id.String()+".json"))
}

// List returns the newest limit mails, the newest first; to narrows them to
// one address when it is not empty.
func (f *Folder) List(to string, limit int) ([]Kept, error) {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return nil, err
	}
	mails := []Kept{}
	for _, entry := range slices.Backward(entries) {
		if len(mails) == limit {
			break
		}
		if !strings.HasSuffix(entry.Name(), ".json") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(f.path, entry.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed by hand meanwhile
		}
		if err != nil {
			return nil, err
		}
		var kept Kept
		if err := json.Unmarshal(text, &kept); err != nil {
			return nil, err
		}
		if to == "" || strings.EqualFold(to, kept.To) {
			mails = append(mails, kept)
		}
	}
	return mails, nil
}
