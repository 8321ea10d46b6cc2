package limits

import (
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/time/rate"

	"heartward/api/platform/fault"
)

// Members limits the calls of each member in the memory of this process. It is for calls that are
// too frequent for a Rule, which writes to PostgreSQL at each call. The requests of a member
// usually reach one node; at worst the limit is multiplied by the number of nodes.
type Members struct {
	every   time.Duration // between calls after the burst
	burst   int
	refusal *fault.Error
	now     func() time.Time

	mu        sync.Mutex
	byMember  map[uuid.UUID]*rate.Limiter
	evictSize int // at this size of the map idle members are evicted
}

// Activity is the code of what Members limits, which is a parameter of the error. A published code is never renamed.
type Activity string

// The activities.
const (
	ChangingMessages     Activity = "changing_messages"
	CheckingMessages     Activity = "checking_messages"
	LookingThroughPeople Activity = "looking_through_people"
	RepeatingDecisions   Activity = "repeating_decisions"
	Searching            Activity = "searching"
	SendingMessages      Activity = "sending_messages"
)

// Words returns the activity for the sentence of the error.
func (a Activity) Words() string { return strings.ReplaceAll(string(a), "_", " ") }

type tooFast struct {
	Activity Activity `json:"activity"`
}

var errTooFast = fault.DeclareWith[tooFast]("too_fast", fault.RateLimited, "You are {activity} very fast. Please wait a moment.")

const minEvictSize = 10_000

// NewMembers returns a limit of count calls per period. The refusal names the activity.
func NewMembers(count int, per time.Duration, activity Activity) *Members {
	return &Members{
		every: per / time.Duration(count), burst: count, now: time.Now,
		refusal:  errTooFast.With(tooFast{activity}),
		byMember: map[uuid.UUID]*rate.Limiter{}, evictSize: minEvictSize,
	}
}

// NewRepetitions returns a limit of the repeated calls whose effect is published again (docs/decisions/0106). Above it they
// publish nothing, and succeed.
func NewRepetitions() *Members { return NewMembers(10, time.Minute, RepeatingDecisions) }

// SetClock makes the limit use now as its clock. It is for tests, and must be called before
// Allow.
func (l *Members) SetClock(now func() time.Time) { l.now = now }

// Allow counts a call of the member, or returns RateLimited with the time until
// the next one is allowed. A nil Members allows all calls.
func (l *Members) Allow(member uuid.UUID) error {
	if l == nil {
		return nil
	}
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	calls := l.byMember[member]
	if calls == nil {
		calls = rate.NewLimiter(rate.Every(l.every), l.burst)
		l.byMember[member] = calls
	}
	if wait, ok := Reserve(calls, now); !ok {
		return l.refusal.After(wait)
	}
	l.evict(now)
	return nil
}

// evict removes members whose burst is refilled, each time the size of the map has doubled.
// Doing so at each call would take longer than the calls.
func (l *Members) evict(now time.Time) {
	if len(l.byMember) < l.evictSize {
		return
	}
	for member, calls := range l.byMember {
		if calls.TokensAt(now) >= float64(l.burst) {
			delete(l.byMember, member)
		}
	}
	l.evictSize = max(minEvictSize, 2*len(l.byMember))
}
