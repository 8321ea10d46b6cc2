package jobs_test

import (
	"slices"
	"strings"
	"testing"

	"heartward/api"
	"heartward/api/platform/testkit"
)

// otherCleanUps are the tables whose rows are deleted by steps of the clean-up that are not in the
// list of expired rows, or by the job of the figures.
var otherCleanUps = []string{"blob_removals", "uploads", "upload_parts", "evidence_files", "active_days", "weekly_showings"}

// The tables that are cleaned up are those that docs/personal-data.md says are: with "job" as the
// retention of every column.
func TestCleanup_DeletesWhatPersonalDataSays(t *testing.T) {
	t.Parallel()
	var documented []string
	for table, stored := range testkit.PersonalData(t) {
		isCleanedUp := true
		for _, column := range stored.Columns {
			isCleanedUp = isCleanedUp && strings.HasPrefix(column.Retention, "job: ")
		}
		if isCleanedUp {
			documented = append(documented, table)
		}
	}
	testkit.SameElements(t, slices.Concat(expiredTables(), otherCleanUps), documented)
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
