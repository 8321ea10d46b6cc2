package bus

import (
	"slices"

	"github.com/google/uuid"
)

// crashedAfter is the number of comparisons without a new record of a peer after which the
// peer counts as crashed, and one event as lost: it may have crashed between a commit and the
// publication of its event.
const crashedAfter = 10

// peers is the state of the other nodes as this node sees it. Stopped nodes are
// never removed: they cost a few bytes for each restart.
type peers struct {
	listening bool // whether events of other nodes are received
	compared  bool // whether compare has run since then; a node that is found after the first comparison started after it
	byNode    map[uuid.UUID]*peer
}

type peer struct {
	next        uint64 // the number of the next event from this node
	confirmed   uint64 // the last number at the last comparison; events up to it must arrive before the next comparison
	beats       int64  // number of records that the node had written at the last comparison
	missedBeats int    // comparisons since beats changed
}

// record is a row of bus_nodes.
type record struct {
	Node      uuid.UUID
	Published int64
	Beats     int64 // grows with each record
	Closed    bool
}

// mayHaveMissed reports whether events may have been lost between the subscription and the first
// comparison: another node has published events by then.
func (p *peers) mayHaveMissed(records []record) bool {
	return p.listening && !p.compared && slices.ContainsFunc(records, func(r record) bool { return r.Published > 0 })
}

// received records an event and returns how many before it were lost.
func (p *peers) received(from uuid.UUID, number uint64) (lost uint64) {
	sender := p.byNode[from]
	if sender == nil {
		sender = &peer{next: number}
		if p.compared {
			sender.next = 1
		}
		p.add(from, sender)
	}
	if number > sender.next {
		lost = number - sender.next
	}
	sender.next = max(sender.next, number+1) // a late event is not counted twice
	return lost
}

// compare processes the records of the other nodes and returns how many events were
// lost. An event counts as lost when its number was recorded at the last call and it
// has not arrived by this one.
func (p *peers) compare(records []record) (lost uint64) {
	if !p.listening {
		return 0
	}
	for _, r := range records {
		sender := p.byNode[r.Node]
		if sender == nil {
			sender = &peer{next: 1, beats: r.Beats}
			if !p.compared { // published before the subscription
				sender.next = uint64(r.Published) + 1
			}
			p.add(r.Node, sender)
		}
		lost += sender.compare(r)
	}
	p.compared = true
	return lost
}

func (p *peer) compare(r record) (lost uint64) {
	if p.confirmed >= p.next {
		lost = p.confirmed + 1 - p.next
		p.next = p.confirmed + 1
	}
	p.confirmed = uint64(r.Published)
	switch {
	case r.Closed || r.Beats != p.beats:
		p.beats, p.missedBeats = r.Beats, 0
	default:
		if p.missedBeats++; p.missedBeats == crashedAfter {
			lost++
		}
	}
	return lost
}

func (p *peers) add(node uuid.UUID, sender *peer) {
	if p.byNode == nil {
		p.byNode = map[uuid.UUID]*peer{}
	}
	p.byNode[node] = sender
}
