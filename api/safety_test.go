package api_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/messaging/requests"
)

// person is a member with the ids by which others may refer to them.
type person struct {
	name, cookie, id string
	ids              []string // of the member, their photo, and what they share with the reader
}

func (s *env) person(name string) *person {
	s.Helper()
	p := &person{name: name, cookie: s.signUp(name)}
	p.id = s.idOf(p.cookie)
	p.ids = []string{p.id, s.addPhoto(p.cookie).ID.String()}
	return p
}

func (s *env) like(from, to *person) matching.LikeResult {
	s.Helper()
	response := s.json(from.cookie, http.MethodPost, "/api/likes", map[string]any{"toUserId": to.id, "likeType": "like"})
	require.Equal(s, http.StatusCreated, response.status, response.body)
	var result matching.LikeResult
	require.NoError(s, json.Unmarshal([]byte(response.body), &result))
	return result
}

// revealedBy returns the paths of operations that reveal other to reader: the response
// contains the name, or a path with an id of other is found.
func (s *env) revealedBy(reader, other *person) []string {
	s.Helper()
	found := map[string]bool{}
	for _, op := range s.operations() {
		if op.method != http.MethodGet || strings.Contains(op.path, "/logout") {
			continue
		}
		for _, path := range op.pathsTo(s, reader.id, other.ids) {
			got := s.send(reader.cookie, http.MethodGet, path, "", "")
			if strings.Contains(got.body, other.name) || path != op.path && got.status < 300 {
				found[op.path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// pathsTo returns the operation's path with each id in its last parameter. Parameters
// before it get the reader's id.
func (op operation) pathsTo(s *env, reader string, ids []string) (paths []string) {
	if !strings.Contains(op.path, "{") {
		return []string{op.path}
	}
	for _, id := range ids {
		path, remaining := op.path, 0
		for _, p := range op.Parameters {
			if p.In == "path" && s.resolve(p.Schema).Format == "uuid" {
				remaining++
			}
		}
		for _, p := range op.Parameters {
			if p.In != "path" {
				continue
			}
			fill := "full.webp"
			if s.resolve(p.Schema).Type == "integer" {
				fill = "1"
			} else if s.resolve(p.Schema).Format == "uuid" {
				fill = id
				if remaining--; remaining > 0 {
					fill = reader
				}
			}
			path = strings.ReplaceAll(path, "{"+p.Name+"}", fill)
		}
		paths = append(paths, path)
	}
	return paths
}

// Before and after a block, calls every operation that reads.
func TestBlock_HidesMembersInEveryOperation(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann := s.person("Annabella")
	match, admirer, passTarget, stranger := s.person("Benquist"), s.person("Cleopatra"), s.person("Dantorio"), s.person("Evangeline")
	requester, requestee := s.person("Fridoline"), s.person("Gottfrieda")
	s.like(ann, match)
	result := s.like(match, ann)
	match.ids = append(match.ids, result.MatchID.String(), result.ConversationID.String())
	response := s.json(match.cookie, http.MethodPost, "/api/messages", map[string]any{
		"recipientId": ann.id, "content": "Benquist was here", "clientId": uuid.Must(uuid.NewV7())})
	require.Equal(t, http.StatusCreated, response.status, response.body)
	for _, other := range []*person{requester, requestee} {
		from, to := other, ann
		if other == requestee {
			from, to = ann, other
		}
		response = s.json(from.cookie, http.MethodPost, "/api/messages/requests", map[string]any{
			"recipientId": to.id, "content": from.name + " would like to talk", "clientId": uuid.Must(uuid.NewV7())})
		require.Equal(t, http.StatusCreated, response.status, response.body)
		var request requests.Requested
		require.NoError(t, json.Unmarshal([]byte(response.body), &request))
		other.ids = append(other.ids, request.Conversation.ID.String())
	}
	dateResponse := s.json(match.cookie, http.MethodPost, "/api/conversations/"+result.ConversationID.String()+"/dates", map[string]any{
		"place": "Café Benquist", "at": time.Now().Add(50 * time.Hour), "timeZone": "UTC", "clientId": uuid.Must(uuid.NewV7())})
	require.Equal(t, http.StatusCreated, dateResponse.status, dateResponse.body)
	var date struct{ ID uuid.UUID }
	require.NoError(t, json.Unmarshal([]byte(dateResponse.body), &date))
	match.ids = append(match.ids, date.ID.String())
	s.like(admirer, ann)
	require.Equal(t, http.StatusNoContent, s.json(ann.cookie, http.MethodPost, "/api/passes", map[string]any{"toUserId": passTarget.id}).status)

	others := map[*person][]string{
		match: {"/api/dates", "/api/dates/{id}", "/api/dates/{id}/ics", "/api/matches", "/api/conversations", "/api/conversations/{id}/changes",
			"/api/messages/{otherId}", "/api/sync", "/files/{id}/{variant}"},
		requester:  {"/api/conversations", "/api/messages/{otherId}", "/api/sync", "/files/{id}/{variant}"},
		requestee:  {"/api/conversations", "/api/messages/{otherId}", "/api/sync", "/files/{id}/{variant}"},
		admirer:    {"/api/likes/received", "/api/discover", "/files/{id}/{variant}"},
		passTarget: {"/api/passes", "/files/{id}/{variant}"},
		stranger:   {"/api/discover", "/api/matches/for-you", "/files/{id}/{variant}"},
	}
	s.refreshSearch()
	for other, paths := range others {
		require.Subset(t, s.revealedBy(ann, other), paths, other.name)
	}
	for other := range others {
		report := map[string]any{"userId": other.id, "reason": "spam", "place": "card"}
		ownActs := []string{"/api/blocks"}
		if other == match || other == stranger || other == requester {
			require.Equal(t, http.StatusNoContent, s.json(ann.cookie, http.MethodPost, "/api/blocks", map[string]any{"userId": other.id}).status)
		} else {
			got := s.json(ann.cookie, http.MethodPost, "/api/reports", report)
			require.Equal(t, http.StatusCreated, got.status, got.body)
			again := s.json(ann.cookie, http.MethodPost, "/api/reports", report)
			require.Equal(t, []any{http.StatusOK, got.body}, []any{again.status, again.body})
			ownActs = append(ownActs, "/api/reports")
		}
		require.Equal(t, ownActs, s.revealedBy(ann, other), other.name)
		require.Empty(t, s.revealedBy(other, ann), "nothing is revealed to %s, not even the block", other.name)
		for _, id := range other.ids {
			with := s.send(ann.cookie, http.MethodGet, "/api/conversations?with="+id, "", "")
			require.JSONEq(t, `[]`, with.body, other.name)
		}
		for _, path := range []string{"/api/likes", "/api/passes"} {
			require.Equal(t, http.StatusNotFound, s.json(other.cookie, http.MethodPost, path, map[string]any{"toUserId": ann.id}).status, path)
		}
	}
	for other, paths := range others {
		require.Equal(t, http.StatusNoContent, s.send(ann.cookie, http.MethodDelete, "/api/blocks/"+other.id, "application/json", "").status)
		visible := s.revealedBy(ann, other)
		if other == match {
			require.Empty(t, visible, "a former match stays invisible")
			continue
		}
		require.Contains(t, visible, paths[len(paths)-1], "%s is unblocked", other.name)
	}
}

// Calls every operation that reads as members with and without a match.
func TestFirstNameOnly_HidesSurnameInEveryOperation(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann := s.person("Annabella")
	const surname = "Zubrowska"
	require.Equal(t, http.StatusOK, s.json(ann.cookie, http.MethodPatch, "/api/users/me", map[string]any{"fullName": "Annabella " + surname}).status)
	match, admirer, liked, requester, requestee, stranger := s.person("Benquist"), s.person("Cleopatra"), s.person("Dantorio"),
		s.person("Evangeline"), s.person("Fridoline"), s.person("Gottfrieda")
	s.like(ann, match)
	result := s.like(match, ann)
	ann.ids = append(ann.ids, result.MatchID.String(), result.ConversationID.String())
	s.like(admirer, ann)
	s.like(ann, liked)
	for _, pair := range [][2]*person{{requester, ann}, {ann, requestee}} {
		from, to := pair[0], pair[1]
		response := s.json(from.cookie, http.MethodPost, "/api/messages/requests", map[string]any{
			"recipientId": to.id, "content": "Hello from " + from.name, "clientId": uuid.Must(uuid.NewV7())})
		require.Equal(t, http.StatusCreated, response.status, response.body)
		var request requests.Requested
		require.NoError(t, json.Unmarshal([]byte(response.body), &request))
		ann.ids = append(ann.ids, request.Conversation.ID.String())
		if to == ann { // an accepted request is no match
			path := "/api/conversations/" + request.Conversation.ID.String() + "/accept"
			require.Equal(t, http.StatusOK, s.json(ann.cookie, http.MethodPost, path, map[string]any{}).status)
		}
	}
	require.Equal(t, http.StatusNoContent, s.json(stranger.cookie, http.MethodPost, "/api/passes", map[string]any{"toUserId": ann.id}).status)
	others := []*person{match, admirer, liked, requester, requestee, stranger}
	showing := &person{name: surname, ids: ann.ids}
	for _, other := range others {
		require.Contains(t, s.pathsWith(other, showing), "/api/users/{id}", other.name)
	}
	require.Contains(t, s.pathsWith(liked, showing), "/api/likes/received")
	require.Contains(t, s.pathsWith(requestee, showing), "/api/conversations")
	require.Contains(t, s.pathsWith(stranger, showing), "/api/passes")
	require.Contains(t, s.pathsWith(admirer, showing), "/api/users/me/activity")

	require.Equal(t, http.StatusOK, s.json(ann.cookie, http.MethodPatch, "/api/users/me", map[string]any{"firstNameOnly": true}).status)
	for _, other := range others[1:] {
		require.Empty(t, s.pathsWith(other, showing), other.name)
	}
	require.Subset(t, s.pathsWith(match, showing), []string{"/api/matches", "/api/conversations", "/api/users/{id}", "/api/sync"})
	require.Contains(t, s.pathsWith(ann, showing), "/api/auth/user")
	require.Equal(t, http.StatusNoContent, s.send(match.cookie, http.MethodDelete, "/api/matches/"+result.MatchID.String(), "application/json", "").status)
	require.Empty(t, s.pathsWith(match, showing), "after the match has ended")
}

// pathsWith returns the paths of operations whose responses to reader contain other's name.
func (s *env) pathsWith(reader, other *person) []string {
	s.Helper()
	found := map[string]bool{}
	for _, op := range s.operations() {
		if op.method != http.MethodGet || strings.Contains(op.path, "/logout") {
			continue
		}
		for _, path := range op.pathsTo(s, reader.id, other.ids) {
			if strings.Contains(s.send(reader.cookie, http.MethodGet, path, "", "").body, other.name) {
				found[op.path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}
