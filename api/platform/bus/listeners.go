package bus

import (
	"slices"
	"strings"
	"sync"
)

// listeners are those of this process, by subject.
type listeners struct {
	mu    sync.RWMutex
	exact map[string]*heard
	any   map[string]*heard // by what stands before the *
}

// heard is a subject with listeners. The list is never changed, only replaced.
type heard struct {
	list []*listener
	end  func() // of hearing the other nodes
}

type listener struct{ fn func(data []byte) }

// tell calls the listeners of a subject.
func (l *listeners) tell(subject string, data []byte) {
	for _, one := range l.of(subject) {
		one.fn(data)
	}
}

func (l *listeners) of(subject string) []*listener {
	l.mu.RLock()
	defer l.mu.RUnlock()
	var list []*listener
	if h := l.exact[subject]; h != nil {
		list = h.list
	}
	if h := l.any[subject[:strings.LastIndexByte(subject, '.')+1]]; h != nil {
		list = slices.Concat(list, h.list)
	}
	return list
}

// add enters a listener; hear is called with the first of a subject.
func (l *listeners) add(subject string, fn func([]byte), hear func(string) (func(), error)) (remove func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.exact == nil {
		l.exact, l.any = map[string]*heard{}, map[string]*heard{}
	}
	in, key := l.exact, subject
	if before, ok := strings.CutSuffix(subject, "*"); ok {
		in, key = l.any, before
	}
	h := in[key]
	if h == nil {
		end, err := hear(subject)
		if err != nil {
			return nil, err
		}
		h = &heard{end: end}
		in[key] = h
	}
	one := &listener{fn}
	h.list = append(slices.Clone(h.list), one)
	return sync.OnceFunc(func() { l.remove(in, key, h, one) }), nil
}

func (l *listeners) remove(in map[string]*heard, key string, h *heard, gone *listener) {
	l.mu.Lock()
	defer l.mu.Unlock()
	rest := make([]*listener, 0, len(h.list)-1)
	for _, one := range h.list {
		if one != gone {
			rest = append(rest, one)
		}
	}
	h.list = rest
	if len(rest) == 0 {
		delete(in, key)
		h.end()
	}
}
