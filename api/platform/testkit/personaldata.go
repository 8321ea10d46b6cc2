package testkit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// StoredTable is what docs/personal-data.md says about a table.
type StoredTable struct {
	Columns map[string]StoredColumn
	Unmatch string // what happens to a pair's rows when one unmatches the other: "stay" or "are deleted"; "" without a pair
	Block   string // the same when one blocks the other
}

// StoredColumn is what docs/personal-data.md says about a column.
type StoredColumn struct{ Export, Deletion, Retention string }

// PersonalData reads docs/personal-data.md. The test fails if a column is there twice or lacks a cell.
func PersonalData(t testing.TB) map[string]StoredTable {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), "docs", "personal-data.md"))
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]StoredTable{}
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		name, rest, _ := strings.Cut(section, "\n")
		table := StoredTable{Columns: map[string]StoredColumn{}}
		for line := range strings.Lines(rest) {
			line = strings.TrimSpace(line)
			if pair, ok := strings.CutPrefix(line, "After an unmatch they "); ok {
				table.Unmatch, table.Block, _ = strings.Cut(strings.TrimSuffix(pair, "."), ", after a block they ")
			}
			cells := strings.Split(strings.Trim(line, "| "), " | ")
			if !strings.HasPrefix(line, "| ") || cells[0] == "column" {
				continue
			}
			if _, isListed := table.Columns[cells[0]]; isListed || len(cells) != 4 {
				t.Fatalf("docs/personal-data.md, %s: a second row or a missing cell: %s", name, line)
			}
			table.Columns[cells[0]] = StoredColumn{Export: cells[1], Deletion: cells[2], Retention: cells[3]}
		}
		tables[name] = table
	}
	return tables
}

// FillMember runs the statements in testdata/member.sql of each feature. They insert rows of @member into the feature's
// tables, with @mark in each text. @other is the second member of rows about two; the two have matched.
func FillMember(t testing.TB, db pg.DB, member, other uuid.UUID, mark string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root(t), "api", "*", "testdata", "member.sql"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for statement := range strings.SplitSeq(strings.TrimSpace(string(text)), ";") {
			if statement == "" {
				continue
			}
			if _, err := db.Exec(t.Context(), statement, pgx.NamedArgs{"member": member, "other": other, "mark": mark}); err != nil {
				t.Fatalf("%s: %s: %v", file, statement, err)
			}
		}
	}
}

// root returns the folder of the repository.
func root(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			t.Fatal("no folder above has a go.mod")
		}
		folder = parent
	}
}
