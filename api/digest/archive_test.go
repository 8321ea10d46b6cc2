package digest_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/digest"
	"heartward/api/platform/archive"
)

func TestExport_ListsTheMembersDigests(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.likedMember("Ann")
	w.start()
	w.sendAll()
	var zipped bytes.Buffer
	writer := archive.NewWriter(&zipped, nil, w.Pool, ann)
	require.NoError(t, digest.Export(t.Context(), writer))
	require.NoError(t, writer.Close())
	reader, err := zip.NewReader(bytes.NewReader(zipped.Bytes()), int64(zipped.Len()))
	require.NoError(t, err)
	file, err := reader.Open("notifications/digests.json")
	require.NoError(t, err)
	var rows []map[string]any
	require.NoError(t, json.NewDecoder(file).Decode(&rows))
	require.Len(t, rows, 1)
	require.NotEmpty(t, rows[0]["changed_at"])
	delete(rows[0], "changed_at")
	require.Equal(t, map[string]any{"week": string(digest.WeekOf(w.now)), "state": "sent", "reason": nil}, rows[0])
}
