package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// A visitor without JavaScript types a town, chooses among towns of the name, and reads the band.
func TestNearPage_SaysRoughlyHowManyAreNear(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.Exec(`INSERT INTO near_snapshots (taken_on, lats, lons, members) SELECT (now() AT TIME ZONE 'UTC')::date + n, '{45.52}', '{-122.68}', '{42}' FROM generate_series(0, 1) n`)
	page := func(query string, status int) string {
		response := get(t, s.server.Fiber, "/near"+query)
		require.Equal(t, status, response.status, query)
		require.Contains(t, response.body, `<link rel="canonical" href="https://heartward.test/near" />`, query)
		return response.body
	}
	form := page("", http.StatusOK)
	require.Contains(t, form, ">Who is near you?</h1>")
	require.Regexp(t, `<input [^>]*name="town" required value="">`, form)
	require.Contains(t, form, "<title>Who is near you? · Heartward</title>")
	require.NotContains(t, form, "Join Heartward")

	choices := page("?town=portland", http.StatusOK)
	require.Contains(t, choices, "Which one do you mean?")
	require.Contains(t, choices, `href="/near?city=Portland&amp;state=Oregon">Portland, Oregon</a>`)
	require.NotContains(t, choices, "within 50 miles")

	for _, query := range []string{"?city=Portland&state=Oregon", "?town=Portland,+Oregon", "?town=portland,%20or"} {
		result := page(query, http.StatusOK)
		require.Contains(t, result, "About 50 people are on Heartward within 50 miles.", query)
		require.Contains(t, result, "<title>People near Portland, Oregon · Heartward</title>", query)
	}
	require.Contains(t, page("?city=Reno&state=Nevada", http.StatusOK), "Fewer than 10 people are on Heartward within 50 miles so far.")
	require.Contains(t, page("?town=narniaville", http.StatusUnprocessableEntity), "We don&#39;t know this town. Try a larger one nearby.")
	require.NotContains(t, page("?town=%3Cscript%3Ealert(1)%3C/script%3E", http.StatusUnprocessableEntity), "<script>alert")
	page("?town=%ff", http.StatusUnprocessableEntity)
	require.Equal(t, http.StatusNotFound, get(t, s.server.Fiber, "/near/portland").status)
}
