package dates

import (
	"context"

	"heartward/api/platform/archive"
)

// exportDates selects the dates of the member's open conversations, as the app shows them, and
// those that the member planned in others.
const exportDates = `
SELECT
	d.id::text,
	json_build_object(
		'id', d.id,
		'conversation_id', d.conversation_id,
		'created_by', CASE WHEN d.created_by = @viewer THEN 'me' ELSE 'them' END,
		'place', d.place,
		'note', d.note,
		'at', d.at,
		'time_zone', d.time_zone,
		'status', d.status,
		'revision', d.revision,
		'proposed_by', CASE WHEN d.proposed_by = @viewer THEN 'me' ELSE 'them' END,
		'proposed_at', d.proposed_at,
		'changed_by', CASE WHEN d.changed_by = @viewer THEN 'me' ELSE 'them' END,
		'accepted_at', d.accepted_at,
		'message_seq', d.message_seq,
		'created_at', d.created_at,
		'updated_at', d.updated_at
	)
FROM dates d
JOIN conversation_sides c ON c.conversation_id = d.conversation_id AND c.member_id = @viewer
WHERE d.id > @after::uuid
	AND (
		d.proposed_by = @viewer
		OR c.closed_at IS NULL
			AND c.requested_by IS NULL
			AND EXISTS (
				SELECT FROM profiles o
				WHERE o.id = c.peer_id
					AND o.profile_status = 'active'))
ORDER BY d.id
LIMIT @limit`

const exportShares = `
SELECT to_json(r)
FROM (
	SELECT
		date_id,
		created_at,
		expires_at
	FROM date_shares
	WHERE user_id = @viewer
	ORDER BY created_at
) r`

const exportFeedback = `
SELECT to_json(r)
FROM (
	SELECT
		date_id,
		met,
		felt_safe,
		note,
		answered_at
	FROM date_feedback
	WHERE user_id = @viewer
	ORDER BY answered_at
) r`

// Export writes the member's dates, the links to them, and the member's feedback.
func Export(ctx context.Context, w *archive.Writer) error {
	if err := w.WriteList(ctx, "dates/dates.json", archive.BeforeID, exportDates, nil); err != nil {
		return err
	}
	if err := w.WriteRows(ctx, "dates/shares.json", exportShares); err != nil {
		return err
	}
	return w.WriteRows(ctx, "dates/feedback.json", exportFeedback)
}
