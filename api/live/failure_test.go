package live_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"heartward/api/messaging/messages"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// pairCount is the number of pairs with one member on each node. Each member sends
// messagesEach messages.
const pairCount, messagesEach = 10, 40

// A node with very many sockets is cut off while members write. All clients reconnect to
// the other node, repeat unacknowledged messages and fetch missed ones by seq. In the end
// each member has each message exactly once, in order.
func TestNodeFailure_LosesNoMessage(t *testing.T) {
	sockets := min(manySockets, raiseFileLimit(t)/3)
	w := newEnv(t)
	nats := startCluster(t)
	one, two := w.nodeOn(nats.one, nil), w.nodeOn(nats.two, nil)
	people := w.people(sockets + pairCount)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	all, dialling := errgroup.Group{}, make(chan struct{}, 64)
	for i, p := range people[sockets:] {
		p.peer, people[i].peer = people[i], p
	}
	for i, p := range people {
		nodes := []*node{one, two}
		if i >= sockets {
			nodes = []*node{two, two}
		}
		all.Go(func() error { return p.stayConnected(ctx, nodes, dialling) })
	}
	require.Eventually(t, func() bool { return one.hub.Sockets() == sockets && two.hub.Sockets() == pairCount }, testkit.Timeout, 10*time.Millisecond)
	sending, halfSent := errgroup.Group{}, sync.WaitGroup{}
	for _, p := range slices.Concat(people[:pairCount], people[sockets:]) {
		halfSent.Add(1)
		sending.Go(func() error { return p.write(halfSent.Done) })
	}
	halfSent.Wait()
	failedAt := time.Now()
	one.die()
	require.NoError(t, sending.Wait())
	require.Eventually(t, func() bool { return two.hub.Sockets() == sockets+pairCount }, testkit.Timeout, 10*time.Millisecond)
	for _, p := range slices.Concat(people[:pairCount], people[sockets:]) {
		p.check()
	}
	for _, p := range people[:sockets] {
		p.mu.Lock()
		require.True(t, p.since.After(failedAt), "reconnected to the other node")
		p.mu.Unlock()
	}
	stop()
	require.NoError(t, all.Wait())
}

// raiseFileLimit raises the limit of open files to its maximum.
func raiseFileLimit(t *testing.T) int {
	t.Helper()
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	limit.Cur = limit.Max
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
	return int(min(limit.Cur, 1<<20))
}

// people creates members. The last ones have conversations with the first ones.
func (w *env) people(n int) []*person {
	w.Helper()
	list, ids, repeated := make([]*person, n), make([]uuid.UUID, n), &sync.Map{}
	for i := range list {
		actor := web.Actor{ID: uuid.Must(uuid.NewV7()), SessionID: uuid.Must(uuid.NewV7())}
		ids[i], w.sessions[actor.SessionID.String()] = actor.ID, actor
		list[i] = &person{env: w, actor: actor, repeated: repeated, contents: map[int64]string{}, acked: map[uuid.UUID]bool{}}
		list[i].changed = sync.NewCond(&list[i].mu)
	}
	w.Exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		SELECT id, id || '@test.example', 'Ada', 'Ada', '1990-01-01', left(md5(id::text), 20) FROM unnest($1::uuid[]) id`, ids)
	w.Exec(`INSERT INTO conversations (id, user_a, user_b)
		SELECT gen_random_uuid(), a, b FROM unnest($1::uuid[], $2::uuid[]) p (a, b)`, ids[:pairCount], ids[n-pairCount:])
	return list
}

// person is a member whose app reconnects when cut off, repeats unacknowledged
// messages, and applies received ones by seq.
type person struct {
	*env
	actor    web.Actor
	peer     *person   // nil for a member who only receives
	repeated *sync.Map // the client ids of the messages that somebody has sent twice

	mu         sync.Mutex
	changed    *sync.Cond       // signaled after each frame
	conn       *websocket.Conn  // nil while there is none
	since      time.Time        // time of the last identified frame
	contents   map[int64]string // received messages by seq
	acked      map[uuid.UUID]bool
	unexpected []string // frames that must not arrive
}

// stayConnected connects to the first node, and to the second one each time the connection is cut, until ctx ends.
func (p *person) stayConnected(ctx context.Context, nodes []*node, dialling chan struct{}) error {
	for try := 0; ctx.Err() == nil; try++ {
		dialling <- struct{}{}
		n := nodes[min(try, 1)]
		conn, _, err := n.handshake(n.header(p.actor))
		<-dialling
		if err != nil {
			return err
		}
		stopWatching := context.AfterFunc(ctx, func() { conn.Close() })
		p.listen(ctx, conn)
		stopWatching()
		conn.Close()
	}
	return nil
}

// listen applies received messages until the connection is cut.
func (p *person) listen(ctx context.Context, conn *websocket.Conn) {
	live := map[int64]bool{}
	for {
		_, data, err := conn.ReadMessage()
		p.mu.Lock()
		var f struct {
			Type               string
			ClientID, SenderID uuid.UUID
			Seq                int64
			Content            string
		}
		switch {
		case err != nil:
			p.conn = nil
			p.mu.Unlock()
			return
		case json.Unmarshal(data, &f) != nil || f.Type == "error":
			p.unexpected = append(p.unexpected, string(data))
		case f.Type == "identified":
			p.since = time.Now()
			if p.peer != nil {
				p.catchUp(ctx)
				p.conn = conn
			}
		case f.Type == "ack":
			p.acked[f.ClientID] = true
		case f.Type == "new_message":
			if _, isRepeated := p.repeated.Load(f.ClientID); live[f.Seq] && !isRepeated {
				p.unexpected = append(p.unexpected, "duplicate: "+string(data))
			}
			live[f.Seq] = true
			p.apply(f.Seq, f.SenderID, f.Content)
		}
		p.changed.Broadcast()
		p.mu.Unlock()
	}
}

func (p *person) apply(seq int64, sender uuid.UUID, content string) {
	if p.peer == nil || sender != p.peer.actor.ID {
		return
	}
	if known, ok := p.contents[seq]; ok && known != content {
		p.unexpected = append(p.unexpected, fmt.Sprintf("%d was %s and is %s", seq, known, content))
	}
	p.contents[seq] = content
}

// catchUp fetches all messages.
func (p *person) catchUp(ctx context.Context) {
	for after := int64(0); ; {
		list, err := p.chat.Messages.List(ctx, p.actor, p.peer.actor.ID, messages.Page{After: &after, Limit: 50})
		if err != nil {
			p.unexpected = append(p.unexpected, err.Error())
		}
		for _, m := range list {
			p.apply(m.Seq, m.SenderID, m.Content)
			after = m.Seq
		}
		if len(list) < 50 {
			return
		}
	}
}

// write sends the numbers from 1 to messagesEach, repeating each until it is acknowledged. It
// calls atHalf after half of them.
func (p *person) write(atHalf func()) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for n := 1; n <= messagesEach; n++ {
		id := uuid.Must(uuid.NewV7())
		var last *websocket.Conn // the connection over which the message was last sent
		for !p.acked[id] && len(p.unexpected) == 0 {
			if p.conn != nil && p.conn != last {
				if last != nil {
					p.repeated.Store(id, true) // a repeated message is published again
				}
				last = p.conn
				_ = last.WriteMessage(websocket.TextMessage, fmt.Appendf(nil,
					`{"type":"send_message","recipientId":%q,"content":"%d","clientId":%q}`, p.peer.actor.ID, n, id))
			} else {
				p.changed.Wait()
			}
		}
		if n == messagesEach/2 {
			atHalf()
		}
	}
	if len(p.unexpected) > 0 {
		return fmt.Errorf("%v", p.unexpected)
	}
	return nil
}

// check waits until all messages arrived and compares them with those sent.
func (p *person) check() {
	p.Helper()
	var seqs []int64
	require.Eventually(p, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		seqs = seqs[:0]
		for seq := range p.contents {
			seqs = append(seqs, seq)
		}
		return len(seqs) >= messagesEach
	}, waitTimeout, time.Millisecond)
	slices.Sort(seqs)
	p.mu.Lock()
	defer p.mu.Unlock()
	require.Empty(p, p.unexpected)
	require.Len(p, seqs, messagesEach)
	for i, seq := range seqs {
		require.Equal(p, strconv.Itoa(i+1), p.contents[seq], "each message arrives once and in order")
	}
	var last, count int64
	require.NoError(p, p.Pool.QueryRow(context.Background(), `SELECT last_seq, (SELECT count(*) FROM messages WHERE conversation_id = c.id)
		FROM conversations c WHERE $1 IN (user_a, user_b)`, p.actor.ID).Scan(&last, &count))
	require.EqualValues(p, 2*messagesEach, last)
	require.EqualValues(p, 2*messagesEach, count)
}
