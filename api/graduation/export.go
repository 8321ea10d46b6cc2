package graduation

import (
	"context"

	"heartward/api/platform/archive"
)

const exportCouples = `
SELECT to_json(r)
FROM (
	SELECT
		c.id,
		c.status,
		c.user_one_id = @viewer AS asked_by_me,
		CASE
			WHEN c.user_one_id = @viewer AND c.partner_address IS NOT NULL THEN NULL
			WHEN c.user_one_id = @viewer THEN c.user_two_id
			ELSE c.user_one_id
		END AS partner_id,
		CASE WHEN c.user_one_id = @viewer THEN c.partner_address END AS partner_address,
		c.legacy_message,
		m.on_wall,
		ARRAY(SELECT p.file_id FROM couple_pictures p WHERE p.couple_id = c.id AND p.user_id = @viewer ORDER BY p.position) AS pictures,
		ARRAY(SELECT p.file_id FROM couple_pictures p WHERE p.couple_id = c.id AND p.user_id <> @viewer AND p.is_agreed ORDER BY p.position) AS agreed_pictures,
		c.requested_at,
		c.accepted_at,
		c.approved_at,
		c.ended_at,
		c.reason
	FROM graduated_couples c
	LEFT JOIN couple_members m ON m.couple_id = c.id AND m.user_id = @viewer
	WHERE @viewer IN (c.user_one_id, c.user_two_id)
	ORDER BY c.requested_at
) r`

// Export writes the member's couples. Before the acceptance it does not tell whose a named address is.
func Export(ctx context.Context, w *archive.Writer) error {
	return w.WriteRows(ctx, "graduation/couples.json", exportCouples)
}
