package members

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// SiteSettings are the settings of the installation, beside the intention tags.
type SiteSettings struct {
	ProfileReview bool   `json:"profileReview" doc:"New profiles and new first photos are hidden from others until a moderator accepts them"`
	Landing       string `json:"landing" enum:"a,b" doc:"The variant of the landing page"`
	FilesPerDay   int    `json:"filesPerDay" minimum:"10" maximum:"60" doc:"The number of files that a member may add to the profile a day"`
	PosesPerDay   int    `json:"posesPerDay" minimum:"1" maximum:"10" doc:"The number of poses for a verification that a member may request a day"`
}

// Check returns Invalid with the field of a value that is out of its range.
func (s SiteSettings) Check() error {
	switch {
	case s.Landing != "a" && s.Landing != "b":
		return fault.InvalidField("landing", "Please choose one of the two landing pages.")
	case s.FilesPerDay < 10 || s.FilesPerDay > 60:
		return fault.InvalidField("filesPerDay", "Please enter a number from 10 to 60.")
	case s.PosesPerDay < 1 || s.PosesPerDay > 10:
		return fault.InvalidField("posesPerDay", "Please enter a number from 1 to 10.")
	}
	return nil
}

// selectSite is the statement that reads the settings. A lock of the row may follow it.
const selectSite = `SELECT setting_value FROM system_settings WHERE setting_key = 'site'`

// Site returns the settings of the installation.
func Site(ctx context.Context, db pg.DB) (SiteSettings, error) { return readSite(ctx, db, selectSite) }

// LockSite returns the settings, and locks them against changes until the end of the
// transaction. Concurrent callers do not wait for each other.
func LockSite(ctx context.Context, tx pgx.Tx) (SiteSettings, error) {
	return readSite(ctx, tx, selectSite+` FOR SHARE`)
}

// SetSite replaces the settings, which Check accepted, and returns the previous ones. It waits
// for the transactions that called LockSite.
func SetSite(ctx context.Context, tx pgx.Tx, admin uuid.UUID, settings SiteSettings) (before SiteSettings, err error) {
	if before, err = readSite(ctx, tx, selectSite+` FOR NO KEY UPDATE`); err != nil {
		return before, err
	}
	_, err = tx.Exec(ctx, `
		UPDATE system_settings
		SET
			setting_value = $1,
			updated_by = $2,
			updated_at = now()
		WHERE setting_key = 'site'`, settings, admin)
	return before, err
}

func readSite(ctx context.Context, db pg.DB, sql string) (s SiteSettings, err error) {
	var raw []byte
	if err := db.QueryRow(ctx, sql).Scan(&raw); err != nil {
		return s, pg.Fault(err)
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return s, fmt.Errorf("the setting site: %w", err)
	}
	return s, nil
}
