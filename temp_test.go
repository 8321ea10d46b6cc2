package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Kills a server during an upload. The next start removes its temporary files and leaves
// those of a running worker.
func TestServe_RemovesTemporaryFilesOfAKilledServer(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	temp := filepath.Join(t.TempDir(), "tmp")
	require.NoError(t, os.Mkdir(temp, 0o755))
	p.variables = []string{"TMPDIR=" + temp}
	server := p.serve("--no-work")
	worker := p.start(working, "work")
	folders := p.temporary(temp, "heartward-tmp-*")
	require.Len(t, folders, 2)

	p.startPhotoUpload(p.insertSenders()[0])
	require.Eventually(t, func() bool { return len(p.temporary(temp, "heartward-tmp-*/multipart-*")) > 0 }, waitTimeout, 5*time.Millisecond)
	worker.stop(syscall.SIGKILL) // before its database stops
	server.stop(syscall.SIGKILL)
	require.NotEmpty(t, p.temporary(temp, "heartward-tmp-*/multipart-*"))

	again := p.serve("--no-work")
	left := p.temporary(temp, "heartward-tmp-*")
	require.Len(t, left, 1)
	require.NotContains(t, folders, left[0])
	running := p.start(working, "work")
	require.Len(t, p.temporary(temp, "heartward-tmp-*"), 2, "the folder of the running process remains")
	running.stop(syscall.SIGTERM)
	again.stop(syscall.SIGTERM)
	require.Empty(t, p.temporary(temp, "*"))
}

func (p instance) temporary(folder, pattern string) []string {
	p.t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, pattern))
	require.NoError(p.t, err)
	return found
}

// startPhotoUpload sends a photo except for its last bytes.
func (p instance) startPhotoUpload(from sender) {
	p.t.Helper()
	var head bytes.Buffer
	form := multipart.NewWriter(&head)
	_, err := form.CreateFormFile("photo", "me.jpg")
	require.NoError(p.t, err)
	const size = 9 << 20
	body, feed := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, fmt.Sprintf("http://127.0.0.1:%d/api/users/me/photos", p.port), body)
	require.NoError(p.t, err)
	request.ContentLength = size
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.AddCookie(&http.Cookie{Name: "sid", Value: from.session.String()})
	done := make(chan struct{})
	go func() {
		defer close(done)
		if response, err := http.DefaultClient.Do(request); err == nil { // the server is killed
			response.Body.Close()
		}
	}()
	p.t.Cleanup(func() {
		cancel()
		_ = feed.Close()
		<-done
	})
	_, err = feed.Write(head.Bytes())
	require.NoError(p.t, err)
	_, err = feed.Write(make([]byte, size-1<<20))
	require.NoError(p.t, err)
}
