package jobs_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api"
)

// otherCleanUps are the tables whose rows are deleted by steps of the clean-up that are not in the
// list of expired rows, or by the job of the figures.
var otherCleanUps = []string{"blob_removals", "uploads", "upload_parts", "evidence_files", "active_days", "weekly_showings"}

// The tables that are cleaned up are those that docs/personal-data.md says are: with "job" as the
// retention of every column.
func TestCleanup_DeletesWhatPersonalDataSays(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/personal-data.md")
	require.NoError(t, err)
	var documented []string
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		table, columns, _ := strings.Cut(section, "\n")
		isCleanedUp := true
		for line := range strings.Lines(columns) {
			cells := strings.Split(strings.Trim(line, "| \n"), " | ")
			if len(cells) == 4 && cells[0] != "column" && !strings.HasPrefix(cells[3], "job: ") {
				isCleanedUp = false
			}
		}
		if isCleanedUp {
			documented = append(documented, table)
		}
	}
	require.ElementsMatch(t, slices.Concat(expiredTables(), otherCleanUps), documented)
}

// expiredTables returns the tables from which the clean-up deletes rows by a condition, each once.
func expiredTables() (tables []string) {
	for _, part := range api.Data() {
		for _, rows := range part.Expired {
			if !slices.Contains(tables, rows.Table) {
				tables = append(tables, rows.Table)
			}
		}
	}
	return tables
}
