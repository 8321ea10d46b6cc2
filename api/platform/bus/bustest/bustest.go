// Package bustest records the events that features publish in tests, and starts NATS
// servers whose connections can be cut.
package bustest

import (
	"encoding/json"
	"sync"

	"github.com/google/uuid"

	"heartward/api/platform/bus"
)

// Recorder is a bus.Publisher that records all events. The zero value is ready to use
// and safe for concurrent use.
type Recorder struct {
	mu       sync.Mutex
	list     []published
	returned int
}

type published struct {
	subject string
	data    []byte
}

// Publish records the event.
func (r *Recorder) Publish(subject string, data []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, published{subject, data})
}

// Take returns the events published since its last call, each as the subject, a space and
// the data.
func (r *Recorder) Take() (lines []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.list[r.returned:] {
		lines = append(lines, p.subject+" "+string(p.data))
	}
	r.returned = len(r.list)
	return lines
}

// Subjects returns the subjects of all events.
func (r *Recorder) Subjects() (subjects []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.list {
		subjects = append(subjects, p.subject)
	}
	return subjects
}

// Published returns the events of a kind that were published to a member.
func (r *Recorder) Published(member uuid.UUID, kind string) (frames []map[string]any) {
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
