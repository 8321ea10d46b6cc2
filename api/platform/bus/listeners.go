package bus

import (
	"slices"
	"strings"
	"sync"
)

// listeners are the subscriptions of this process.
type listeners struct {
	mu       sync.RWMutex
	exact    map[string][]*listener // lists are replaced, never modified
	byPrefix map[string][]*listener // by the prefix before *
}

type listener struct{ fn func(data []byte) }

// call calls the listeners of a subject.
func (l *listeners) call(subject string, data []byte) {
	for _, one := range l.matching(subject) {
		one.fn(data)
	}
}

func (l *listeners) matching(subject string) []*listener {
	l.mu.RLock()
	defer l.mu.RUnlock()
	list := l.exact[subject]
	if others := l.byPrefix[subject[:strings.LastIndexByte(subject, '.')+1]]; len(others) > 0 {
		list = slices.Concat(list, others)
	}
	return list
}

// add adds a listener and returns the function that removes it.
func (l *listeners) add(subject string, fn func([]byte)) (remove func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.exact == nil {
		l.exact, l.byPrefix = map[string][]*listener{}, map[string][]*listener{}
	}
	in, key := l.exact, subject
	if before, ok := strings.CutSuffix(subject, "*"); ok {
		in, key = l.byPrefix, before
	}
	one := &listener{fn}
	in[key] = append(slices.Clone(in[key]), one)
	return sync.OnceFunc(func() { l.remove(in, key, one) })
}

func (l *listeners) remove(in map[string][]*listener, key string, removed *listener) {
	l.mu.Lock()
	defer l.mu.Unlock()
	rest := slices.DeleteFunc(slices.Clone(in[key]), func(one *listener) bool { return one == removed })
	if len(rest) == 0 {
		delete(in, key)
	} else {
		in[key] = rest
	}
}
