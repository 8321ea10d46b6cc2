package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// A visitor without JavaScript types a town, chooses among towns of the name, and reads the band.
func TestNearPage_SaysRoughlyHowManyAreNear(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	s.Exec(`INSERT INTO near_snapshots (taken_on, lats, lons, members) SELECT (now() AT TIME ZONE 'UTC')::date + n, '{45.52}', '{-122.68}', '{42}' FROM generate_series(0, 1) n`)
	page := func(query string, status int) string {
		response := s.send("", http.MethodGet, "/near"+query, "", "")
		require.Equal(t, status, response.status, query)
		require.Contains(t, response.header.Get("Content-Security-Policy"), "default-src 'none'")
		return response.body
	}
	form := page("", http.StatusOK)
	require.Contains(t, form, "<h1>Who is near you?</h1>")
	require.Contains(t, form, `<input id="town" name="town" value=""`)
	require.NotContains(t, form, "<script")
	require.NotContains(t, form, "Join Heartward")

	choices := page("?town=portland", http.StatusOK)
	require.Contains(t, choices, "Which one do you mean?")
	require.Contains(t, choices, `<a href="/near?city=Portland&amp;state=Oregon">Portland, Oregon</a>`)
	require.NotContains(t, choices, "within 50 miles")

	for _, query := range []string{"?city=Portland&state=Oregon", "?town=Portland,+Oregon", "?town=portland,%20or"} {
		require.Contains(t, page(query, http.StatusOK), "About 50 people are on Heartward within 50 miles.", query)
	}
	require.Contains(t, page("?city=Reno&state=Nevada", http.StatusOK), "Fewer than 10 people are on Heartward within 50 miles so far.")
	require.Contains(t, page("?town=narniaville", http.StatusUnprocessableEntity), "We don&#39;t know this town. Try a larger one nearby.")
	require.NotContains(t, page("?town=%3Cscript%3Ealert(1)%3C/script%3E", http.StatusUnprocessableEntity), "<script")
	page("?town=%ff", http.StatusUnprocessableEntity)
	require.Equal(t, http.StatusNotFound, s.send("", http.MethodGet, "/near/portland", "", "").status)
}
