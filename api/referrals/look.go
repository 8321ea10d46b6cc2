package referrals

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Look is the theme and the frame of a member's profile page. A nil field stands for the default.
type Look struct {
	Theme *string `json:"theme" nullable:"true" enum:"rose,honey,meadow,sky,dusk,starlight" doc:"The colours; starlight requires the tier Romance Legend"`
	Frame *string `json:"frame" nullable:"true" enum:"double,garland" doc:"Of the first photo; double requires the tier Love Guru, garland Romance Legend"`
}

// tierOfLook has the tier that a theme or frame requires. The others need only Premium.
var tierOfLook = map[string]int{"double": 3, "starlight": 4, "garland": 4}

// SetLook sets how others see the profile page of member id while their Premium lasts.
//
// Errors: NotFound unless id is actor's; Forbidden without Premium, or without the tier that the look
// requires.
func (s *Service) SetLook(ctx context.Context, actor web.Actor, id uuid.UUID, look Look) error {
	if err := checkOwn(actor, id); err != nil {
		return err
	}
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		reached, err := selectReachedTier(ctx, tx, id)
		if err != nil {
			return err
		}
		for _, part := range []*string{look.Theme, look.Frame} {
			if part != nil && reached < tierOfLook[*part] {
				return fault.New(fault.Forbidden, fmt.Sprintf("This comes with the %s tier.", tiers[tierOfLook[*part]].Name))
			}
		}
		stored, err := members.SetProfileLook(ctx, tx, id, look.Theme, look.Frame)
		if err == nil && !stored {
			return fault.New(fault.Forbidden, "Themes and frames come with Premium.")
		}
		return err
	})
}
