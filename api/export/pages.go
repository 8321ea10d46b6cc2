package export

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"heartward/api/platform/archive"
)

//go:embed pages.html
var pagesText string

// pages are the templates of the pages. They escape every text.
var pages = template.Must(template.New("pages.html").Funcs(template.FuncMap{
	"day":   func(at time.Time) string { return at.UTC().Format("Monday, January 2, 2006") },
	"clock": func(at time.Time) string { return at.UTC().Format("3:04 PM") },
	"long":  func(at time.Time) string { return at.UTC().Format("January 2, 2006, 3:04 PM") },
	"iso":   func(at time.Time) string { return at.UTC().Format(time.RFC3339) },
	"in":    func(file includedFile, root string) fileIn { return fileIn{file, root} },
	"upper": func(text string) string { return strings.ToUpper(text[:1]) + text[1:] },
}).Parse(pagesText))

// fileIn is a file with the relative path from the page that shows it to the folder of index.html: "" or "../".
type fileIn struct {
	includedFile
	Root string
}

// pageWriter writes the pages of an archive from its documents.
type pageWriter struct {
	w         *archive.Writer
	documents map[string]archive.Document // by their names
	files     map[string]includedFile     // by their ids
}

// writePages adds a page for each conversation, and index.html.
func writePages(w *archive.Writer, files map[string]includedFile) error {
	p := &pageWriter{w: w, files: files, documents: map[string]archive.Document{}}
	for _, d := range w.Documents() {
		p.documents[d.Name] = d
	}
	if err := p.writeConversations(); err != nil {
		return err
	}
	return w.WritePage(indexName, p.writeIndex)
}

// group is a folder of the archive with its documents.
type group struct {
	folder
	Documents []archive.Document
}

// groups returns the folders that have documents, in the order of folders, without the messages of conversations, which
// have pages of their own.
func (p *pageWriter) groups() []group {
	byFolder := map[string][]archive.Document{}
	for _, d := range p.w.Documents() {
		if name := path.Dir(d.Name); name != "conversations" || d.Name == conversationsName {
			byFolder[name] = append(byFolder[name], d)
		}
	}
	var all []group
	for _, f := range folders {
		documents := byFolder[f.Name]
		slices.SortFunc(documents, func(a, b archive.Document) int { return cmp.Compare(a.Name, b.Name) })
		if len(documents) > 0 {
			all = append(all, group{f, documents})
		}
	}
	return all
}

func (p *pageWriter) writeIndex(out io.Writer) error {
	groups := p.groups()
	err := pages.ExecuteTemplate(out, "index", map[string]any{
		"Title": "Your Heartward data", "At": p.w.At(), "Groups": groups, "Missing": p.missing(), "ErrorsName": errorsName,
	})
	if err != nil {
		return err
	}
	for _, g := range groups {
		if err := p.writeGroup(out, g); err != nil {
			return err
		}
	}
	return pages.ExecuteTemplate(out, "index-end", map[string]any{"Others": othersText, "LeftOut": leftOut, "Keep": keepText})
}

// missing returns the names of the files that the file store does not have.
func (p *pageWriter) missing() (names []string) {
	for _, file := range p.files {
		if file.IsMissing {
			names = append(names, file.Name)
		}
	}
	slices.Sort(names)
	return names
}

// writeGroup writes a section with the documents of a folder, and a line with the titles of the empty ones.
func (p *pageWriter) writeGroup(out io.Writer, g group) error {
	if err := pages.ExecuteTemplate(out, "group", g.folder); err != nil {
		return err
	}
	var empty []string
	for _, d := range g.Documents {
		title := labelOf(strings.TrimSuffix(path.Base(d.Name), ".json"))
		if d.Rows == 0 {
			empty = append(empty, title)
			continue
		}
		if err := p.writeDocument(out, title, d); err != nil {
			return err
		}
	}
	return pages.ExecuteTemplate(out, "group-end", empty)
}

// writeDocument writes the rows of a document, which are folded if there are many.
func (p *pageWriter) writeDocument(out io.Writer, title string, d archive.Document) error {
	const manyRows = 5
	isLinks := d.Name == conversationsName
	about := map[string]any{"Title": title, "Rows": d.Rows, "IsFolded": d.Rows > manyRows && !isLinks, "IsLinks": isLinks}
	if err := pages.ExecuteTemplate(out, "document", about); err != nil {
		return err
	}
	writeRow := p.writeFields
	if isLinks {
		writeRow = p.writeLink
	}
	if err := p.w.ForEachRow(d, func(row json.RawMessage) error { return writeRow(out, row) }); err != nil {
		return err
	}
	return pages.ExecuteTemplate(out, "document-end", about)
}

// writeFields writes a row as a list of its fields.
func (p *pageWriter) writeFields(out io.Writer, row json.RawMessage) error {
	fields, err := p.fieldsOf(row)
	if err != nil {
		return err
	}
	return pages.ExecuteTemplate(out, "row", value{Fields: fields})
}
