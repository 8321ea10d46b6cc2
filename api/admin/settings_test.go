package admin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/admin"
	"heartward/api/members"
	"heartward/api/platform/bus"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

func TestSetSettings_RecordsEachChange(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	before, err := members.Site(t.Context(), w.Pool)
	require.NoError(t, err)
	require.Equal(t, members.SiteSettings{Landing: "a", FilesPerDay: 30, PosesPerDay: 3}, before)
	after := members.SiteSettings{Landing: "b", FilesPerDay: 20, PosesPerDay: 5}
	for range 2 {
		require.NoError(t, w.s.SetSettings(t.Context(), w.admin, after, "to try it"))
	}
	stored, err := members.Site(t.Context(), w.Pool)
	require.NoError(t, err)
	require.Equal(t, after, stored)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'settings.site' AND admin_id = $1 AND reason = 'to try it'
		AND detail = jsonb_build_object('before', $2::jsonb, 'after', $3::jsonb)`, w.admin, before, after), "a repetition changes nothing")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM system_settings WHERE setting_key = 'site' AND updated_by = $1`, w.admin))
}

func TestSetSettings_RefusesInvalidValues(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	valid := members.SiteSettings{Landing: "b", FilesPerDay: 60, PosesPerDay: 10}
	for field, change := range map[string]func(s *members.SiteSettings){
		"landing":     func(s *members.SiteSettings) { s.Landing = "c" },
		"filesPerDay": func(s *members.SiteSettings) { s.FilesPerDay = 61 },
		"posesPerDay": func(s *members.SiteSettings) { s.PosesPerDay = 0 },
	} {
		invalid := valid
		change(&invalid)
		testkit.RequireInvalid(t, w.s.SetSettings(t.Context(), w.admin, invalid, "reason"), field)
	}
	testkit.RequireInvalid(t, w.s.SetSettings(t.Context(), w.admin, valid, " "), "reason")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM system_settings WHERE setting_key = 'site' AND updated_by IS NULL`), "nothing was changed")
	require.Zero(t, w.Count(`SELECT count(*) FROM audit_log`))
}

// A change drops the caches of all nodes.
func TestSettings_OtherNodeReadsChange(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	events, err := bus.Open(bus.Options{})
	require.NoError(t, err)
	t.Cleanup(events.Close)
	one, other := admin.New(w.Pool, events, pgtest.Jobs(t, w.Pool)), admin.New(w.Pool, events, pgtest.Jobs(t, w.Pool))
	landing := func(s *admin.Service) string {
		settings, err := s.Settings(t.Context())
		require.NoError(t, err)
		return settings.Landing
	}
	require.Equal(t, "a", landing(one))
	require.Equal(t, "a", landing(other))
	require.NoError(t, one.SetSettings(t.Context(), w.admin, members.SiteSettings{Landing: "b", FilesPerDay: 30, PosesPerDay: 3}, "to try it"))
	require.Equal(t, "b", landing(one))
	require.Equal(t, "b", landing(other))
}
