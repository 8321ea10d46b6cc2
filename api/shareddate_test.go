package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/dates"
)

// The token of a link gives access, so it appears in no log at any level, and the
// responses keep the page out of search engines and its address out of Referer headers.
func TestSharedDate_TokenIsNotLeaked(t *testing.T) { // not parallel: it reads the log of the process
	s := newEnv(t)
	ann, ben := s.person("Annabella"), s.person("Benquist")
	s.like(ann, ben)
	result := s.like(ben, ann)
	var date, share struct{ ID, URL string }
	path := "/api/conversations/" + result.ConversationID.String() + "/dates"
	proposal := s.json(ann.cookie, http.MethodPost, path, map[string]any{
		"place": "Café Luna", "at": "2099-01-01T00:00:00Z", "timeZone": "UTC", "clientId": uuid.Must(uuid.NewV7())})
	require.Equal(t, http.StatusUnprocessableEntity, proposal.status)
	require.Contains(t, proposal.body, `"body.at"`)
	s.planDate(ann, ben, path, &date)
	shareResponse := s.json(ann.cookie, http.MethodPost, "/api/dates/"+date.ID+"/shares", map[string]any{"hours": 5})
	require.Equal(t, http.StatusCreated, shareResponse.status, shareResponse.body)
	require.NoError(t, json.Unmarshal([]byte(shareResponse.body), &share))
	token := strings.TrimPrefix(share.URL, "http://heartward.test"+dates.SharedPath+"#")
	require.Len(t, token, 43)

	log := captureLog(t, "debug")
	resp := s.json("", http.MethodPost, "/api/shared-dates", map[string]any{"token": token})
	require.Equal(t, http.StatusOK, resp.status, resp.body)
	require.Equal(t, "no-store", resp.header.Get("Cache-Control"))
	require.Equal(t, "noindex, nofollow", resp.header.Get("X-Robots-Tag"))
	page := s.send("", http.MethodGet, dates.SharedPath, "", "")
	require.Equal(t, http.StatusOK, page.status)
	require.Equal(t, "noindex, nofollow", page.header.Get("X-Robots-Tag"))
	require.Equal(t, "no-referrer", page.header.Get("Referrer-Policy"))
	for _, secret := range []string{ann.id, ben.id, date.ID, result.ConversationID.String(), "secret@", "Moss"} {
		require.NotContains(t, resp.body, secret)
	}
	require.Contains(t, log.String(), "/api/shared-dates")
	require.NotContains(t, log.String(), token)
}

// planDate lets ann propose a date and ben accept it, and decodes it into date.
func (s *env) planDate(ann, ben *person, path string, date any) {
	s.Helper()
	response := s.json(ann.cookie, http.MethodPost, path, map[string]any{
		"place": "Café Luna", "at": time.Now().Add(50 * time.Hour), "timeZone": "UTC", "clientId": uuid.Must(uuid.NewV7())})
	require.Equal(s, http.StatusCreated, response.status, response.body)
	require.NoError(s, json.Unmarshal([]byte(response.body), date))
	var proposal struct{ ID string }
	require.NoError(s, json.Unmarshal([]byte(response.body), &proposal))
	acceptance := s.json(ben.cookie, http.MethodPost, "/api/dates/"+proposal.ID+"/accept", map[string]any{"revision": 1})
	require.Equal(s, http.StatusOK, acceptance.status, acceptance.body)
}
