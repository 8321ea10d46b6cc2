package members

// Conditions on a row u of users or profiles: who is shown, and to whom.
const (
	// Searched is a condition: the member can be found by search. Incognito members can be
	// found only by members whom they like.
	Searched = `(u.profile_status = 'active' AND u.is_approved AND NOT u.is_graduated AND NOT ` + Paused + `)`

	// Shown is a condition: the member is shown to everyone.
	Shown = `(` + Searched + ` AND NOT u.incognito)`

	// NotBlocked is a condition: neither member has blocked the other. It takes "viewer" like
	// Visible.
	NotBlocked = `NOT EXISTS (SELECT FROM blocked_pairs b WHERE b.member_id = @viewer AND b.peer_id = u.id)`

	// LikesViewer is a condition: the member has liked the viewer.
	LikesViewer = `EXISTS (SELECT FROM likes l WHERE l.member_id = u.id AND l.peer_id = @viewer)`

	// noEndedMatch is a condition: no match of the viewer with the member has ended.
	noEndedMatch = `NOT EXISTS (
		SELECT FROM match_sides m
		WHERE m.member_id = @viewer
			AND m.peer_id = u.id
			AND m.unmatched_at IS NOT NULL)`

	// Visible is a condition: the viewer, passed as "viewer" in pgx.NamedArgs, may see the
	// member. Viewers may see themselves; members who are Shown; incognito members who like
	// them; and, if active, their matches, members of their conversations, and senders of
	// requests that they have not declined. A block and an ended match override all of these.
	Visible = `(u.id = @viewer OR ` + NotBlocked + ` AND ` + noEndedMatch + ` AND (` + Shown + `
		OR u.incognito AND ` + Searched + ` AND ` + LikesViewer + `
		OR u.profile_status = 'active' AND EXISTS (
			SELECT FROM match_sides m
			WHERE m.member_id = @viewer
				AND m.peer_id = u.id
				AND m.unmatched_at IS NULL)
		OR u.profile_status = 'active' AND EXISTS (
			SELECT FROM conversation_sides c
			WHERE c.member_id = @viewer
				AND c.peer_id = u.id
				AND c.closed_at IS NULL
				AND (c.requested_by IS NULL OR c.requested_by = u.id AND c.declined_at IS NULL))))`
)
