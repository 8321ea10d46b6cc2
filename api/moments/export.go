package moments

import (
	"context"

	"heartward/api/platform/archive"
)

const exportMoments = `
SELECT to_json(r)
FROM (
	SELECT
		s.id,
		s.moment_type,
		s.subject_id,
		s.title,
		s.caption,
		s.image_id,
		s.share_count,
		s.created_at,
		(SELECT c.asked_at FROM moment_consents c WHERE c.moment_id = s.id) AS asked_at,
		ARRAY(
			SELECT json_build_object('client_id', h.client_id, 'channel', h.channel, 'shared_at', h.shared_at)
			FROM moment_shares h
			WHERE h.moment_id = s.id
			ORDER BY h.shared_at, h.client_id
		) AS shares
	FROM shareable_moments s
	WHERE s.user_id = @viewer
	ORDER BY s.created_at, s.id
) r`

const exportConsents = `
SELECT to_json(r)
FROM (
	SELECT
		c.answer,
		c.asked_at,
		c.answered_at
	FROM moment_consents c
	WHERE c.peer_id = @viewer
	ORDER BY c.asked_at, c.moment_id
) r`

// Export writes the member's moments, and the member's answers to requests to be shown in others'.
// Whether others have allowed it is theirs.
func Export(ctx context.Context, w *archive.Writer) error {
	if err := w.WriteRows(ctx, "moments/moments.json", exportMoments); err != nil {
		return err
	}
	return w.WriteRows(ctx, "moments/consents.json", exportConsents)
}
