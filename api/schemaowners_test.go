package api_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
)

// foreignFunctions are the SQL functions that name tables of several packages, with these tables.
var foreignFunctions = map[string]string{
	"audit_log_chain":               "audit_log users",
	"review_first_photo":            "member_media profile_reviews",
	"store_evidence_files":          "evidence_files files message_files messages",
	"store_file_of_flagged_message": "message_flags messages",
	"store_message_flag":            "conversations message_flags",
	"store_post_evidence":           "evidence_files files",
	"store_profile_evidence":        "evidence_files files",
}

// foreignTriggers are the functions of triggers that name tables of other packages than that of the trigger's table, with the
// table. By them a package follows what happens to the rows of a lower one.
var foreignTriggers = []string{
	"audit_log_chain on audit_log",
	"community_posts_image_removed on community_posts",
	"conversations_closed on conversations",
	"export_file_removed on exports",
	"files_deleted on files",
	"files_deleted on upload_parts",
	"member_activity_hour_changed on member_activity",
	"message_files_deleted on message_files",
	"moment_picture_dropped on shareable_moments",
	"store_file_of_flagged_message on message_files",
	"store_message_flag on messages",
	"users_community_deleted on users",
	"users_community_status_changed on users",
	"users_deleted on users",
	"users_first_hour on users",
	"users_search_removed on users",
	"users_status_changed on users",
}

// The functions, triggers and views in the migrated database, whichever migration made them, name the tables of one package,
// apart from those in the lists.
func TestSchema_NamesTablesOfOneOwner(t *testing.T) {
	t.Parallel()
	owner, pool := tableOwners(t), pgtest.New(t)
	functions := map[string][]string{} // the tables that each function names
	for _, f := range selectPairs(t, pool, `
		SELECT
			p.proname,
			pg_get_functiondef(p.oid)
		FROM pg_proc p
		JOIN pg_language l ON l.oid = p.prolang
		WHERE p.pronamespace = current_schema()::regnamespace
			AND p.prokind IN ('f', 'p')
			AND l.lanname IN ('sql', 'plpgsql')`) {
		for _, table := range tablesIn(f[1]) {
			if owner[table] != "" && !slices.Contains(functions[f[0]], table) {
				functions[f[0]] = append(functions[f[0]], table)
			}
		}
	}
	require.Greater(t, len(functions), 30)
	severalOwners := map[string]string{}
	for name, tables := range functions {
		if len(ownersOf(owner, tables)) > 1 {
			severalOwners[name] = strings.Join(slices.Sorted(slices.Values(tables)), " ")
		}
	}
	require.Equal(t, foreignFunctions, severalOwners, "functions that name tables of several packages")

	var others []string
	for _, trigger := range selectPairs(t, pool, `
		SELECT DISTINCT
			c.relname,
			p.proname
		FROM pg_trigger g
		JOIN pg_class c ON c.oid = g.tgrelid
		JOIN pg_proc p ON p.oid = g.tgfoid
		WHERE NOT g.tgisinternal
			AND c.relnamespace = current_schema()::regnamespace`) {
		table, function := trigger[0], trigger[1]
		if owner[table] != "" && len(ownersOf(owner, append(slices.Clone(functions[function]), table))) > 1 {
			others = append(others, function+" on "+table)
		}
	}
	require.Equal(t, foreignTriggers, slices.Sorted(slices.Values(others)), "triggers that name tables of another package than their own table's")

	views := map[string][]string{}
	for _, v := range selectPairs(t, pool, `
		SELECT DISTINCT
			v.relname,
			c.relname
		FROM pg_depend d
		JOIN pg_rewrite r ON r.oid = d.objid
		JOIN pg_class v ON v.oid = r.ev_class
		JOIN pg_class c ON c.oid = d.refobjid
		WHERE d.classid = 'pg_rewrite'::regclass
			AND d.refclassid = 'pg_class'::regclass
			AND v.relnamespace = current_schema()::regnamespace
			AND c.relkind = 'r'`) {
		views[v[0]] = append(views[v[0]], v[1])
	}
	require.Greater(t, len(views), 50)
	for name, tables := range views {
		if owners := ownersOf(owner, tables); len(owners) > 1 {
			t.Errorf("the view %s names %v, tables of %v: name a view of the other owner", name, tables, owners)
		}
	}
}

// ownersOf returns the owners of the tables, sorted.
func ownersOf(owner map[string]string, tables []string) []string {
	owners := map[string]bool{}
	for _, table := range tables {
		if owner[table] != "" {
			owners[owner[table]] = true
		}
	}
	return slices.Sorted(maps.Keys(owners))
}

// selectPairs returns the rows of a query with two texts.
func selectPairs(t *testing.T, db pg.DB, sql string) [][2]string {
	t.Helper()
	rows, err := db.Query(t.Context(), sql)
	require.NoError(t, err)
	pairs, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (pair [2]string, err error) {
		err = row.Scan(&pair[0], &pair[1])
		return pair, err
	})
	require.NoError(t, err)
	return pairs
}
