// Package bustest keeps what features publish, for their tests, and gives tests
// NATS servers whose connections can be cut.
package bustest

import (
	"encoding/json"
	"sync"

	"github.com/google/uuid"

	"heartward/api/platform/bus"
)

// Recorder is a bus.Publisher that keeps everything. The zero value is ready,
// and safe for concurrent use.
type Recorder struct {
	mu    sync.Mutex
	list  []published
	taken int
}

type published struct {
	subject string
	data    []byte
}

// Publish keeps it.
func (r *Recorder) Publish(subject string, data []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, published{subject, data})
}

// Take answers with what was published since it was last called: subject, a
// space, and the data as they are.
func (r *Recorder) Take() (lines []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.list[r.taken:] {
		lines = append(lines, p.subject+" "+string(p.data))
	}
	r.taken = len(r.list)
	return lines
}

// Subjects are those of all that was published.
func (r *Recorder) Subjects() (subjects []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.list {
		subjects = append(subjects, p.subject)
	}
	return subjects
}

// Told is what a member was told, of the one kind.
func (r *Recorder) Told(member uuid.UUID, kind string) (frames []map[string]any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.list {
		if p.subject != bus.MemberSubject(member) {
			continue
		}
		_, data := bus.SplitEvent(p.data)
		var frame map[string]any
		if err := json.Unmarshal(data, &frame); err != nil {
			panic(err)
		}
		if frame["type"] == kind {
			frames = append(frames, frame)
		}
	}
	return frames
}
