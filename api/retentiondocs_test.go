package api_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The retention in the documents is that of the registry. scripts/generate writes it, by this test with WRITE_DOCS=1.
func TestRetention_DocumentsAreGenerated(t *testing.T) {
	t.Parallel()
	for path, generate := range map[string]func(string) string{
		"../docs/security.md":      securityDoc,
		"../docs/personal-data.md": personalDataDoc,
	} {
		stored, err := os.ReadFile(path)
		require.NoError(t, err)
		want := []byte(generate(string(stored)))
		if os.Getenv("WRITE_DOCS") != "" && !bytes.Equal(want, stored) {
			require.NoError(t, os.WriteFile(path, want, 0o644))
			continue
		}
		if !bytes.Equal(want, stored) {
			t.Errorf("the retention in %s is not that of the registry: run scripts/generate\n%s", path, firstDifference(string(stored), string(want)))
		}
	}
}

// firstDifference returns the first lines of two texts that differ.
func firstDifference(stored, want string) string {
	a, b := strings.Split(stored, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d is:  %s\nand must be: %s", i+1, a[i], b[i])
		}
	}
	return "the lengths differ"
}

const (
	tableStart = "<!-- The rows until the next comment are generated from Data.Retention of the features by scripts/generate. -->\n"
	tableEnd   = "<!-- End of the generated rows. -->\n"
)

// securityDoc replaces the table of docs/security.md: a row for each kind of data, in the order of the features.
func securityDoc(stored string) string {
	before, rest, _ := strings.Cut(stored, tableStart)
	_, after, _ := strings.Cut(rest, tableEnd)
	var kinds []string
	ends := map[string][]string{}
	for _, entry := range retentions() {
		if entry.What == "" {
			continue
		}
		if !slices.Contains(kinds, entry.What) {
			kinds = append(kinds, entry.What)
		}
		if end := entry.End.String(); !slices.Contains(ends[entry.What], end) {
			ends[entry.What] = append(ends[entry.What], end)
		}
	}
	table := "\n| data | deleted |\n|---|---|\n"
	for _, kind := range kinds {
		table += "| " + kind + " | " + strings.Join(ends[kind], "; ") + " |\n"
	}
	return before + tableStart + table + "\n" + tableEnd + after
}

// personalDataDoc replaces the last cell of the rows of docs/personal-data.md.
func personalDataDoc(stored string) string {
	lines, table := strings.Split(stored, "\n"), ""
	for i, line := range lines {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			table = name
		}
		cells := strings.Split(line, " | ")
		if column := strings.TrimPrefix(cells[0], "| "); strings.HasPrefix(line, "| ") && column != "column" && len(cells) == 4 {
			cells[3] = retentionOf(table, column) + " |"
			lines[i] = strings.Join(cells, " | ")
		}
	}
	return strings.Join(lines, "\n")
}

// retentionOf returns the end of a column in words: its own, or otherwise that of its row.
func retentionOf(table, column string) string {
	var own, row []string
	for _, entry := range retentions() {
		switch {
		case entry.Table != table:
		case entry.Files == column || slices.Contains(entry.Columns, column):
			own = append(own, entry.End.String())
		case entry.Files == "" && entry.Columns == nil:
			row = append(row, entry.End.String())
		}
	}
	if len(own) > 0 {
		row = own
	}
	return strings.Join(row, "; ")
}
