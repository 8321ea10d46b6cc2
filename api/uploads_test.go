package api_test

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/platform/testkit"
)

const maxGrowth = 100 << 20

// ownProcess is the variable that is set in the process of runInOwnProcess.
const ownProcess = "HEARTWARD_TEST_OWN_PROCESS"

// runInOwnProcess runs the test in a process of its own, whose memory no other test uses. Garbage is collected more
// often there, so that less of it is counted. It returns true in that process.
func runInOwnProcess(t *testing.T) bool {
	t.Helper()
	if os.Getenv(ownProcess) != "" {
		return true
	}
	test := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=0")
	test.Env = append(os.Environ(), ownProcess+"=1", "GOGC=20")
	out, err := test.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: "+t.Name())
	return false
}

// measurePeak starts to measure the peak memory of this process, and returns a function
// that returns its growth.
func measurePeak(t *testing.T) func() int64 {
	t.Helper()
	debug.FreeOSMemory()
	read := func() int64 {
		status, err := os.ReadFile("/proc/self/status")
		if err != nil { // not Linux: the memory that Go has requested
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return int64(m.Sys)
		}
		_, after, _ := strings.Cut(string(status), "VmHWM:")
		kB, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64)
		require.NoError(t, err)
		return kB << 10
	}
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // resets the peak
	before := read()
	return func() int64 { return read() - before }
}

// endlessBody is an endless body. It copies blocks, because the race detector instruments
// each byte that a loop writes.
type endlessBody struct{}

var manyBytes = bytes.Repeat([]byte{'x'}, 64<<10)

func (endlessBody) Read(p []byte) (int, error) { return copy(p, manyBytes), nil }

// stream sends a body of head followed by more bytes. It returns the status, or zero
// when the server closed the connection.
func (s *env) stream(t *testing.T, cookie, method, path, contentType string, head []byte, more int64) int {
	request := s.newRequest(cookie, method, path, contentType, "")
	request.Body = io.NopCloser(io.MultiReader(bytes.NewReader(head), io.LimitReader(endlessBody{}, more)))
	request.ContentLength = int64(len(head)) + more
	response, err := s.client.Do(request)
	var closed *net.OpError
	if errors.As(err, &closed) || errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) {
		return 0
	}
	require.NoError(t, err)
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	require.NoError(t, err)
	return response.StatusCode
}

// addHostile uploads head followed by more bytes for the profile and adds it at path.
// It returns the first status that refuses it.
func (s *env) addHostile(t *testing.T, cookie, method, path string, head []byte, more int64) int {
	response := s.tus(cookie, http.MethodPost, "/api/uploads?purpose=profile", "", "Upload-Length", fmt.Sprint(int64(len(head))+more))
	if response.status != http.StatusCreated {
		return response.status
	}
	upload := response.header.Get("Location")
	if status := s.stream(t, cookie, http.MethodPatch, upload, media.PartType, head, more); status != http.StatusNoContent {
		return status
	}
	return s.json(cookie, method, path, map[string]any{"uploadId": strings.TrimPrefix(upload, "/api/uploads/")}).status
}

// addUpload uploads a file for the profile and returns its id.
func (s *env) addUpload(cookie, content string) string {
	s.Helper()
	response := s.tus(cookie, http.MethodPost, "/api/uploads?purpose=profile", "", "Upload-Length", fmt.Sprint(len(content)))
	require.Equal(s, http.StatusCreated, response.status, response.body)
	path := response.header.Get("Location")
	got := s.tus(cookie, http.MethodPatch, path, content, "Upload-Offset", "0")
	require.Equal(s, http.StatusNoContent, got.status, got.body)
	return strings.TrimPrefix(path, "/api/uploads/")
}

// bomb returns a PNG of 20,000 by 20,000 black pixels in about 50 kB.
func bomb(t *testing.T) []byte {
	chunk := func(name string, data []byte) []byte {
		out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
		out = append(append(out, name...), data...)
		return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
	}
	const side, rows = 20_000, 1000
	// Compressed once and repeated, because the race detector makes it slow.
	var block bytes.Buffer
	writer, err := flate.NewWriter(&block, flate.DefaultCompression)
	require.NoError(t, err)
	_, err = writer.Write(make([]byte, rows*(1+side/8)))
	require.NoError(t, err)
	require.NoError(t, writer.Flush())
	pixels := append([]byte{0x78, 0x9c}, bytes.Repeat(block.Bytes(), side/rows)...)
	pixels = append(pixels, 1, 0, 0, 0xff, 0xff) // the final block, then the checksum of the zeros
	pixels = binary.BigEndian.AppendUint32(pixels, side*(1+side/8)%65521<<16|1)
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, side), side)
	out := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(header, 1, 0, 0, 0, 0))...)
	out = append(out, chunk("IDAT", pixels)...)
	out = append(out, chunk("IEND", nil)...)
	require.Less(t, len(out), 60_000)
	return out
}

// Each upload is sent six times concurrently.
func TestUploads_HostileFilesTakeLittleMemory(t *testing.T) {
	t.Parallel()
	if !runInOwnProcess(t) {
		return
	}
	s := newEnv(t)
	senders := []string{s.viewer}
	for i := range 5 {
		senders = append(senders, s.signUp(fmt.Sprintf("sender%d", i)))
	}
	webm, err := os.ReadFile("platform/recordings/testdata/video.webm")
	require.NoError(t, err)
	picture, recording := "/api/users/me/photos", "/api/users/me/video-greeting"
	form := "multipart/form-data; boundary=x"
	picture400MP := bomb(t)
	growth := measurePeak(t)
	for name, u := range map[string]struct {
		method, path, contentType string // without a content type, an upload
		head                      []byte
		more                      int64
		statuses                  []int
	}{
		"200 MB":                {"POST", picture, "", nil, 200 << 20, []int{413}},
		"200 MB of video":       {"PUT", recording, "", webm, 200 << 20, []int{413}},
		"200 MB without a form": {"POST", "/api/likes", "application/json", nil, 200 << 20, []int{0, 413}},
		"200 MB of a form":      {"POST", picture, form, []byte(multipartBody), 200 << 20, []int{0, 413}},
		"25 MB of a form":       {"PUT", recording, form, []byte(multipartBody), 25 << 20, []int{0, 413}},
		"a form":                {"POST", picture, form, []byte(multipartBody), 0, []int{415}},
		"a little too large":    {"POST", picture, "", nil, 10<<20 + 100<<10, []int{413}},
		"10 MB of one letter":   {"POST", picture, "", nil, 10 << 20, []int{422}},
		"25 MB of one letter":   {"PUT", recording, "", nil, 25 << 20, []int{422}},
		"25 MB after a video":   {"PUT", recording, "", webm, 24 << 20, []int{422}},
		"400 megapixels":        {"POST", picture, "", picture400MP, 0, []int{422}},
		"a truncated picture":   {"POST", picture, "", picture400MP[:200], 0, []int{422}},
		"9 MB after a picture":  {"POST", picture, "", picture400MP, 9 << 20, []int{422}},
		"a script":              {"POST", picture, "", []byte("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"), 0, []int{422}},
		"a script in a GIF":     {"POST", picture, "", []byte("GIF89a/*<script>*/=1;alert(1)"), 5 << 20, []int{422}},
	} {
		var group sync.WaitGroup
		for _, cookie := range senders {
			group.Go(func() {
				var status int
				if u.contentType == "" {
					status = s.addHostile(t, cookie, u.method, u.path, u.head, u.more)
				} else {
					status = s.stream(t, cookie, u.method, u.path, u.contentType, u.head, u.more)
				}
				if !slices.Contains(u.statuses, status) {
					t.Errorf("%s: %d", name, status)
				}
			})
		}
		group.Wait()
		for _, table := range []string{"rate_limits", "uploads"} {
			s.Exec(`DELETE FROM ` + table)
		}
	}
	if bytesGrown := growth(); bytesGrown > maxGrowth {
		t.Errorf("memory grew by %d MB", bytesGrown>>20)
	} else {
		t.Logf("memory grew by %d MB", bytesGrown>>20)
	}
	files := testkit.Select[int](t, s.Pool, `SELECT count(*) FROM files`)
	require.Zero(t, files)
	require.Equal(t, http.StatusOK, s.send(s.viewer, http.MethodGet, "/api/auth/user", "", "").status)
}
