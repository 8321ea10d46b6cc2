package deletion_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/export"
	"heartward/api/platform/blobs"
	"heartward/api/platform/testkit"
)

// readPersonalData returns the entries of docs/personal-data.md by table and column.
func readPersonalData(t testing.TB) map[string]testkit.StoredColumn {
	t.Helper()
	entries := map[string]testkit.StoredColumn{}
	for table, stored := range testkit.PersonalData(t) {
		for column, entry := range stored.Columns {
			entries[table+"."+column] = entry
		}
	}
	return entries
}

// staying returns the columns in which traces of a deleted member stay.
func staying(t *testing.T) []string {
	t.Helper()
	var columns []string
	for name, entry := range readPersonalData(t) {
		if strings.HasPrefix(entry.Deletion, "stays: ") {
			columns = append(columns, name)
		}
	}
	return columns
}

// A new column fails this test until docs/personal-data.md says whether members can export it,
// what their deletion does to it, and for how long it is stored.
func TestPersonalData_ListsEveryColumn(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	entries := readPersonalData(t)
	columns := w.columns(`c.relname NOT LIKE 'river%' AND c.relname NOT IN ('goose_db_version', 'migration_files')`)
	require.Greater(t, len(columns), 300)
	require.Empty(t, testkit.Missing(columns, slices.Collect(maps.Keys(entries))), "docs/personal-data.md lacks columns")
	members := w.columnsOfMembers()
	for name, entry := range entries {
		if name != "river_job.args" {
			require.Empty(t, testkit.Missing([]string{name}, columns), "docs/personal-data.md has a column that does not exist")
		}
		kind, reason, hasReason := strings.Cut(entry.Deletion, ": ")
		require.Contains(t, []string{"row", "cleared", "stays", "none"}, kind, name)
		require.Equal(t, kind == "stays", hasReason && reason != "", "%s: a column that stays has a reason, no other has one", name)
		if slices.Contains(members, name) {
			require.Contains(t, []string{"row", "cleared"}, kind, "%s refers to a member", name)
		}
		require.NotEmpty(t, entry.Retention, name)
	}
}

// The archive of a member with rows in every table has each key that docs/personal-data.md
// names, and nothing else of other members.
func TestPersonalData_ExportHasListedKeys(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	m := w.fillMember()
	files := w.exportOf(m)

	listed := map[string][]string{}
	for name, entry := range readPersonalData(t) {
		document, keys, isExported := strings.Cut(entry.Export, " ")
		if document == "no:" {
			require.NotEmpty(t, keys, "%s needs a reason", name)
			continue
		}
		require.True(t, isExported, "%s: the document and the key", name)
		document = strings.Replace(document, "ID", m.conversations[0].String(), 1)
		_, isInArchive := files[document]
		require.True(t, isInArchive, "%s: %s is not in the archive", name, document)
		for key := range strings.SplitSeq(keys, ", ") {
			listed[document] = append(listed[document], key)
			hasKey := strings.Contains(files[document], fmt.Sprintf("%q:", key))
			require.True(t, hasKey, "%s: %s is not in %s", name, key, document)
		}
	}
	// The keys of a column of JSON are in no list of columns.
	var settings []map[string]any
	require.NoError(t, json.Unmarshal([]byte(files["notifications/settings.json"]), &settings))
	require.Len(t, settings, 1)
	require.ElementsMatch(t, slices.Collect(maps.Keys(settings[0])), listed["notifications/settings.json"], "docs/personal-data.md, notification_settings")
	var order []string
	for _, found := range regexp.MustCompile(`(?m)^  "(\w+)":`).FindAllStringSubmatch(files["notifications/settings.json"], -1) {
		order = append(order, found[1])
	}
	require.Equal(t, []string{
		"messages", "matches", "likes", "community", "graduation", "badges", "digest", "pulse", "pulse_time", "sound", "vibration",
		"quiet_from", "quiet_to", "private_mail", "discreet_mail", "time_zone", "autoplay_voice", "autoplay_video",
		"download_for_offline", "high_quality_media", "voice_message_notifications", "video_message_notifications", "start_reminder",
		"pulse_next_at", "pulse_reminded_on", "likes_notified_at", "updated_at",
	}, order, "settings are in the order of the app")
	for _, file := range m.files {
		require.Contains(t, files, "files/"+file.String()+".webp")
	}
	for name, text := range files {
		require.NotContains(t, text, "@other.example", "the address of another member in %s", name)
	}
}

// exportOf makes the export of a member who has asked for it, and returns the content of each file of the archive.
func (w *env) exportOf(m filledMember) map[string]string {
	w.Helper()
	w.Exec(`UPDATE exports SET file_id = NULL, bytes = NULL, ready_at = NULL`)
	id := testkit.Select[uuid.UUID](w, w.Pool, `SELECT id FROM exports WHERE user_id = $1`, m.id)
	require.NoError(w, export.New(w.Pool, w.blobs, w.jobs, api.Data()).Make(w.Context(), id))
	file := testkit.Select[uuid.UUID](w, w.Pool, `SELECT file_id FROM exports WHERE user_id = $1`, m.id)
	content, err := w.blobs.Range(w.Context(), file, blobs.Archive, 0, -1)
	require.NoError(w, err)
	defer content.Close()
	data, err := io.ReadAll(content)
	require.NoError(w, err)
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(w, err)
	files := map[string]string{}
	for _, f := range archive.File {
		opened, err := f.Open()
		require.NoError(w, err)
		text, err := io.ReadAll(opened)
		require.NoError(w, err)
		files[f.Name] = string(text)
	}
	return files
}
