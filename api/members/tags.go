package members

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
)

// AllowedTags returns the intentions that a member may choose: the admins' list and
// alwaysAllowed.
func AllowedTags(ctx context.Context, db pg.DB) ([]string, error) {
	listed, err := ListedTags(ctx, db)
	if err != nil {
		return nil, err
	}
	return append(listed, alwaysAllowed...), nil
}

// ListedTags returns the list of intentions that the admins have set.
func ListedTags(ctx context.Context, db pg.DB) ([]string, error) {
	var raw []byte
	err := db.QueryRow(ctx, `SELECT setting_value FROM system_settings WHERE setting_key = 'intention_tags'`).Scan(&raw)
	if errors.Is(err, pgx.ErrNoRows) {
		return slices.Clone(alwaysAllowed), nil
	}
	if err != nil {
		return nil, pg.Fault(err)
	}
	tags := []string{}
	if err := json.Unmarshal(raw, &tags); err != nil {
		return nil, fmt.Errorf("the setting intention_tags: %w", err)
	}
	return tags, nil
}

// selectOwnTags returns the intentions that the member has chosen. The member may keep one that
// an admin has removed from the list since.
func selectOwnTags(ctx context.Context, db pg.DB, id uuid.UUID) (tags []string, err error) {
	err = db.QueryRow(ctx, `SELECT intention_tags FROM users WHERE id = $1`, id).Scan(&tags)
	return tags, err
}

const maxTagLength = 40

// CleanTags returns a list of intentions in the form to be stored. It returns Invalid with the
// field tags if it is empty, or has an invalid text or two that differ only in their case.
func CleanTags(tags []string) ([]string, error) {
	clean, known := []string{}, map[string]bool{}
	for _, tag := range tags {
		tag, err := text.Line("tags", tag, maxTagLength)
		switch lower := strings.ToLower(tag); {
		case err != nil:
			return nil, err
		case tag == "":
			return nil, fault.InvalidField("tags", "Please remove the empty intention.")
		case known[lower]:
			return nil, fault.InvalidField("tags", "Please name each intention once.")
		default:
			clean, known[lower] = append(clean, tag), true
		}
	}
	if len(clean) == 0 {
		return nil, fault.InvalidField("tags", "Please leave at least one intention.")
	}
	return clean, nil
}

// SetListedTags replaces the list of intentions, which CleanTags returned, and returns the
// previous one. Profiles keep their intentions.
func SetListedTags(ctx context.Context, tx pgx.Tx, admin uuid.UUID, tags []string) (before []string, err error) {
	if _, err := tx.Exec(ctx, `SELECT FROM system_settings WHERE setting_key = 'intention_tags' FOR UPDATE`); err != nil {
		return nil, err
	}
	if before, err = ListedTags(ctx, tx); err != nil {
		return nil, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	_, err = tx.Exec(ctx, `
		INSERT INTO system_settings (id, setting_key, setting_value, updated_by, updated_at)
		VALUES ($1, 'intention_tags', $2, $3, now())
		ON CONFLICT (setting_key) DO UPDATE
		SET
			setting_value = excluded.setting_value,
			updated_by = excluded.updated_by,
			updated_at = excluded.updated_at`, id, tags, admin)
	return before, err
}
