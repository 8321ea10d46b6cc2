package admin

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/pg"
	"heartward/api/profilereview"
)

const (
	siteSubject  = "settings.site" // of the events that drop the caches
	siteLifetime = 10 * time.Second
)

// siteCache caches the settings. Its zero value is empty.
type siteCache struct {
	mu       sync.Mutex
	settings members.SiteSettings
	readAt   time.Time // zero while the cache is empty
	drops    int       // the number of calls of drop
}

// drop empties the cache. Settings that were read before it, but are not stored yet, are not stored after it.
func (c *siteCache) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.readAt = time.Time{}
	c.drops++
}

// Settings returns the settings, which may be siteLifetime old if the event of a change was
// lost.
func (s *Service) Settings(ctx context.Context) (members.SiteSettings, error) {
	c, now := &s.site, time.Now()
	c.mu.Lock()
	settings, age, drops := c.settings, now.Sub(c.readAt), c.drops
	c.mu.Unlock()
	if age >= 0 && age < siteLifetime {
		return settings, nil
	}
	settings, err := members.Site(ctx, s.pool)
	if err != nil {
		return settings, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.drops == drops { // otherwise the settings may be those from before a change
		c.settings, c.readAt = settings, now
	}
	return settings, nil
}

// SetSettings replaces the settings, and records the change with its reason, the values before and
// after in the audit log. A repetition changes nothing. When reviews of profiles are turned off, a
// job accepts those that wait. It returns Invalid with the field for a value out of its range and
// without a reason.
func (s *Service) SetSettings(ctx context.Context, admin uuid.UUID, settings members.SiteSettings, reason string) error {
	if err := settings.Check(); err != nil {
		return err
	}
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		before, err := members.SetSite(ctx, tx, admin, settings)
		if err != nil || before == settings {
			return err
		}
		if before.ProfileReview && !settings.ProfileReview {
			if _, err := s.jobs.InsertTx(ctx, tx, profilereview.ReleaseArgs{}, nil); err != nil {
				return err
			}
		}
		return moderation.Audit(ctx, tx, admin, "settings.site", uuid.Nil, reason, map[string]any{"before": before, "after": settings})
	})
	if err == nil {
		s.events.Publish(siteSubject, nil)
	}
	return err
}
