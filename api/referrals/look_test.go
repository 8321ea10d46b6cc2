package referrals_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/web"
	"heartward/api/referrals"
)

func TestSetLook_RequiresPremiumAndTheTier(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	set := func(id uuid.UUID, theme, frame string) error {
		var look referrals.Look
		if theme != "" {
			look.Theme = &theme
		}
		if frame != "" {
			look.Frame = &frame
		}
		return w.s.SetLook(t.Context(), web.Actor{ID: id}, id, look)
	}
	ann := w.member("")
	err := set(ann, "rose", "")
	require.True(t, fault.Is(err, fault.Forbidden), "%v", err)
	w.exec(`UPDATE users SET premium_until = now() + interval '1 day' WHERE id = $1`, ann)
	require.NoError(t, set(ann, "rose", ""))
	for _, row := range []struct {
		tier, refusedBelow int
		theme, frame       string
	}{{3, 3, "", "double"}, {4, 4, "starlight", ""}, {4, 4, "rose", "garland"}} {
		w.exec(`DELETE FROM referral_tiers`)
		w.exec(`INSERT INTO referral_tiers (user_id, level) VALUES ($1, $2)`, ann, row.refusedBelow-1)
		err := set(ann, row.theme, row.frame)
		require.True(t, fault.Is(err, fault.Forbidden), "%v: %v", row, err)
		w.exec(`INSERT INTO referral_tiers (user_id, level) VALUES ($1, $2)`, ann, row.tier)
		require.NoError(t, set(ann, row.theme, row.frame), row)
	}
	require.Equal(t, 1, w.count(`SELECT count(*) FROM users WHERE profile_theme = 'rose' AND profile_frame = 'garland'`))
	require.NoError(t, set(ann, "", ""))
	require.Zero(t, w.count(`SELECT count(*) FROM users WHERE profile_theme IS NOT NULL OR profile_frame IS NOT NULL`))
	require.Error(t, set(ann, "neon", ""), "the database refuses what the API's schema does not list")
}
