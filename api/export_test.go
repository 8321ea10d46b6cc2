package api_test

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/export"
	"heartward/api/platform/blobs"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

func (s *env) exports() *export.Service {
	return export.New(s.Pool, blobs.New(s.Pool, s.store), pgtest.Jobs(s, s.Pool), api.Data())
}

// makeExport requests an export and runs its job.
func (s *env) makeExport(cookie string) {
	s.Helper()
	response := s.send(cookie, http.MethodPost, "/api/users/me/export", "application/json", "")
	require.Equal(s, http.StatusAccepted, response.status, response.body)
	require.NoError(s, s.exports().Make(s.Context(), s.requestedExport()))
}

// requestedExport returns the id of the export whose job was enqueued last.
func (s *env) requestedExport() uuid.UUID {
	s.Helper()
	return testkit.Select[uuid.UUID](s, s.Pool, `SELECT args->>'exportId' FROM river_job WHERE kind = 'make_export' ORDER BY id DESC LIMIT 1`)
}

func (s *env) exportState(cookie string) (state export.DataExport) {
	s.Helper()
	response := s.send(cookie, http.MethodGet, "/api/users/me/export", "", "")
	require.Equal(s, http.StatusOK, response.status, response.body)
	require.NoError(s, json.Unmarshal([]byte(response.body), &state))
	return state
}

// exportLink returns the address of the download.
func (s *env) exportLink(cookie string) string {
	s.Helper()
	response := s.send(cookie, http.MethodPost, "/api/users/me/export/link", "application/json", "")
	require.Equal(s, http.StatusOK, response.status, response.body)
	var link export.DownloadLink
	require.NoError(s, json.Unmarshal([]byte(response.body), &link))
	return link.URL
}

// unzip returns the content of each file of an archive.
func unzip(t testing.TB, archive string) map[string]string {
	t.Helper()
	reader, err := zip.NewReader(strings.NewReader(archive), int64(len(archive)))
	require.NoError(t, err)
	files := map[string]string{}
	for _, file := range reader.File {
		require.NotContains(t, files, file.Name)
		content, err := file.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(content)
		require.NoError(t, err)
		files[file.Name] = string(text)
		if strings.HasSuffix(file.Name, ".json") {
			require.True(t, json.Valid(text), "%s: %s", file.Name, text)
		}
	}
	return files
}

// documentsOf returns the documents of an archive.
func documentsOf(files map[string]string) map[string]string {
	documents := maps.Clone(files)
	maps.DeleteFunc(documents, func(name, _ string) bool { return !strings.HasSuffix(name, ".json") || name == "schema.json" })
	return documents
}

func (s *env) fetchExport(cookie string) map[string]string {
	s.Helper()
	response := s.send(cookie, http.MethodGet, s.exportLink(cookie), "", "")
	require.Equal(s, http.StatusOK, response.status, response.body)
	require.Equal(s, "application/zip", response.contentType)
	require.Contains(s, response.header.Get("Content-Disposition"), "attachment; filename=\"heartward-")
	require.Equal(s, "no-store", response.header.Get("Cache-Control"))
	return unzip(s, response.body)
}

// talk matches two members and sends a message from each.
func (s *env) talk(a, b, textOfA, textOfB string) {
	s.Helper()
	aID, bID := s.idOf(a), s.idOf(b)
	for _, m := range []struct{ cookie, to string }{{a, bID}, {b, aID}} {
		require.Equal(s, http.StatusCreated, s.json(m.cookie, http.MethodPost, "/api/likes", map[string]any{
			"toUserId": m.to, "likeType": "like", "comment": "comment to " + m.to,
		}).status)
	}
	for _, m := range []struct{ cookie, to, text string }{{a, bID, textOfA}, {b, aID, textOfB}} {
		response := s.json(m.cookie, http.MethodPost, "/api/messages", map[string]any{"recipientId": m.to, "content": m.text, "clientId": uuid.New()})
		require.Equal(s, http.StatusCreated, response.status, response.body)
	}
}

// The archive has the member's own data and messages of both sides of open conversations. It
// has nothing of others that the app does not show to the member.
func TestExport_ContainsOwnDataAndNothingHiddenOfOthers(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann, ben, cleo, dora := s.signUp("annabel"), s.signUp("benedict"), s.signUp("cleopatra"), s.signUp("dorothea")
	s.json(ann, http.MethodPatch, "/api/users/me", map[string]any{"bio": "bio of annabel", "religion": "other", "religionCounts": true})
	s.Exec(`UPDATE users SET religion = 'buddhist', last_name = 'Hiddenlast', full_name = 'benedict Hiddenlast', hide_read_receipts = true WHERE id = $1`, s.idOf(ben))
	photo := s.addPhoto(ann)
	s.talk(ann, ben, "open words of annabel", "open words of benedict")
	s.talk(ann, cleo, "ended words of annabel", "ended words of cleopatra")
	require.Equal(t, http.StatusCreated, s.json(cleo, http.MethodPost, "/api/reports", map[string]any{
		"userId": s.idOf(ann), "reason": "spam", "description": "report about annabel", "place": "conversation",
	}).status)
	require.Equal(t, http.StatusCreated, s.json(dora, http.MethodPost, "/api/likes", map[string]any{
		"toUserId": s.idOf(ann), "likeType": "like", "comment": "like of dorothea",
	}).status)
	require.Equal(t, http.StatusCreated, s.json(ann, http.MethodPost, "/api/reports", map[string]any{
		"userId": s.idOf(dora), "reason": "spam", "description": "report by annabel", "place": "card",
	}).status)

	s.Exec(`UPDATE conversations SET a_muted_until = 'infinity', b_muted_until = 'infinity'`)
	s.makeExport(ann)
	files := s.fetchExport(ann)
	all := strings.Join(slices.Collect(maps.Values(files)), "\n")
	documents := documentsOf(files)
	testkit.RequireValid(t, export.Schema, documents)
	for _, own := range []string{
		"bio of annabel", s.emails[len(s.emails)-4], "open words of annabel", "open words of benedict", "ended words of annabel",
		"report by annabel", "comment to " + s.idOf(ben), `"first_name": "benedict"`,
	} {
		require.Contains(t, all, own)
	}
	for _, hidden := range append(s.emails[len(s.emails)-3:],
		"ended words of cleopatra", "cleopatra", "report about annabel", "like of dorothea", "Hiddenlast", "buddhist", "read_receipts\": true",
		"comment to "+s.idOf(ann), // Ben's like is shown, Cleo's is not
	) {
		if hidden == "comment to "+s.idOf(ann) {
			require.Equal(t, 1, strings.Count(strings.Join(slices.Collect(maps.Values(documents)), "\n"), hidden), "only the like of the open match")
			continue
		}
		require.NotContains(t, all, hidden)
	}
	require.NotEmpty(t, files["files/"+photo.ID.String()+".webp"])
	require.Contains(t, files["README.txt"], "Messages of others are here as the app shows them")
	require.NotContains(t, all, "password_hash")
	require.NotContains(t, all, "token_hash")
}

// The pages show what the member wrote and received as text, in the order of the messages, and no markup of it.
func TestExport_PagesEscapeTexts(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann, ben := s.signUp("annabel"), s.signUp("benedict")
	const attack = `<img src=x onerror=alert(1)></p><script>alert('2')</script>`
	s.json(ann, http.MethodPatch, "/api/users/me", map[string]any{"bio": attack})
	s.talk(ann, ben, "first "+attack, "second "+attack)
	s.Exec(`UPDATE users SET first_name = $2 WHERE id = $1`, s.idOf(ben), `<b onclick="x">Ben</b>`)
	photo := s.addPhoto(ann)

	s.makeExport(ann)
	files := s.fetchExport(ann)
	index, conversation := files["index.html"], ""
	for name, text := range files {
		if strings.HasPrefix(name, "conversations/") && strings.HasSuffix(name, ".html") {
			conversation = text
			require.Contains(t, index, `href="`+name+`"`)
		}
	}
	for _, page := range []string{index, conversation} {
		for _, markup := range []string{"<img src=x", "<script", "<b onclick"} {
			require.NotContains(t, page, markup)
		}
		require.Contains(t, page, "default-src 'none'")
		require.Contains(t, page, "&lt;b onclick=")
	}
	require.Contains(t, index, `<img src="files/`+photo.ID.String()+`.webp"`)
	require.Contains(t, index, "&lt;img src=x onerror=alert(1)&gt;")
	first, second := strings.Index(conversation, "first &lt;img"), strings.Index(conversation, "second &lt;img")
	require.Positive(t, first)
	require.Greater(t, second, first)
}

// Every document is in a folder that README.txt and index.html describe, and SHA256SUMS has the checksums of all entries.
func TestExport_DescribesFoldersAndListsChecksums(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann := s.signUp("annabel")
	s.addPhoto(ann)
	s.makeExport(ann)
	files := s.fetchExport(ann)
	require.NotContains(t, files, "errors.txt")
	sums := map[string]string{}
	for line := range strings.Lines(files["SHA256SUMS"]) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sums[name] = sum
	}
	for name, content := range files {
		require.Regexp(t, `^[A-Za-z0-9./-]+$`, name)
		if folder, _, hasFolder := strings.Cut(name, "/"); hasFolder {
			require.Contains(t, files["README.txt"], "\n"+folder+"/ ", name)
			require.Contains(t, files["index.html"], `<h2 id="`+folder+`">`, name)
		}
		if name != "SHA256SUMS" {
			require.Equal(t, fmt.Sprintf("%x", sha256.Sum256([]byte(content))), sums[name], name)
		}
	}
	require.Len(t, sums, len(files)-1)
}

// A file that is missing in the file store is named in the archive, which has everything else.
func TestExport_NamesMissingFiles(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann := s.signUp("annabel")
	kept, lost := s.addPhoto(ann), s.addPhoto(ann)
	require.NoError(t, s.store.Delete(t.Context(), blobs.Key(lost.ID, blobs.Full)))
	s.makeExport(ann)
	files := s.fetchExport(ann)
	require.Contains(t, files, "files/"+kept.ID.String()+".webp")
	name := "files/" + lost.ID.String() + ".webp"
	require.NotContains(t, files, name)
	require.Equal(t, name+": missing in our storage when this archive was made\n", files["errors.txt"])
	require.Contains(t, files["index.html"], "1 missing file")
	require.Contains(t, files["index.html"], "A file that is missing: "+name)
	require.NotContains(t, files["index.html"], `src="`+name)
}

func TestExport_RequiresRecentProof(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann := s.signUp("annabel")
	s.makeExport(ann)
	s.Exec(`UPDATE sessions SET proved_at = now() - interval '10 minutes 1 second' WHERE user_id = $1`, s.idOf(ann))
	for _, path := range []string{"/api/users/me/export", "/api/users/me/export/link"} {
		refused := s.send(ann, http.MethodPost, path, "application/json", "")
		require.Equal(t, http.StatusForbidden, refused.status, path)
		require.Contains(t, refused.body, "proof_required")
	}
	require.Equal(t, "ready", s.exportState(ann).Status)
}

func TestExport_OneAtATimeAndThreeAWeek(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann := s.signUp("annabel")
	require.Equal(t, "none", s.exportState(ann).Status)
	request := func() httpResponse {
		return s.send(ann, http.MethodPost, "/api/users/me/export", "application/json", "")
	}
	first := request()
	require.Equal(t, http.StatusAccepted, first.status, first.body)
	require.Equal(t, "making", s.exportState(ann).Status)
	for range 5 {
		refused := request()
		require.Equal(t, http.StatusConflict, refused.status, "the refused calls do not count")
		require.Contains(t, refused.body, "export_making")
	}
	require.Equal(t, 1, s.Count(`SELECT count(*) FROM river_job WHERE kind = 'make_export'`))
	require.NoError(t, s.exports().Make(t.Context(), s.requestedExport()))
	s.makeExport(ann)
	s.makeExport(ann)
	limited := request()
	require.Equal(t, http.StatusTooManyRequests, limited.status, limited.body)
	require.Equal(t, "ready", s.exportState(ann).Status, "the refused request leaves the archive")
}

// Concurrent downloads with one link: one gets the archive.
func TestExport_CanBeFetchedOnce(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann, ben := s.signUp("annabel"), s.signUp("benedict")
	s.makeExport(ann)
	state := s.exportState(ann)
	require.Equal(t, "ready", state.Status)
	require.NotNil(t, state.ReadyUntil)
	require.Positive(t, *state.Bytes)
	link := s.exportLink(ann)
	require.Equal(t, http.StatusNotFound, s.send(ben, http.MethodGet, link, "", "").status, "another member")
	require.Equal(t, http.StatusUnauthorized, s.send("", http.MethodGet, link, "", "").status, "signed out")
	s.Exec(`UPDATE exports SET link_until = now() - interval '1 second'`)
	require.Equal(t, http.StatusNotFound, s.send(ann, http.MethodGet, link, "", "").status, "after its end")
	older, link := s.exportLink(ann), s.exportLink(ann)
	require.Equal(t, http.StatusNotFound, s.send(ann, http.MethodGet, older, "", "").status, "replaced by another link")

	statuses := make(chan int)
	for range 4 {
		go func() {
			response, err := s.client.Do(s.newRequest(ann, http.MethodGet, link, "", ""))
			if err != nil {
				statuses <- 0
				return
			}
			_, err = io.Copy(io.Discard, response.Body)
			if errors.Join(err, response.Body.Close()) != nil {
				statuses <- 0
				return
			}
			statuses <- response.StatusCode
		}()
	}
	got := []int{<-statuses, <-statuses, <-statuses, <-statuses}
	slices.Sort(got)
	require.Equal(t, []int{200, 404, 404, 404}, got)
	require.Equal(t, http.StatusNotFound, s.send(ann, http.MethodPost, "/api/users/me/export/link", "application/json", "").status)
	require.Equal(t, "fetched", s.exportState(ann).Status)
	require.Equal(t, 1, s.Count(`SELECT count(*) FROM blob_removals WHERE due_at > now() + interval '50 minutes'`), "the archive is removed after the download")
}

// After the last failure the member can request another export.
func TestExport_FailureAndLostJob(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann := s.signUp("annabel")
	for number, end := range []string{
		`UPDATE exports SET failed_at = now()`, `UPDATE exports SET requested_at = now() - interval '25 hours'`,
	} {
		require.Equal(t, http.StatusAccepted, s.send(ann, http.MethodPost, "/api/users/me/export", "application/json", "").status, number)
		s.Exec(end)
		require.Equal(t, "failed", s.exportState(ann).Status)
	}
	lost := s.requestedExport()
	s.makeExport(ann)
	require.NoError(t, s.exports().Fail(t.Context(), lost), "a replaced export")
	require.NoError(t, s.exports().Make(t.Context(), lost))
	require.Equal(t, "ready", s.exportState(ann).Status)
	require.Equal(t, 1, s.Count(`SELECT count(*) FROM river_job WHERE kind = 'announce_export'`))
}

// A run that fails leaves no blob, and the next one makes the archive.
func TestExport_ContinuesAfterFailure(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann := s.signUp("annabel")
	require.Equal(t, http.StatusAccepted, s.send(ann, http.MethodPost, "/api/users/me/export", "application/json", "").status)
	s.Exec(`ALTER TABLE messages RENAME COLUMN content TO gone`)
	s.Exec(`INSERT INTO conversations (id, user_a, user_b) VALUES ($1, least($1, $2::uuid), greatest($1, $2::uuid))`, uuid.New(), s.idOf(ann))
	require.Error(t, s.exports().Make(t.Context(), s.requestedExport()))
	s.Exec(`ALTER TABLE messages RENAME COLUMN gone TO content`)
	require.Equal(t, "making", s.exportState(ann).Status)
	require.Empty(t, s.archives())
	require.NoError(t, s.exports().Make(t.Context(), s.requestedExport()))
	require.Len(t, s.archives(), 1)
}

// archives returns the keys of the archives in the file store.
func (s *env) archives() (keys []string) {
	s.Helper()
	entries, err := s.store.List(s.Context(), "")
	require.NoError(s, err)
	for _, entry := range entries {
		if strings.HasSuffix(entry.Key, blobs.Archive) {
			keys = append(keys, entry.Key)
		}
	}
	return keys
}

// The archive is removed from the file store with its row: at its end, with the account, and
// by the next request.
func TestExport_ArchiveIsRemovedWithItsRow(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann, ben := s.signUp("annabel"), s.signUp("benedict")
	for _, remove := range []string{`DELETE FROM exports WHERE user_id = $1`, `DELETE FROM users WHERE id = $1`} {
		cookie := map[bool]string{true: ann, false: ben}[strings.Contains(remove, "exports")]
		s.makeExport(cookie)
		require.Len(t, s.archives(), 1)
		s.Exec(remove, s.idOf(cookie))
		_, err := blobs.New(s.Pool, s.store).RemoveDue(t.Context())
		require.NoError(t, err)
		require.Empty(t, s.archives(), remove)
	}
	s.makeExport(ann)
	s.makeExport(ann)
	s.Exec(`UPDATE blob_removals SET due_at = now()`)
	_, err := blobs.New(s.Pool, s.store).RemoveDue(t.Context())
	require.NoError(t, err)
	require.Len(t, s.archives(), 1)
}

// The log has no token of a download.
func TestExport_TokenIsNotLogged(t *testing.T) {
	s := newEnv(t)
	log := captureLog(t, "debug")
	ann := s.signUp("annabel")
	s.makeExport(ann)
	link := s.exportLink(ann)
	require.Equal(t, http.StatusOK, s.send(ann, http.MethodGet, link, "", "").status)
	require.NotContains(t, log.String(), strings.TrimPrefix(link, export.DownloadPath))
	require.Contains(t, log.String(), "event=export outcome=ok")
	require.Contains(t, log.String(), export.DownloadPath+"…")
}
