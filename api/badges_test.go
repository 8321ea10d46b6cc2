package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The badges of a member are in one response to others, and in none once the member hides them.
func TestHiddenBadges_AreInNoResponse(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	c := s.newCast()
	s.Exec(`UPDATE badges SET description = 'earned-' || icon`)
	s.Exec(`INSERT INTO user_badges (user_id, badge_id) SELECT $1, id FROM badges ON CONFLICT DO NOTHING`, c.members["owner"])
	rowOf := roleTable(t)
	seenByOthers := func() (seen []string) {
		s.refreshSearch()
		for _, op := range s.operations() {
			name := op.method + " " + op.path
			// The list of all badges has those that the caller lacks.
			if op.method != http.MethodGet || changingReads[name] || op.path == "/api/badges" {
				continue
			}
			for _, role := range roles {
				if role != "owner" && strings.Contains(s.do(c.request(role, op, rowOf[name])).body, "earned-") {
					seen = append(seen, role+" "+name)
				}
			}
		}
		return seen
	}
	var expected []string
	for _, role := range []string{"match", "stranger", "moderator", "admin"} {
		expected = append(expected, role+" GET /api/users/{id}/badges")
	}
	require.ElementsMatch(t, expected, seenByOthers())
	response := s.json(c.cookies["owner"], http.MethodPatch, "/api/users/me", map[string]any{"hideBadges": true})
	require.Equal(t, http.StatusOK, response.status, response.body)
	require.Empty(t, seenByOthers())
}
