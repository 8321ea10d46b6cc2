package matching

import (
	"context"

	"heartward/api/platform/archive"
)

// The lists name other members only if the app shows them to the member.

const exportLikesSent = `
SELECT
	r.id::text,
	to_json(r)
FROM (
	SELECT
		l.id,
		u.id AS to_user_id,
		u.first_name,
		l.like_type,
		l.comment,
		l.photo_id,
		l.prompt,
		l.created_at
	FROM user_likes l
	LEFT JOIN visible_members(@viewer) u ON u.id = l.to_user_id
	WHERE l.from_user_id = @viewer
		AND l.id > @after::uuid
	ORDER BY l.id
	LIMIT @limit
) r
ORDER BY r.id`

// exportLikesReceived selects the likes that the app shows: those without a response, and
// those of open matches.
const exportLikesReceived = `
SELECT
	r.id::text,
	to_json(r)
FROM (
	SELECT
		l.id,
		u.id AS from_user_id,
		u.first_name,
		l.like_type,
		l.comment,
		l.photo_id,
		l.prompt,
		l.created_at
	FROM user_likes l
	JOIN visible_members(@viewer) u ON u.id = l.from_user_id
	WHERE l.to_user_id = @viewer
		AND l.id > @after::uuid
		AND (
			EXISTS (
				SELECT FROM match_sides m
				WHERE m.member_id = @viewer
					AND m.peer_id = u.id
					AND m.unmatched_at IS NULL)
			OR NOT EXISTS (
				SELECT FROM decided_pairs d
				WHERE d.member_id = @viewer
					AND d.peer_id = u.id))
	ORDER BY l.id
	LIMIT @limit
) r
ORDER BY r.id`

const exportPasses = `
SELECT
	p.to_user_id::text,
	json_build_object(
		'to_user_id', u.id,
		'first_name', u.first_name,
		'created_at', p.created_at
	)
FROM user_passes p
LEFT JOIN visible_members(@viewer) u ON u.id = p.to_user_id
WHERE p.from_user_id = @viewer
	AND p.to_user_id > @after::uuid
ORDER BY p.to_user_id
LIMIT @limit`

const exportMatches = `
SELECT
	r.id::text,
	to_json(r)
FROM (
	SELECT
		m.match_id AS id,
		u.id AS with_user_id,
		u.first_name,
		m.seen,
		m.unmatched_at,
		m.created_at
	FROM match_sides m
	LEFT JOIN visible_members(@viewer) u ON u.id = m.peer_id AND m.unmatched_at IS NULL
	WHERE m.member_id = @viewer
		AND m.match_id > @after::uuid
	ORDER BY m.match_id
	LIMIT @limit
) r
ORDER BY r.id`

// Export writes the member's likes, passes and matches, and the received likes that the app
// shows.
func Export(ctx context.Context, w *archive.Writer) error {
	for name, sql := range map[string]string{
		"matching/likes-sent.json": exportLikesSent, "matching/likes-received.json": exportLikesReceived,
		"matching/passes.json": exportPasses, "matching/matches.json": exportMatches,
	} {
		if err := w.WriteList(ctx, name, archive.BeforeID, sql, nil); err != nil {
			return err
		}
	}
	return nil
}
