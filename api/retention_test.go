package api_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/platform/feature"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// retentions returns the entries of all features.
func retentions() (all []feature.Retention) {
	for _, part := range api.Data() {
		all = append(all, part.Retention...)
	}
	return all
}

// A table without an entry in the registry fails this test by its name, and so do a column that refers to files and an entry
// of what does not exist.
func TestRetention_HasEveryTableAndClassOfFiles(t *testing.T) {
	t.Parallel()
	db := pgtest.NewDB(t)
	tables := testkit.SelectAll[string](t, db.Pool, `SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'river%' AND tablename <> 'goose_db_version'`)
	columns := testkit.SelectAll[string](t, db.Pool, `SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public'`)
	files := testkit.SelectAll[string](t, db.Pool, fileColumns)
	var rows, classes []string
	for _, entry := range retentions() {
		for _, column := range append([]string{entry.Files}, entry.Columns...) {
			if column != "" && !slices.Contains(columns, entry.Table+"."+column) {
				t.Errorf("the entry %s is about %s.%s, which does not exist", entry.Name(), entry.Table, column)
			}
		}
		switch {
		case entry.Files != "":
			classes = append(classes, entry.Table+"."+entry.Files)
		case entry.Columns == nil:
			rows = append(rows, entry.Table)
		}
		if isOwn := entry.End.Parent() != ""; !isOwn && entry.What == "" && entry.Table != "evidence_files" {
			t.Errorf("the entry %s needs What: docs/security.md says when it ends", entry.Name())
		}
	}
	require.Empty(t, testkit.Missing(tables, rows), "tables without an entry in Data.Retention of their feature")
	require.Empty(t, testkit.Missing(rows, tables), "entries of tables that do not exist")
	require.Empty(t, testkit.Missing(files, classes), "columns that refer to files, without an entry with Files")
}

// fileColumns selects the columns that refer to the files of a class of their own: not references to a file of a profile, and
// not the list of files to be removed.
const fileColumns = `
	SELECT k.conrelid::regclass || '.' || a.attname
	FROM pg_constraint k
	JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
	WHERE k.contype = 'f'
		AND k.confrelid = 'files'::regclass
		AND k.conrelid::regclass::text || '.' || a.attname NOT IN ('user_likes.photo_id', 'profile_reviews.photo_id', 'couple_pictures.file_id')
	UNION
	SELECT table_name || '.' || column_name
	FROM information_schema.columns
	WHERE table_schema = 'public'
		AND column_name = 'file_id'
		AND table_name NOT IN ('blob_removals', 'couple_pictures')
		AND table_name IN (SELECT tablename FROM pg_tables WHERE schemaname = 'public')
	UNION
	SELECT 'upload_parts.id'`

// What ends with the row of another table has a foreign key that deletes it, over one or more tables.
func TestRetention_EndsWithParentByForeignKey(t *testing.T) {
	t.Parallel()
	db := pgtest.NewDB(t)
	for _, entry := range retentions() {
		if entry.End.Parent() == "" {
			continue
		}
		found := testkit.Select[bool](t, db.Pool, `
			WITH RECURSIVE parents AS (
				SELECT $1::regclass AS parent
				UNION
				SELECT k.confrelid
				FROM parents p
				JOIN pg_constraint k ON k.conrelid = p.parent AND k.contype = 'f' AND k.confdeltype = 'c'
			)
			SELECT EXISTS (SELECT FROM parents WHERE parent = $2::regclass)`, entry.Table, entry.End.Parent())
		if !found {
			t.Errorf("%s has no foreign key with ON DELETE CASCADE to %s", entry.Table, entry.End.Parent())
		}
	}
}
