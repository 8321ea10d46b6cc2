// Package archive writes the zip file of a member's data: JSON documents, whose rows
// PostgreSQL returns as JSON; files; and pages made from the documents. It keeps at most
// pageSize rows in memory, and the names and checksums of the entries.
package archive

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"maps"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// pageSize is the number of rows that are in memory at once.
const pageSize = 200

// The keys before that of the first row, for WriteList: for keys that are UUIDs, and for positive numbers.
const (
	BeforeID     = "00000000-0000-0000-0000-000000000000"
	BeforeNumber = "0"
)

// Writer writes an archive of one member's data. It is not safe for concurrent use.
type Writer struct {
	db     pg.DB
	member uuid.UUID
	zip    *zip.Writer
	at     time.Time

	entries []entry
	sum     hash.Hash // of the last entry, until the next one

	spool     Spool
	spooled   int64 // bytes
	documents []Document
}

// entry is an entry of the archive, with its SHA-256 once it is complete.
type entry struct {
	name   string
	sha256 []byte
}

// NewWriter returns a Writer that writes to out and reads rows from db. It stores the documents in spool
// too, from which ForEachRow reads them again; spool may be nil if it is not called.
func NewWriter(out io.Writer, spool Spool, db pg.DB, member uuid.UUID) *Writer {
	return &Writer{db: db, member: member, zip: zip.NewWriter(out), at: time.Now().UTC(), spool: spool}
}

// DB returns the database that the rows are read from.
func (w *Writer) DB() pg.DB { return w.db }

// Member returns the member whose data is written.
func (w *Writer) Member() uuid.UUID { return w.member }

// At returns the time at which the Writer was made, which all entries have.
func (w *Writer) At() time.Time { return w.at }

// Entries returns the number of entries that were written.
func (w *Writer) Entries() int { return len(w.entries) }

// Close writes the end of the archive. It does not close the underlying writer.
func (w *Writer) Close() error { return w.zip.Close() }

// create begins an entry. The returned writer is valid until the next entry.
func (w *Writer) create(name string, method uint16) (io.Writer, error) {
	w.endEntry()
	out, err := w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: w.at})
	if err != nil {
		return nil, err
	}
	w.entries, w.sum = append(w.entries, entry{name: name}), sha256.New()
	return io.MultiWriter(out, w.sum), nil
}

// endEntry stores the checksum of the last entry.
func (w *Writer) endEntry() {
	if w.sum != nil {
		w.entries[len(w.entries)-1].sha256, w.sum = w.sum.Sum(nil), nil
	}
}

// WriteSums adds a text file with the SHA-256 of all entries so far, as the program sha256sum reads it.
func (w *Writer) WriteSums(name string) error {
	w.endEntry()
	written := w.entries
	return w.WritePage(name, func(out io.Writer) error {
		for _, e := range written {
			if _, err := fmt.Fprintf(out, "%x  %s\n", e.sha256, e.name); err != nil {
				return err
			}
		}
		return nil
	})
}

// WriteText adds a text file.
func (w *Writer) WriteText(name, text string) error {
	return w.WritePage(name, func(out io.Writer) error {
		_, err := io.WriteString(out, text)
		return err
	})
}

// WritePage adds a text file with the content that write writes to out. write must not call methods that write to w.
func (w *Writer) WritePage(name string, write func(out io.Writer) error) error {
	out, err := w.create(name, zip.Deflate)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(out)
	if err := write(buffered); err != nil {
		return err
	}
	return buffered.Flush()
}

// WriteFile adds a file. It is not compressed, because pictures and recordings already are.
func (w *Writer) WriteFile(name string, content io.Reader) error {
	out, err := w.create(name, zip.Store)
	if err == nil {
		_, err = io.Copy(out, content)
	}
	return err
}

// WriteRow adds a document with the row that sql returns as one column of JSON. In sql,
// @viewer is the member. It returns an error if there is no row.
func (w *Writer) WriteRow(ctx context.Context, name, sql string) error {
	var row json.RawMessage
	if err := w.db.QueryRow(ctx, sql, pgx.NamedArgs{"viewer": w.member}).Scan(&row); err != nil {
		return fmt.Errorf("exporting %s: %w", name, pg.Fault(err))
	}
	out, err := w.createDocument(name)
	if err == nil {
		w.lastDocument().Rows = 1
		err = writeJSON(out, row, "\n")
	}
	return err
}

// WriteRows adds a document with the rows that sql returns as one column of JSON. It is
// for tables with few rows of a member. In sql, @viewer is the member.
func (w *Writer) WriteRows(ctx context.Context, name, sql string) error {
	return w.WriteRowsWith(ctx, name, sql, nil)
}

// WriteRowsWith is WriteRows with further arguments of sql.
func (w *Writer) WriteRowsWith(ctx context.Context, name, sql string, args pgx.NamedArgs) error {
	all := pgx.NamedArgs{"viewer": w.member}
	maps.Copy(all, args)
	return w.writeList(name, func() ([]json.RawMessage, bool, error) {
		rows, _ := w.db.Query(ctx, sql, all)
		page, err := pgx.CollectRows(rows, pgx.RowTo[json.RawMessage])
		return page, false, err
	})
}

// WriteList adds a document with the rows that sql returns, a page at a time. sql selects
// the key of each row as text and the row as JSON, in the order of the keys: at most @limit
// rows whose keys are after @after. before is a key before the first one, such as BeforeID.
// @viewer is the member; args has further arguments.
func (w *Writer) WriteList(ctx context.Context, name, before, sql string, args pgx.NamedArgs) error {
	all := pgx.NamedArgs{"viewer": w.member, "after": before, "limit": pageSize}
	maps.Copy(all, args)
	return w.writeList(name, func() ([]json.RawMessage, bool, error) {
		rows, _ := w.db.Query(ctx, sql, all)
		var page []json.RawMessage
		var key string
		var row json.RawMessage
		_, err := pgx.ForEachRow(rows, []any{&key, &row}, func() error {
			page = append(page, bytes.Clone(row))
			return nil
		})
		all["after"] = key
		return page, len(page) == pageSize, err
	})
}

// writeList writes the pages that next returns, as one list, until next reports that there
// are no more.
func (w *Writer) writeList(name string, next func() (page []json.RawMessage, more bool, err error)) error {
	out, err := w.createDocument(name)
	if err != nil {
		return err
	}
	separator := "["
	for more := true; more; {
		var page []json.RawMessage
		if page, more, err = next(); err != nil {
			return fmt.Errorf("exporting %s: %w", name, pg.Fault(err))
		}
		for _, row := range page {
			if _, err := io.WriteString(out, separator+"\n"); err != nil {
				return err
			}
			if err := writeJSON(out, row, ""); err != nil {
				return err
			}
			separator = ","
			w.lastDocument().Rows++
		}
	}
	end := "\n]\n"
	if separator == "[" {
		end = "[]\n"
	}
	_, err = io.WriteString(out, end)
	return err
}

// writeJSON writes a row with indentation, and then end.
func writeJSON(out io.Writer, row json.RawMessage, end string) error {
	var text bytes.Buffer
	if err := json.Indent(&text, row, "", "  "); err != nil {
		return err
	}
	text.WriteString(end)
	_, err := text.WriteTo(out)
	return err
}
