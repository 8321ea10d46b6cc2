package index

import (
	"encoding/binary"

	"github.com/google/uuid"
)

// idTable finds the slot of a member by id. It is a hash table with open addressing whose
// entries are slots plus one. It takes 5 to 11 bytes a member; a Go map with the ids takes
// forty.
type idTable struct {
	table []uint32
	used  int
}

// mix returns a hash of an id: its halves, mixed by the finalizer of splitmix64.
func mix(id uuid.UUID) uint64 {
	x := binary.LittleEndian.Uint64(id[:8]) ^ binary.LittleEndian.Uint64(id[8:])*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (t *idTable) find(identities []identity, id uuid.UUID) (uint32, bool) {
	if len(t.table) == 0 {
		return 0, false
	}
	for at := t.home(id); t.table[at] != 0; at = t.next(at) {
		if slot := t.table[at] - 1; identities[slot].id == id {
			return slot, true
		}
	}
	return 0, false
}

// insert adds the member in slot, who must not be in the table.
func (t *idTable) insert(identities []identity, slot uint32) {
	if t.used*4 >= len(t.table)*3 {
		t.grow(identities, t.used+1)
	}
	t.put(identities, slot)
	t.used++
}

func (t *idTable) put(identities []identity, slot uint32) {
	at := t.home(identities[slot].id)
	for t.table[at] != 0 {
		at = t.next(at)
	}
	t.table[at] = slot + 1
}

// remove deletes an entry and moves later entries that are not at their home position into
// the gap, so that no lookup stops at it. Its identity must still be in the slot.
func (t *idTable) remove(identities []identity, id uuid.UUID) {
	at := t.home(id)
	for t.table[at] == 0 || identities[t.table[at]-1].id != id {
		at = t.next(at)
	}
	t.table[at] = 0
	t.used--
	for at = t.next(at); t.table[at] != 0; at = t.next(at) {
		moved := t.table[at]
		t.table[at] = 0
		t.put(identities, moved-1)
	}
}

// grow increases the capacity to the given number of members.
func (t *idTable) grow(identities []identity, members int) {
	size := 64
	for size*3 <= members*4 {
		size *= 2
	}
	old := t.table
	t.table = make([]uint32, size)
	for _, entry := range old {
		if entry != 0 {
			t.put(identities, entry-1)
		}
	}
}

func (t *idTable) home(id uuid.UUID) uint64 { return mix(id) & uint64(len(t.table)-1) }
func (t *idTable) next(at uint64) uint64    { return (at + 1) & uint64(len(t.table)-1) }
