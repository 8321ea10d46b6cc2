package archive

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
)

// Spool is a file in which a Writer stores its documents.
type Spool interface {
	io.Writer
	io.ReaderAt
}

// Document is a document of JSON in an archive.
type Document struct {
	Name   string
	Rows   int
	offset int64 // in the spool
	bytes  int64
}

// Documents returns the documents in the order in which they were written.
func (w *Writer) Documents() []Document { return w.documents }

func (w *Writer) lastDocument() *Document { return &w.documents[len(w.documents)-1] }

// createDocument adds an entry whose content is stored in the spool too.
func (w *Writer) createDocument(name string) (io.Writer, error) {
	out, err := w.create(name, zip.Deflate)
	if err != nil {
		return nil, err
	}
	w.documents = append(w.documents, Document{Name: name, offset: w.spooled})
	if w.spool == nil {
		return out, nil
	}
	return io.MultiWriter(out, spoolWriter{w}), nil
}

// spoolWriter appends to the last document in the spool.
type spoolWriter struct{ w *Writer }

func (s spoolWriter) Write(p []byte) (int, error) {
	n, err := s.w.spool.Write(p)
	s.w.spooled += int64(n)
	s.w.lastDocument().bytes += int64(n)
	return n, err
}

// ForEachRow calls do with each row of a complete document, with one row at a time in memory. A document of WriteRow has
// one row. It returns the first error of do.
func (w *Writer) ForEachRow(d Document, do func(row json.RawMessage) error) error {
	decoder := json.NewDecoder(io.NewSectionReader(w.spool, d.offset, d.bytes))
	isList, err := beginsList(w.spool, d)
	if err != nil {
		return err
	}
	if isList {
		if _, err := decoder.Token(); err != nil {
			return fmt.Errorf("reading %s: %w", d.Name, err)
		}
	}
	for decoder.More() {
		var row json.RawMessage
		if err := decoder.Decode(&row); err != nil {
			return fmt.Errorf("reading %s: %w", d.Name, err)
		}
		if err := do(row); err != nil {
			return err
		}
	}
	return nil
}

// beginsList reports whether a document is a list, and not the row of WriteRow.
func beginsList(spool io.ReaderAt, d Document) (bool, error) {
	first := make([]byte, 1)
	if _, err := spool.ReadAt(first, d.offset); err != nil {
		return false, fmt.Errorf("reading %s: %w", d.Name, err)
	}
	return first[0] == '[', nil
}
