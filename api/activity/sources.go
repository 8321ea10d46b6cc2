package activity

// Each source is a query whose rows become items. Its columns are kind, at, id, other (the other member, or NULL) and key (which
// makes the item's id unique within the kind). Each source uses an index, so that the cost of a page does not grow with the
// tables. Those of dates, requests and couples read the rows of the member, of which each member has few.
const (
	liked = `
		SELECT
			CASE l.like_type WHEN 'like' THEN 'liked' ELSE 'super_liked' END AS kind,
			l.created_at AS at,
			l.id,
			l.peer_id AS other,
			l.id::text AS key
		FROM likes l
		WHERE l.member_id = @viewer`
	matched = `
		SELECT 'matched' AS kind, m.created_at AS at, m.match_id AS id, m.peer_id AS other, m.match_id::text AS key
		FROM match_sides m
		WHERE m.member_id = @viewer
			AND m.unmatched_at IS NULL`
	datePlanned = `
		SELECT 'date_planned' AS kind, d.accepted_at AS at, d.date_id AS id, d.peer_id AS other, d.date_id::text AS key
		FROM planned_dates d
		WHERE d.member_id = @viewer`
	mediaAdded = `
		SELECT
			CASE m.slot
				WHEN 'header_banner' THEN 'banner_added'
				WHEN 'audio_greeting' THEN 'voice_added'
				WHEN 'video_greeting' THEN 'video_added'
				WHEN 'gallery_video' THEN 'video_added'
				ELSE 'photo_added'
			END AS kind,
			m.added_at AS at,
			m.file_id AS id,
			NULL::uuid AS other,
			m.file_id::text AS key
		FROM profile_media m
		WHERE m.user_id = @viewer`
	verified = `
		SELECT 'verified' AS kind, u.verified_at AS at, u.id, NULL::uuid AS other, u.id::text AS key
		FROM profiles u
		WHERE u.id = @viewer
			AND u.verified_at > u.created_at`
	postPublished = `
		SELECT c.kind, c.happened_at AS at, c.post_id AS id, NULL::uuid AS other, c.post_id::text AS key
		FROM community_activity c
		WHERE c.member_id = @viewer
			AND c.kind = 'post_published'`
	postRejected = `
		SELECT c.kind, c.happened_at AS at, c.post_id AS id, NULL::uuid AS other, c.post_id::text AS key
		FROM community_activity c
		WHERE c.member_id = @viewer
			AND c.kind = 'post_rejected'`
	// A page is read for each row p of ownPosts.
	commentReceived = `
		SELECT 'comment_received' AS kind, c.created_at AS at, c.comment_id AS id, c.author_id AS other, c.comment_id::text AS key, c.post_id
		FROM board_comments c
		WHERE c.post_id = p.post_id
			AND c.is_counted
			AND c.author_id <> @viewer`
	ownPosts = `
		SELECT b.post_id
		FROM board_posts b
		WHERE b.author_id = @viewer
			AND b.status = 'published'`
	// A page is read for each row p of ownComments.
	replyReceived = `
		SELECT 'reply_received' AS kind, c.created_at AS at, c.comment_id AS id, c.author_id AS other, c.comment_id::text AS key, c.post_id
		FROM board_comments c
		JOIN board_posts b ON b.post_id = c.post_id
		WHERE c.parent_id = p.comment_id
			AND c.is_counted
			AND c.author_id <> @viewer
			AND b.status = 'published'
			AND b.author_id <> @viewer`
	ownComments = `
		SELECT c.comment_id
		FROM board_comments c
		WHERE c.author_id = @viewer
			AND c.parent_id IS NULL`
	badgeEarned = `
		SELECT 'badge_earned' AS kind, b.earned_at AS at, b.id, NULL::uuid AS other, b.id::text AS key, b.name, b.is_notified
		FROM earned_badges b
		WHERE b.user_id = @viewer
			AND NOT b.is_silent`
	friendJoined = `
		SELECT 'friend_joined' AS kind, r.joined_at AS at, r.id, NULL::uuid AS other, r.id::text AS key
		FROM joined_referrals r
		WHERE r.referrer_id = @viewer`
	friendCompleted = `
		SELECT 'friend_completed' AS kind, r.completed_at AS at, r.id, NULL::uuid AS other, r.id::text AS key
		FROM completed_referrals r
		WHERE r.referrer_id = @viewer`
	graduated = `
		SELECT 'graduated' AS kind, c.approved_at AS at, c.couple_id AS id, c.peer_id AS other, c.couple_id::text AS key
		FROM couple_sides c
		WHERE c.member_id = @viewer
			AND c.status = 'graduated'`
	requestReceived = `
		SELECT 'request_received' AS kind, c.last_message_at AS at, c.conversation_id AS id, c.peer_id AS other, c.conversation_id::text AS key
		FROM conversation_sides c
		WHERE c.member_id = @viewer
			AND c.requested_by = c.peer_id
			AND c.declined_at IS NULL
			AND c.closed_at IS NULL
			AND c.last_seq > 0`
	togetherInvited = `
		SELECT 'together_invited' AS kind, t.invited_at AS at, t.couple_id AS id, t.partner_id AS other, t.couple_id::text AS key
		FROM together_invitations t
		WHERE t.member_id = @viewer`
	consentAsked = `
		SELECT 'consent_asked' AS kind, c.asked_at AS at, c.moment_id AS id, c.owner_id AS other, c.moment_id::text AS key
		FROM waiting_consents c
		WHERE c.member_id = @viewer`
	verificationDecided = `
		SELECT 'verification_' || v.status AS kind, v.decided_at AS at, v.id, NULL::uuid AS other, v.id::text AS key
		FROM decided_verifications v
		WHERE v.user_id = @viewer`
	profileReviewed = `
		SELECT r.subject || '_' || r.status AS kind, r.decided_at AS at, r.id, NULL::uuid AS other, r.id::text AS key
		FROM decided_profile_reviews r
		WHERE r.user_id = @viewer`
	reportDecided = `
		SELECT 'report_decided' AS kind, r.reviewed_at AS at, r.id, NULL::uuid AS other, r.id::text AS key
		FROM decided_reports r
		WHERE r.reporter_id = @viewer`
	sanctioned = `
		SELECT
			CASE s.kind
				WHEN 'warning' THEN CASE WHEN s.removes_parts THEN 'warned_parts_removed' ELSE 'warned' END
				WHEN 'removal' THEN 'parts_removed'
				WHEN 'review' THEN 'reviewed'
				WHEN 'reinstatement' THEN 'reinstated'
				ELSE CASE WHEN s.removes_parts THEN 'suspended_parts_removed' ELSE 'suspended' END
			END AS kind,
			s.created_at AS at,
			s.id,
			NULL::uuid AS other,
			s.id::text AS key
		FROM member_sanctions s
		WHERE s.user_id = @viewer`
	// OFFSET 0 keeps the planner from reading all members' appeals in the order of time.
	appealDecided = `
		SELECT 'appeal_' || a.outcome AS kind, a.decided_at AS at, a.sanction_id AS id, NULL::uuid AS other, a.sanction_id::text AS key
		FROM decided_appeals a
		WHERE a.user_id = @viewer
		OFFSET 0`
	securityEvents = `
		SELECT
			CASE e.kind
				WHEN 'sign_in' THEN 'new_sign_in'
				WHEN 'password' THEN 'password_set'
				WHEN 'passkey' THEN 'passkey_added'
				ELSE 'email_change'
			END AS kind,
			e.created_at AS at,
			e.id,
			NULL::uuid AS other,
			e.id::text AS key
		FROM security_events e
		WHERE e.user_id = @viewer`
	moreNear = `
		SELECT 'more_near' AS kind, n.told_at AS at, n.user_id AS id, NULL::uuid AS other, to_char(n.told_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS key
		FROM near_news n
		WHERE n.user_id = @viewer`
)

// received is a FROM clause: the unanswered likes l whose senders u are visible to @viewer.
const received = `
			FROM unanswered_likes(@viewer) l
			JOIN visible_members(@viewer) u ON u.id = l.member_id`

const dayLikes = received + `
			WHERE l.like_type = 'like'`

// superLikes has a row for each unanswered super like. A recursive query steps from one to the next by the index, because
// the planner does not know how few are answered, and would read and sort all of them. @steps is the maximum number of rows.
const superLikes = `
		SELECT 'super_like_received' AS kind, n.at, n.id, n.other, n.id::text AS key
		FROM (
			WITH RECURSIVE newest AS (
				(
					SELECT l.created_at AS at, l.id, l.member_id AS other` + received + `
					WHERE l.like_type = 'super_like'
						AND l.created_at >= @floor
						AND (l.created_at, l.id) < (@at, @id)
					ORDER BY l.created_at DESC, l.id DESC
					LIMIT 1
				)
				UNION ALL
				SELECT n.at, n.id, n.other
				FROM newest
				CROSS JOIN LATERAL (
					SELECT l.created_at AS at, l.id, l.member_id AS other` + received + `
					WHERE l.like_type = 'super_like'
						AND l.created_at >= @floor
						AND (l.created_at, l.id) < (newest.at, newest.id)
					ORDER BY l.created_at DESC, l.id DESC
					LIMIT 1
				) n
			)
			SELECT *
			FROM newest
			LIMIT @steps
		) n`

// SQL expressions for the start of a day in the member's time zone, whose distance from UTC is @offset: the day of the cursor,
// of the row that the recursive query found last, and of row s.
const (
	dayOfCursor = `(date_trunc('day', (@at::timestamptz AT TIME ZONE 'UTC') + @offset::interval) - @offset::interval) AT TIME ZONE 'UTC'`
	dayOfLast   = `(date_trunc('day', (days.at AT TIME ZONE 'UTC') + @offset::interval) - @offset::interval) AT TIME ZONE 'UTC'`
	dayOfRow    = `(date_trunc('day', (s.at AT TIME ZONE 'UTC') + @offset::interval) - @offset::interval) AT TIME ZONE 'UTC'`
)

// likesByDay has a row for each day with unanswered likes, with the newest of them. A recursive query steps from day to day
// by the index, so that it reads one like of each day. @steps is the maximum number of days. It begins with the whole day of
// the cursor; the condition of the page removes the row of that day if it was listed.
const likesByDay = `
		SELECT 'likes' AS kind, d.at, d.id, d.other, to_char((d.at AT TIME ZONE 'UTC') + @offset::interval, 'YYYY-MM-DD') AS key
		FROM (
			WITH RECURSIVE days AS (
				(
					SELECT l.created_at AS at, l.id, l.member_id AS other` + dayLikes + `
						AND l.created_at >= @floor
						AND l.created_at < ` + dayOfCursor + ` + interval '1 day'
					ORDER BY l.created_at DESC, l.id DESC
					LIMIT 1
				)
				UNION ALL
				SELECT n.at, n.id, n.other
				FROM days
				CROSS JOIN LATERAL (
					SELECT l.created_at AS at, l.id, l.member_id AS other` + dayLikes + `
						AND l.created_at >= @floor
						AND l.created_at < ` + dayOfLast + `
					ORDER BY l.created_at DESC, l.id DESC
					LIMIT 1
				) n
			)
			SELECT *
			FROM days
			LIMIT @steps
		) d`

// othersOfDay is an SQL expression: the number of likes of the same day besides that of row s, up to @maxOthers + 1; 0 for a
// row of another source than likesByDay.
const othersOfDay = `CASE s.kind WHEN 'likes' THEN (
		SELECT count(*) - 1
		FROM (
			SELECT` + dayLikes + `
				AND l.created_at >= ` + dayOfRow + `
				AND (l.created_at, l.id) <= (s.at, s.id)
			ORDER BY l.created_at DESC, l.id DESC
			LIMIT @maxOthers + 2
		) counted
	) ELSE 0 END`

// remindBefore is an SQL expression: how long before a date its reminder is sent, as in package dates.
const remindBefore = `interval '3 hours'`

// dateNews has at most one row for each of the member's dates: the last change if the other member made it, or that the
// date is near. It omits proposals whose time has passed.
const dateNews = `
		SELECT n.kind, n.at, n.id, n.other, n.key
		FROM (
			SELECT
				CASE
					WHEN d.status = 'proposed' AND d.proposed_by = d.peer_id AND d.at > now() THEN 'date_proposed'
					WHEN d.status = 'accepted' AND d.at > now() AND d.at - ` + remindBefore + ` <= now() THEN 'date_soon'
					WHEN d.status = 'accepted' AND d.proposed_by = d.member_id THEN 'date_accepted'
					WHEN d.status = 'declined' AND d.changed_by = d.peer_id THEN 'date_declined'
					WHEN d.status = 'cancelled' AND d.changed_by = d.peer_id THEN 'date_cancelled'
				END AS kind,
				CASE
					WHEN d.status = 'proposed' THEN d.proposed_at
					WHEN d.status = 'accepted' AND d.at > now() AND d.at - ` + remindBefore + ` <= now()
						THEN greatest(d.at - ` + remindBefore + `, d.accepted_at)
					WHEN d.status = 'accepted' THEN d.accepted_at
					ELSE d.updated_at
				END AS at,
				d.date_id AS id,
				d.peer_id AS other,
				d.date_id::text AS key
			FROM date_sides d
			WHERE d.member_id = @viewer
		) n
		WHERE n.kind IS NOT NULL`

// coupleNews has what a partner or a moderator decided about the member's couples. The approval is
// a source of its own, which the activity has too.
const coupleNews = `
		SELECT n.kind, n.at, n.id, n.other, n.key
		FROM (
			SELECT
				CASE
					WHEN c.status = 'asked' AND NOT c.has_asked THEN 'graduation_asked'
					WHEN c.status = 'pending' AND c.has_asked THEN 'graduation_accepted'
					WHEN c.status = 'declined' AND c.has_asked THEN 'graduation_declined'
					WHEN c.status = 'rejected' THEN 'graduation_rejected'
				END AS kind,
				coalesce(c.ended_at, c.accepted_at, c.requested_at) AS at,
				c.couple_id AS id,
				c.peer_id AS other,
				c.couple_id::text AS key
			FROM couple_sides c
			WHERE c.member_id = @viewer
		) n
		WHERE n.kind IS NOT NULL`
