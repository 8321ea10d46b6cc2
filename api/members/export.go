package members

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/archive"
	"heartward/api/platform/blobs"
	"heartward/api/platform/pg"
)

const exportProfile = `
SELECT to_json(r)
FROM (
	SELECT
		u.id,
		u.email,
		u.identity_key,
		u.abuse_key,
		u.password_hash IS NOT NULL AS has_password,
		u.honor_code_at,
		u.is_admin,
		u.is_moderator,
		u.full_name,
		u.first_name,
		u.last_name,
		u.birth_date,
		u.birth_date_exact,
		u.birth_date_changed_at,
		u.gender,
		u.interested_in,
		u.pronouns,
		u.height_cm,
		u.city,
		u.state,
		u.town_lat,
		u.town_lon,
		u.intention_tags,
		u.bio,
		u.love_reflection,
		u.has_children,
		u.wants_children,
		u.education,
		u.occupation,
		u.religion,
		u.religion_counts,
		u.personality_traits,
		u.lifestyle_preferences,
		u.relationship_goals,
		u.languages,
		u.drinking,
		u.smoking,
		u.pets,
		u.paused_at,
		u.paused_until,
		u.visit_city,
		u.visit_state,
		u.visit_lat,
		u.visit_lon,
		u.visit_until,
		u.first_name_only,
		u.incognito,
		u.hide_online,
		u.hide_read_receipts,
		u.welcomed_at,
		u.start_step,
		u.profile_status,
		u.suspended_until,
		u.deletion_due_at,
		u.is_approved,
		u.is_featured,
		u.is_graduated,
		u.is_demo,
		u.verified_at,
		u.premium_until,
		u.profile_theme,
		u.profile_frame,
		u.hide_premium,
		u.hide_badges,
		u.referral_code,
		a.last_active_at,
		u.created_at,
		u.updated_at
	FROM users u
	JOIN member_activities a ON a.user_id = u.id
	WHERE u.id = @viewer
) r`

const exportPrompts = `
SELECT to_json(r)
FROM (
	SELECT
		position,
		question,
		answer,
		voice_id
	FROM member_prompts
	WHERE user_id = @viewer
	ORDER BY position
) r`

const exportMedia = `
SELECT to_json(r)
FROM (
	SELECT
		file_id,
		slot,
		position,
		caption,
		compared,
		accepted
	FROM member_media
	WHERE user_id = @viewer
	ORDER BY slot, position
) r`

const exportRemovedParts = `
SELECT to_json(r)
FROM (
	SELECT
		part,
		position,
		file_id,
		question,
		content,
		removed_at,
		expires_at
	FROM removed_parts
	WHERE user_id = @viewer
	ORDER BY removed_at, id
) r`

const exportTownChanges = `
SELECT to_json(r)
FROM (
	SELECT
		is_visit,
		changed_at
	FROM town_changes
	WHERE user_id = @viewer
	ORDER BY changed_at
) r`

const exportFiles = `
SELECT
	r.id::text,
	to_json(r)
FROM (
	SELECT
		id,
		content_type,
		bytes,
		width,
		height,
		duration_ms,
		waveform,
		copy_bytes IS NOT NULL AS has_copy,
		created_at
	FROM files
	WHERE owner_id = @viewer
		AND id > @after::uuid
	ORDER BY id
	LIMIT @limit
) r
ORDER BY r.id`

// Export writes the member's profile, settings and list of files.
func Export(ctx context.Context, w *archive.Writer) error {
	if err := w.WriteRow(ctx, "profile/profile.json", exportProfile); err != nil {
		return err
	}
	if err := w.WriteRows(ctx, "profile/prompts.json", exportPrompts); err != nil {
		return err
	}
	if err := w.WriteRows(ctx, "profile/removed-parts.json", exportRemovedParts); err != nil {
		return err
	}
	if err := w.WriteRows(ctx, "profile/media.json", exportMedia); err != nil {
		return err
	}
	if err := w.WriteRows(ctx, "profile/town-changes.json", exportTownChanges); err != nil {
		return err
	}
	return w.WriteList(ctx, "files/files.json", archive.BeforeID, exportFiles, nil)
}

// OwnFile is a file of a member and the variant with its content.
type OwnFile struct {
	ID          uuid.UUID
	ContentType string // of the variant
	Variant     string
}

// OwnFiles returns at most limit files of the member whose ids are after one, in the order of
// their ids. A picture is returned in its full size, a recording as it was uploaded.
func OwnFiles(ctx context.Context, db pg.DB, member, after uuid.UUID, limit int) ([]OwnFile, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			id,
			CASE WHEN duration_ms IS NULL THEN 'image/webp' ELSE content_type END,
			CASE WHEN duration_ms IS NULL THEN $3 ELSE $4 END
		FROM files
		WHERE owner_id = $1
			AND id > $2
		ORDER BY id
		LIMIT $5`, member, after, blobs.Full, blobs.Original, limit)
	files, err := pgx.CollectRows(rows, pgx.RowToStructByPos[OwnFile])
	return files, pg.Fault(err)
}
