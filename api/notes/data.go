package notes

import (
	"context"

	"heartward/api/platform/archive"
	"heartward/api/platform/feature"
)

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"match_notes"},
	Export: export,
	Retention: []feature.Retention{
		{Table: "match_notes", What: "notes about a match", End: feature.With("users", "the account of either member")},
	},
}

const exportNotes = `
SELECT
	r.about_id::text,
	to_json(r)
FROM (
	SELECT
		about_id,
		content,
		edited_at
	FROM match_notes
	WHERE member_id = @viewer
		AND content <> ''
		AND about_id > @after::uuid
	ORDER BY about_id
	LIMIT @limit
) r`

// export writes the member's own notes.
func export(ctx context.Context, w *archive.Writer) error {
	return w.WriteList(ctx, "matches/notes.json", archive.BeforeID, exportNotes, nil)
}
