package e2e_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/files"
	"heartward/api/platform/mail"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/push"
)

// installation is a deployment of several processes with a data folder each, which
// share the database, the file store and the keys.
type installation struct {
	testkit.DB
	store     *files.Store
	variables []string
}

// pushHost is the host of the tests' push subscriptions. The sender refuses private
// addresses and deletes the subscription, which shows that it tried to send.
const pushHost = "127.0.0.1:1"

func newInstallation(t *testing.T, variables ...string) *installation {
	t.Helper()
	pool := pgtest.New(t)
	blobs := "file://" + t.TempDir() + "?no_tmp_dir=true&metadata=skip"
	store, err := files.Open(t.Context(), blobs, "")
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	public, private, err := push.NewKeys()
	require.NoError(t, err)
	return &installation{DB: testkit.DB{TB: t, Pool: pool}, store: store, variables: append([]string{
		"DATABASE_URL=" + pool.Config().ConnString(), "BLOB_URL=" + blobs, "PUSH_HOSTS=" + pushHost,
		"SECRET=one secret for all the nodes of this test", "VAPID_PUBLIC_KEY=" + public, "VAPID_PRIVATE_KEY=" + private,
	}, variables...)}
}

// machine returns a data folder and a port for one process.
func (i *installation) machine() instance {
	p := newInstance(i)
	p.variables = i.variables
	return p
}

// queryBool reports whether a query with one boolean returns true.
func (i *installation) queryBool(sql string, args ...any) bool {
	i.Helper()
	return testkit.Select[bool](i, i.Pool, sql, args...)
}

func (i *installation) member(name string) uuid.UUID {
	i.Helper()
	return i.Member(name).ID
}

func emailOf(id uuid.UUID) string { return id.String() + "@example.test" }

// memberWithDevice returns a member whose device has the member's id.
func (i *installation) memberWithDevice(name string) uuid.UUID {
	i.Helper()
	id := i.member(name)
	public, _, err := push.NewKeys() // a point on the curve, as a browser's key is
	require.NoError(i, err)
	i.Exec(`INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth) VALUES ($1, $1, $2, $3, $4)`,
		id, "https://"+pushHost+"/"+id.String(), public, "AAAAAAAAAAAAAAAAAAAAAA")
	return id
}

// pushedTo reports whether a push was sent to the member's device; see pushHost.
func (i *installation) pushedTo(member uuid.UUID) bool {
	i.Helper()
	return i.queryBool(`SELECT NOT EXISTS (SELECT FROM push_subscriptions WHERE id = $1)`, member)
}

func (i *installation) conversation(a, b uuid.UUID) uuid.UUID {
	i.Helper()
	id := uuid.Must(uuid.NewV7())
	i.Exec(`INSERT INTO conversations (id, user_a, user_b) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3))`, id, a, b)
	return id
}

// message stores a message that was sent ten seconds ago.
func (i *installation) message(conversation, from uuid.UUID) uuid.UUID {
	i.Helper()
	id := uuid.Must(uuid.NewV7())
	i.Exec(`UPDATE conversations SET last_seq = last_seq + 1 WHERE id = $1`, conversation)
	i.Exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sent_at)
		SELECT $1, id, last_seq, $3, $1, 'hello', now() - interval '10 s' FROM conversations WHERE id = $2`, id, conversation, from)
	return id
}

// mailsTo returns the mails to an address in the folder of the process whose subject
// contains a text.
func (p instance) mailsTo(address, subject string) []mail.Stored {
	p.t.Helper()
	folder, err := mail.NewFolder(filepath.Join(p.dir, "mail"))
	require.NoError(p.t, err)
	mails, err := folder.List(address, 10)
	require.NoError(p.t, err)
	return slices.DeleteFunc(mails, func(m mail.Stored) bool { return !strings.Contains(m.Subject, subject) })
}

// startModeration starts a moderation endpoint that flags every text as harassment.
func startModeration(t *testing.T) (variable string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"results": [{"flagged": true, "categories": {"harassment": true}, "category_scores": {"harassment": 0.9}}]}`))
	}))
	t.Cleanup(server.Close)
	return "MODERATION_URL=" + server.URL
}

// fakeFFmpeg writes a program that prints a recording of the test data.
func fakeFFmpeg(t *testing.T) string {
	t.Helper()
	recording, err := filepath.Abs("../../jobs/testdata/copy.mp4")
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "ffmpeg")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\nif [ \"$1\" = -version ]; then echo ffmpeg version 0; exit; fi\ncp '"+recording+"' out\n"), 0o700))
	return path
}
