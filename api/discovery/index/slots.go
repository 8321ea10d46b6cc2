package index

import (
	"encoding/binary"

	"github.com/google/uuid"
)

// slots finds the place of a member by id: a table with open addressing, in
// which an entry is a place plus one. Four to eight bytes a member, where a Go
// map that repeats the ids takes forty.
type slots struct {
	table []uint32
	used  int
}

// mix is a hash of an id: the id's halves through the finisher of splitmix64.
func mix(id uuid.UUID) uint64 {
	x := binary.LittleEndian.Uint64(id[:8]) ^ binary.LittleEndian.Uint64(id[8:])*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (s *slots) find(records []record, id uuid.UUID) (uint32, bool) {
	if len(s.table) == 0 {
		return 0, false
	}
	for at := s.home(id); s.table[at] != 0; at = s.next(at) {
		if slot := s.table[at] - 1; records[slot].id == id {
			return slot, true
		}
	}
	return 0, false
}

// insert adds the member in slot, who must not be there yet.
func (s *slots) insert(records []record, slot uint32) {
	if s.used*4 >= len(s.table)*3 {
		s.grow(records, max(64, 2*s.used))
	}
	s.place(records, slot)
	s.used++
}

func (s *slots) place(records []record, slot uint32) {
	at := s.home(records[slot].id)
	for s.table[at] != 0 {
		at = s.next(at)
	}
	s.table[at] = slot + 1
}

// remove closes the gap by moving up those behind it that are not at home, so
// that no search ends at it too early. The record must still hold its id.
func (s *slots) remove(records []record, id uuid.UUID) {
	at := s.home(id)
	for s.table[at] == 0 || records[s.table[at]-1].id != id {
		at = s.next(at)
	}
	s.table[at] = 0
	s.used--
	for at = s.next(at); s.table[at] != 0; at = s.next(at) {
		moved := s.table[at]
		s.table[at] = 0
		s.place(records, moved-1)
	}
}

// grow makes room for that many members.
func (s *slots) grow(records []record, members int) {
	size := 64
	for size*3 <= members*4 {
		size *= 2
	}
	old := s.table
	s.table = make([]uint32, size)
	for _, entry := range old {
		if entry != 0 {
			s.place(records, entry-1)
		}
	}
}

func (s *slots) home(id uuid.UUID) uint64 { return mix(id) & uint64(len(s.table)-1) }
func (s *slots) next(at uint64) uint64    { return (at + 1) & uint64(len(s.table)-1) }
