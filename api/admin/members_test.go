package admin_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/admin"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// names returns the names of all pages of the list, which have two members each.
func (w *env) names(f admin.Filter) []string {
	w.Helper()
	var names []string
	for cursor := ""; ; {
		page, err := w.s.Members(w.Context(), w.admin, f, web.Page{Cursor: cursor, Limit: 2})
		require.NoError(w, err)
		for _, m := range page.Members {
			names = append(names, m.FullName)
		}
		if page.Next == "" {
			require.Equal(w, len(names), page.Total)
			return names
		}
		cursor = page.Next
	}
}

func TestMembers_FiltersAndSorts(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("Ann Moss", `city = 'Portland', created_at = '2026-01-03', verified_at = now()`)
	w.member("ben Ash", `city = 'Salem', created_at = '2026-01-02', is_featured = true`)
	w.member("Cy_ Moor", `city = 'portland', created_at = '2026-01-04', is_graduated = true`)
	w.member("Dee Lane", `created_at = '2026-01-01', profile_status = 'suspended', suspended_until = '2030-01-01'`)
	w.Exec(`INSERT INTO member_activity VALUES ($1, '2026-06-01')`, ann)

	for name, c := range map[string]struct {
		filter admin.Filter
		want   []string
	}{
		"newest":         {admin.Filter{}, []string{"Cy_ Moor", "Ann Moss", "ben Ash", "Dee Lane", "Zoe Admin"}},
		"oldest":         {admin.Filter{Sort: admin.Oldest}, []string{"Zoe Admin", "Dee Lane", "ben Ash", "Ann Moss", "Cy_ Moor"}},
		"name":           {admin.Filter{Sort: admin.ByName}, []string{"Ann Moss", "ben Ash", "Cy_ Moor", "Dee Lane", "Zoe Admin"}},
		"last active":    {admin.Filter{Sort: admin.LastActive}, []string{"Ann Moss", "Cy_ Moor", "ben Ash", "Dee Lane", "Zoe Admin"}},
		"city":           {admin.Filter{City: " PORTLAND"}, []string{"Cy_ Moor", "Ann Moss"}},
		"suspended":      {admin.Filter{Status: "suspended"}, []string{"Dee Lane"}},
		"active":         {admin.Filter{Status: "active", IsGraduated: new(false), Sort: admin.ByName}, []string{"Ann Moss", "ben Ash", "Zoe Admin"}},
		"graduated":      {admin.Filter{IsGraduated: new(true)}, []string{"Cy_ Moor"}},
		"featured":       {admin.Filter{IsFeatured: new(true)}, []string{"ben Ash"}},
		"verified":       {admin.Filter{IsVerified: new(true)}, []string{"Ann Moss"}},
		"full name":      {admin.Filter{Search: "ANN m"}, []string{"Ann Moss"}},
		"last name":      {admin.Filter{Search: "moo"}, []string{"Cy_ Moor"}},
		"not a pattern":  {admin.Filter{Search: "%"}, nil},
		"an underscore":  {admin.Filter{Search: "cy_ "}, []string{"Cy_ Moor"}},
		"exact address":  {admin.Filter{Search: ann.String() + "@Example.test"}, []string{"Ann Moss"}},
		"part of it":     {admin.Filter{Search: ann.String()[:8] + "@"}, nil},
		"with a quote":   {admin.Filter{Search: "' OR true --"}, nil},
		"several at all": {admin.Filter{City: "portland", Search: "m", IsVerified: new(true)}, []string{"Ann Moss"}},
	} {
		require.Equal(t, c.want, w.names(c.filter), name)
	}
}

// Pages by last activity are those of the exact times, also of members without an activity, within
// an hour and at its limits.
func TestMembers_ByLastActivityEqualsExactOrder(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.Exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, created_at)
		SELECT gen_random_uuid(), n || '@example.test', 'M' || n, 'M' || n, '1990-01-01', 'CODE' || lpad(n::text, 8, '0'), '2026-05-01T10:00:00Z'::timestamptz + (n % 7) * interval '20 minutes'
		FROM generate_series(1, 60) n`)
	w.Exec(`INSERT INTO member_activity SELECT id, created_at + (length(email) + ascii(email)) % 3 * interval '59 minutes 59.999999 seconds' FROM users WHERE ascii(email) % 2 = 0`)
	want := testkit.SelectAll[string](t, w.Pool, `SELECT full_name FROM managed_members ORDER BY last_active_at DESC, id DESC`)
	require.Equal(t, want, w.names(admin.Filter{Sort: admin.LastActive}))
}

// A cursor is valid for one admin and one order.
func TestMembers_RefusesOtherCursors(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.member("Ann Moss", "")
	page, err := w.s.Members(t.Context(), w.admin, admin.Filter{}, web.Page{Limit: 1})
	require.NoError(t, err)
	require.NotEmpty(t, page.Next)
	_, err = w.s.Members(t.Context(), w.admin, admin.Filter{Sort: admin.ByName}, web.Page{Cursor: page.Next, Limit: 1})
	testkit.RequireInvalid(t, err, "query.cursor")
	_, err = w.s.Members(t.Context(), uuid.New(), admin.Filter{}, web.Page{Cursor: page.Next, Limit: 1})
	testkit.RequireInvalid(t, err, "query.cursor")
}
