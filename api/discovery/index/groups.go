package index

import (
	"slices"
	"strings"
	"unsafe"

	"heartward/api/discovery/compat"
	"heartward/api/members"
)

// group has the slots of members with the same key. In a town the key is the set of tags;
// in a set of tags it is the answers.
type group struct {
	key   uint32
	slots []uint32
}

// groups are the groups of a town or a set of tags. Most towns have few; a set of tags has
// at most a few hundred.
type groups struct {
	list    []group
	members int
}

func (g *groups) findOrAdd(key uint32) *group {
	at, ok := slices.BinarySearchFunc(g.list, key, func(g group, key uint32) int { return int(g.key) - int(key) })
	if !ok {
		g.list = slices.Insert(g.list, at, group{key: key})
	}
	return &g.list[at]
}

// add counts an added (1) or removed (-1) member. It returns 1 if that was the first
// member, -1 if it was the last, and 0 otherwise.
func (g *groups) add(n int) (change int) {
	before := g.members
	g.members += n
	switch {
	case before == 0:
		return 1
	case g.members == 0:
		return -1
	}
	return 0
}

func (g *groups) bytes() int {
	total := cap(g.list) * int(unsafe.Sizeof(group{}))
	for i := range g.list {
		total += 4 * cap(g.list[i].slots)
	}
	return total
}

// townName is a town as written by a member.
type townName struct{ city, state string }

type town struct {
	compat.Town
	groups // by set of tags
}

func (t *town) group(tags uint32) *group { return t.findOrAdd(tags) }
func (t *town) bytes() int               { return int(unsafe.Sizeof(*t)) + t.groups.bytes() }

// towns are all towns that members have had. They are never removed, so that numbers of
// towns do not change; see Index.NeedsReload.
type towns struct {
	ids      map[townName]uint32
	all      []town
	nonEmpty int // number of towns with members
}

func (t *towns) id(m *Member) uint32 {
	name := townName{m.City, m.State}
	if id, ok := t.ids[name]; ok {
		return id
	}
	id := uint32(len(t.all))
	name = townName{strings.Clone(m.City), strings.Clone(m.State)}
	t.ids[name] = id
	if m.Lat != nil && m.Lon != nil {
		t.all = append(t.all, town{Town: compat.KnownTown(name.city, name.state, *m.Lat, *m.Lon)})
	} else {
		t.all = append(t.all, town{Town: compat.NewTown(name.city, name.state)})
	}
	return id
}

func (t *towns) clear() {
	t.nonEmpty = 0
	for i := range t.all {
		t.all[i].groups = groups{}
	}
}

// tagSet is a set of intentions that a member has chosen.
type tagSet struct {
	tags   []string
	groups // by answers
}

func (t *tagSet) group(answers uint16) *group { return t.findOrAdd(uint32(answers)) }
func (t *tagSet) bytes() int                  { return int(unsafe.Sizeof(*t)) + t.groups.bytes() }

type tagSets struct {
	ids      map[string]uint32
	all      []tagSet
	nonEmpty int // number of sets with members
}

// setName returns a name that is equal for the same tags in any order and case.
func setName(tags []string) string {
	folded := make([]string, len(tags))
	for i, tag := range tags {
		folded[i] = strings.ToLower(strings.Join(strings.Fields(tag), " "))
	}
	slices.Sort(folded)
	return strings.Join(folded, "\n")
}

func (t *tagSets) id(tags []string) uint32 {
	name := setName(tags)
	if id, ok := t.ids[name]; ok {
		return id
	}
	id := uint32(len(t.all))
	t.ids[name] = id
	t.all = append(t.all, tagSet{tags: slices.Clone(tags)})
	return id
}

func (t *tagSets) clear() {
	t.nonEmpty = 0
	for i := range t.all {
		t.all[i].groups = groups{}
	}
}

// The answers on which the lifestyle part depends, encoded as digits of one number. The
// first value of each means no answer.
var (
	educations = append([]string{""}, members.Educations...)
	religions  = append([]string{""}, members.Religions...)
)

// combinations is the number of encoded answers. A test compares it with the lists.
const combinations = 3 * 3 * 6 * 10

func encodeAnswers(p compat.Person) uint16 {
	yesNo := func(answer *bool) int {
		switch {
		case answer == nil:
			return 0
		case *answer:
			return 1
		}
		return 2
	}
	choice := func(list []string, answer *string) int {
		if answer == nil {
			return 0
		}
		return max(0, slices.Index(list, *answer))
	}
	n := yesNo(p.HasChildren)*3 + yesNo(p.WantsChildren)
	n = n*len(educations) + choice(educations, p.Education)
	return uint16(n*len(religions) + choice(religions, p.Religion))
}

// decodedAnswers are the answers by encoded number.
var decodedAnswers = func() (all [combinations]compat.Person) {
	yesNo := func(digit int) *bool {
		if digit == 0 {
			return nil
		}
		yes := digit == 1
		return &yes
	}
	choice := func(list []string, digit int) *string {
		if digit == 0 {
			return nil
		}
		return &list[digit]
	}
	for n := range all {
		rest := n
		all[n].Religion = choice(religions, rest%len(religions))
		rest /= len(religions)
		all[n].Education = choice(educations, rest%len(educations))
		rest /= len(educations)
		all[n].WantsChildren = yesNo(rest % 3)
		all[n].HasChildren = yesNo(rest / 3)
	}
	return all
}()

func genderBits(list ...string) (mask uint8) {
	for _, gender := range list {
		if at := slices.Index(members.Genders, gender); at >= 0 {
			mask |= 1 << at
		}
	}
	return mask
}

func (ix *Index) pack(m *Member) record {
	r := record{
		birth: int32(m.Birth), active: int32(m.ActiveHour), attributes: m.Attributes,
		town: ix.towns.id(m), tags: ix.tags.id(m.IntentionTags), complete: uint8(m.Completeness), height: uint8(m.Height),
		answers: encodeAnswers(compat.Person{HasChildren: m.HasChildren, WantsChildren: m.WantsChildren,
			Education: m.Education, Religion: m.Religion}),
		interest: genderBits(m.InterestedIn...),
	}
	if m.Gender != nil {
		r.gender = genderBits(*m.Gender)
	}
	for bit, set := range [...]bool{m.Featured, m.Verified, m.HasVoice, m.HasVideo, m.Incognito, m.HidesActivity, m.Presents} {
		if set {
			r.flags |= 1 << bit
		}
	}
	return r
}
