// Package archive writes the zip file of a member's data: documents of JSON, whose rows
// PostgreSQL returns as JSON, and files. The memory it uses does not depend on the size
// of the data.
package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// pageSize is the number of rows that are in memory at once.
const pageSize = 200

// The keys before the first row of a list, for WriteList.
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
}

// NewWriter returns a Writer that writes to out and reads rows from db.
func NewWriter(out io.Writer, db pg.DB, member uuid.UUID) *Writer {
	return &Writer{db: db, member: member, zip: zip.NewWriter(out), at: time.Now().UTC()}
}

// DB returns the database that the rows are read from.
func (w *Writer) DB() pg.DB { return w.db }

// Member returns the member whose data is written.
func (w *Writer) Member() uuid.UUID { return w.member }

// Close writes the end of the archive. It does not close the underlying writer.
func (w *Writer) Close() error { return w.zip.Close() }

func (w *Writer) create(name string, method uint16) (io.Writer, error) {
	return w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: w.at})
}

// WriteText adds a text file.
func (w *Writer) WriteText(name, text string) error {
	out, err := w.create(name, zip.Deflate)
	if err == nil {
		_, err = io.WriteString(out, text)
	}
	return err
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
// @viewer is the member.
func (w *Writer) WriteRow(ctx context.Context, name, sql string) error {
	var row json.RawMessage
	if err := w.db.QueryRow(ctx, sql, pgx.NamedArgs{"viewer": w.member}).Scan(&row); err != nil {
		return fmt.Errorf("exporting %s: %w", name, pg.Fault(err))
	}
	out, err := w.create(name, zip.Deflate)
	if err == nil {
		err = writeJSON(out, row, "\n")
	}
	return err
}

// WriteRows adds a document with the rows that sql returns as one column of JSON. It is
// for tables with few rows of a member. In sql, @viewer is the member.
func (w *Writer) WriteRows(ctx context.Context, name, sql string) error {
	return w.writeList(name, func() ([]json.RawMessage, bool, error) {
		rows, _ := w.db.Query(ctx, sql, pgx.NamedArgs{"viewer": w.member})
		page, err := pgx.CollectRows(rows, pgx.RowTo[json.RawMessage])
		return page, false, err
	})
}

// WriteList adds a document with the rows that sql returns, a page at a time. sql selects
// the key of each row as text and the row as JSON, of the rows whose keys are after @after,
// at most @limit in the order of their keys. @viewer is the member; args has further
// arguments. before is a key before the first one.
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
	out, err := w.create(name, zip.Deflate)
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
		}
	}
	end := "\n]\n"
	if separator == "[" {
		end = "[]\n"
	}
	_, err = io.WriteString(out, end)
	return err
}

// writeJSON writes an indented row.
func writeJSON(out io.Writer, row json.RawMessage, end string) error {
	var text bytes.Buffer
	if err := json.Indent(&text, row, "", "  "); err != nil {
		return err
	}
	text.WriteString(end)
	_, err := text.WriteTo(out)
	return err
}
