package discovery

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
)

// SavedFilters is a member's FilterSet: the saved one, or the defaults.
type SavedFilters struct {
	Filters FilterSet `json:"filters"`
	Saved   bool      `json:"saved" doc:"Whether the filters were saved; otherwise they are the defaults"`
}

// A filter by religion reveals who gave that answer, although religion is private.
// Therefore only members whose own answer counts may filter by it, and find each other. An account may
// filter by three religions in a month and change between them freely.
// docs/threat-model.md describes the remaining risk.
var (
	religionsPerMonth = limits.Rule{Name: "religion-filters", Count: 3, Per: 30 * 24 * time.Hour}
	countedReligion   = limits.Rule{Name: "religion-filter", Count: 1, Per: 30 * 24 * time.Hour}
)

// Filters returns the member's saved filters, or the defaults.
func (s *Service) Filters(ctx context.Context, member uuid.UUID) (SavedFilters, error) {
	set, saved, err := selectFilters(ctx, s.pool, member)
	if err != nil {
		return SavedFilters{}, err
	}
	if len(set.IntentionTags) > 0 { // an admin may have removed a tag
		allowed, err := members.AllowedTags(ctx, s.pool)
		if err != nil {
			return SavedFilters{}, err
		}
		set.IntentionTags = slices.DeleteFunc(set.IntentionTags, func(tag string) bool { return !slices.Contains(allowed, tag) })
	}
	return SavedFilters{set, saved}, nil
}

// SaveFilters stores set as the member's filters and returns them in the stored form. It
// stores InterestedIn in the member's profile, unless it is nil. Errors: Invalid with the
// field, also for a religion without an own answer; RateLimited for a fourth religion
// within a month.
func (s *Service) SaveFilters(ctx context.Context, member uuid.UUID, set FilterSet) (SavedFilters, error) {
	set, err := s.checkAndCount(ctx, member, set)
	if err != nil {
		return SavedFilters{}, err
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (SavedFilters, error) {
		if set.InterestedIn != nil {
			if err := members.SetInterestedIn(ctx, tx, member, set.InterestedIn); err != nil {
				return SavedFilters{}, err
			}
		}
		if err := upsertFilters(ctx, tx, member, set); err != nil {
			return SavedFilters{}, err
		}
		stored, saved, err := selectFilters(ctx, tx, member)
		return SavedFilters{stored, saved}, err
	})
}

// ResetFilters deletes the member's saved filters. It does not change InterestedIn. A
// repeated call succeeds.
func (s *Service) ResetFilters(ctx context.Context, member uuid.UUID) error {
	return deleteFilters(ctx, s.pool, member)
}

// checkAndCount returns set in the stored form, or an error if the member may not use it. It counts the set's religion for the
// limit of the month, also for a preview.
func (s *Service) checkAndCount(ctx context.Context, member uuid.UUID, set FilterSet) (FilterSet, error) {
	tags, err := members.AllowedTags(ctx, s.pool)
	if err != nil {
		return set, err
	}
	if set, err = set.checked(tags); err != nil {
		return set, err
	}
	if set.Lifestyle.Religion != nil {
		err = s.countReligion(ctx, member, *set.Lifestyle.Religion)
	}
	return set, err
}

// countReligion counts a religion unless it was counted for the member in the last 30
// days.
func (s *Service) countReligion(ctx context.Context, member uuid.UUID, religion string) error {
	known, err := selectReligions(ctx, s.pool, member)
	if err != nil {
		return err
	}
	if known.Filtered != nil && *known.Filtered == religion && known.Own != nil {
		return nil // saved already
	}
	if known.Own == nil {
		return fault.InvalidField("lifestyle.religion", "To look for a religion, please let your own count in matching first. It is shown to nobody.")
	}
	key := member.String() + " " + religion
	if counted, err := limits.Reached(ctx, s.pool, countedReligion, key); err != nil || counted {
		return err
	}
	err = limits.Allow(ctx, s.pool, religionsPerMonth, member.String())
	if fault.Is(err, fault.RateLimited) {
		return fault.From(err).Saying("You have looked for several religions lately. Please try again in a few days.")
	}
	if err != nil {
		return err
	}
	// Two devices may count it at the same time.
	if err := limits.Allow(ctx, s.pool, countedReligion, key); err != nil && !fault.Is(err, fault.RateLimited) {
		return err
	}
	return nil
}
