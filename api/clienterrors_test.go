package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A report of the app has no place for a text or an id of a member, also if another client sends it.
func TestClientErrors_HaveNoPlaceForTexts(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	const valid = `{"id":"7K3QP9XA","name":"TypeError","route":"/profile/:id","frames":["start-abc.js:1:2345"]}`
	report := func(part, replacement string) int {
		return s.send("", http.MethodPost, "/api/client-errors", "application/json", strings.Replace(valid, part, replacement, 1)).status
	}
	require.Equal(t, http.StatusNoContent, report("", ""))
	require.Equal(t, http.StatusNoContent, report(`"start-abc.js:1:2345"`, ""), "no frame is in the app")
	for old, text := range map[string]string{
		"7K3QP9XA": "Ana Lima", "TypeError": "Ana is 34", "/profile/:id": "/profile/0199aa11", "start-abc.js:1:2345": "Ana wrote: 1:2",
		"start-abc.js:1:2345\"": strings.Repeat(`start-abc.js:1:2345","`, 10) + `start-abc.js:1:2345"`,
	} {
		require.Equal(t, http.StatusUnprocessableEntity, report(old, text), text)
	}
}
