package referrals_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
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
	testkit.RequireKind(t, err, fault.Forbidden)
	w.Exec(`UPDATE users SET premium_until = now() + interval '1 day' WHERE id = $1`, ann)
	require.NoError(t, set(ann, "rose", ""))
	for _, row := range []struct {
		tier         int
		theme, frame string
	}{{3, "", "double"}, {4, "starlight", ""}, {4, "rose", "garland"}} {
		w.Exec(`DELETE FROM referral_tiers`)
		w.Exec(`INSERT INTO referral_tiers (user_id, level) VALUES ($1, $2)`, ann, row.tier-1)
		err := set(ann, row.theme, row.frame)
		testkit.RequireKind(t, err, fault.Forbidden, "%v", row)
		w.Exec(`INSERT INTO referral_tiers (user_id, level) VALUES ($1, $2)`, ann, row.tier)
		require.NoError(t, set(ann, row.theme, row.frame), row)
	}
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users WHERE profile_theme = 'rose' AND profile_frame = 'garland'`))
	require.NoError(t, set(ann, "", ""))
	require.Zero(t, w.Count(`SELECT count(*) FROM users WHERE profile_theme IS NOT NULL OR profile_frame IS NOT NULL`))
	require.Error(t, set(ann, "neon", ""), "the database refuses what the API's schema does not list")
}
