package index

import "math/bits"

// MaxAttributes is the number of words that Attributes can contain.
const MaxAttributes = 128

// Attributes are the words that a member chose. Each word that can be chosen has a number
// below MaxAttributes.
type Attributes [MaxAttributes / 64]uint64

// Add adds the word with number n.
func (a *Attributes) Add(n int) { a[n/64] |= 1 << (n % 64) }

// Has reports whether a contains the word with number n.
func (a *Attributes) Has(n int) bool { return a[n/64]>>(n%64)&1 == 1 }

// countCommon returns the number of words in both a and b.
func (a *Attributes) countCommon(b *Attributes) (count int) {
	for i := range a {
		count += bits.OnesCount64(a[i] & b[i])
	}
	return count
}

// hasAnyOf reports whether a contains at least one word of each of sets.
func (a *Attributes) hasAnyOf(sets []Attributes) bool {
	low, high := a[0], a[1]
	for i := range sets {
		if low&sets[i][0]|high&sets[i][1] == 0 {
			return false
		}
	}
	return true
}
