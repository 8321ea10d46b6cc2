// Package messagingtest is the kit of the tests of messaging: its services with a database, and
// what the tests of several rooms do with them.
package messagingtest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/messaging"
	"heartward/api/messaging/conversations"
	"heartward/api/messaging/messages"
	"heartward/api/messaging/requests"
	"heartward/api/platform/bus"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// Env has started services of messaging, without limits, and a database.
type Env struct {
	testkit.DB
	S      *messaging.Service
	Jobs   jobqueue.Inserter
	Events *bustest.Recorder
}

// New returns an Env with a database of its own.
func New(t testing.TB) *Env {
	t.Helper()
	db, events := pgtest.NewDB(t), &bustest.Recorder{}
	jobs := pgtest.Jobs(t, db.Pool)
	return &Env{DB: db, Events: events, Jobs: jobs, S: NewService(db.Pool, events, jobs, messages.Unguarded).Unlimited()}
}

// PushDevice adds a push subscription of the member.
func (w *Env) PushDevice(member web.Actor) {
	w.Helper()
	w.Exec(`INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth) VALUES ($1, $2, $3, 'k', 'a')`,
		uuid.Must(uuid.NewV7()), member.ID, "https://push.example/"+member.ID.String())
}

// Send sends a text of a member to another.
func (w *Env) Send(from, to web.Actor, content string) messages.Message {
	w.Helper()
	sent, err := w.S.Messages.Send(context.Background(), from, Input(to, content))
	require.NoError(w, err)
	return sent.Message
}

// Input returns a text to a member.
func Input(to web.Actor, content string) messages.Outgoing {
	return messages.Outgoing{RecipientID: to.ID, Content: content, ClientID: NewID()}
}

// NewID returns a new id of a client.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// UntilRefused repeats call until a limit refuses it, and returns the number of allowed
// calls and the refusal. The test fails if more calls are allowed than burst plus one for
// each elapsed refill, and for another error.
func UntilRefused(t testing.TB, burst int, refill time.Duration, call func(n int) error) (allowed int, refusal error) {
	t.Helper()
	began := time.Now()
	for ; ; allowed++ {
		if refusal = call(allowed); refusal != nil {
			testkit.RequireKind(t, refusal, fault.RateLimited)
			return allowed, refusal
		}
		require.LessOrEqual(t, allowed, burst+int(time.Since(began)/refill))
	}
}

// Sync returns the only page of a sync by a device of the actor.
func (w *Env) Sync(actor web.Actor, cursor string) conversations.Delta {
	w.Helper()
	delta, err := w.S.Conversations.Sync(context.Background(), actor, cursor, 50)
	require.NoError(w, err)
	require.False(w, delta.HasMore)
	return delta
}

// SyncUntilStable syncs until no change is returned, and returns the cursor.
func (w *Env) SyncUntilStable(actor web.Actor) string {
	w.Helper()
	cursor := ""
	for {
		delta := w.Sync(actor, cursor)
		cursor = delta.Cursor
		if len(delta.Conversations) == 0 {
			return cursor
		}
	}
}

// OnlyConversation returns the actor's only conversation in a sync without a cursor.
func (w *Env) OnlyConversation(actor web.Actor) conversations.Conversation {
	w.Helper()
	list := w.Sync(actor, "").Conversations
	require.Len(w, list, 1)
	return list[0]
}

// Request sends a request of a member to another.
func (w *Env) Request(from, to web.Actor, content string) (requests.Requested, error) {
	return w.S.Requests.Send(context.Background(), from, messages.Outgoing{
		RecipientID: to.ID, Content: content, ClientID: uuid.Must(uuid.NewV7()),
	})
}

// MustRequest is Request for a test in which it succeeds.
func (w *Env) MustRequest(from, to web.Actor, content string) requests.Requested {
	w.Helper()
	requested, err := w.Request(from, to, content)
	require.NoError(w, err)
	return requested
}

// React sets the reaction of the actor to a message.
func (w *Env) React(actor web.Actor, m messages.Message, emoji string) messages.Message {
	w.Helper()
	changed, err := w.S.Messages.React(context.Background(), actor, m.ConversationID, m.Seq, emoji)
	require.NoError(w, err)
	return changed
}

// Delete deletes the actor's message.
func (w *Env) Delete(actor web.Actor, m messages.Message) messages.Message {
	w.Helper()
	changed, err := w.S.Messages.Delete(context.Background(), actor, m.ConversationID, m.Seq)
	require.NoError(w, err)
	return changed
}

// Changes returns a page of the changes of a conversation.
func (w *Env) Changes(actor web.Actor, conversation uuid.UUID, after int64, limit int) ([]messages.Message, bool) {
	w.Helper()
	list, more, err := w.S.Messages.Changes(context.Background(), actor, conversation, after, limit)
	require.NoError(w, err)
	return list, more
}

// EventsOfType returns the events of one type to one member.
func EventsOfType(list []string, member web.Actor, kind string) (found []string) {
	for _, event := range list {
		if strings.HasPrefix(event, "member."+member.ID.String()) && strings.Contains(event, `{"type":"`+kind+`"`) {
			found = append(found, event)
		}
	}
	return found
}

// NewService returns a started service. A second one acts as another node.
func NewService(pool *pgxpool.Pool, events bus.Publisher, jobs jobqueue.Inserter, guard func(string) string) *messaging.Service {
	s := messaging.New(pool, events, matching.New(pool, events, jobs), jobs, guard)
	s.Start()
	return s
}
