package guard

import (
	"math"
	"math/bits"
)

// A text is judged passage by passage, so that one bad sentence among many good
// ones is not drowned: a passage ends with the first sentence after calm words,
// and after long words at the latest.
const (
	calm = 14
	long = 40
)

// passage is what was seen of some sentences.
type passage struct {
	words   int
	grams   int // how many features
	sums    [categories]int32
	phrase  [categories]bool
	buckets func(uint32) // for training; nil while looking
	recent  [longestRule + excuseReach]uint32
	near    [reach]uint64 // kinds of the last words
	seen    uint64        // kinds of all words
}

// reach is how far back a word's kind is taken together with those before it.
const reach = 4

// next reads the next passage of a text; false at the end.
func (p *passage) next(words *reader) bool {
	*p = passage{buckets: p.buckets}
	var w word
	for words.next(&w) {
		p.take(&w)
		if p.words >= long || w.stops && p.words >= calm {
			break
		}
	}
	p.together()
	return p.words > 0
}

// Seen is what is known of a passage without the model: which categories a
// phrase of it is of, and how many words it has.
type Seen struct {
	Phrase [categories]bool
	Words  int
}

// Features calls add with the bucket of each feature, and done after each
// passage. It is what the model is trained with.
func Features(text string, add func(bucket uint32), done func(Seen)) {
	var folded [most]byte
	words := reader{text: folded[:fold(text, &folded)]}
	for p := (passage{buckets: add}); p.next(&words); {
		done(Seen{p.phrase, p.words})
	}
}

// take notes one word: itself, with those before it, its kinds, the parts of
// it, and the phrases that end with it.
func (p *passage) take(w *word) {
	copy(p.recent[1:], p.recent[:len(p.recent)-1])
	p.recent[0] = w.hash
	p.words++
	before := p.recent[1]
	p.add(w.hash)
	p.add(before*0x01000193 ^ w.hash ^ 0x5bd1e995)
	if p.words > 2 {
		p.add((p.recent[2]*31+before)*31 + w.hash)
		p.add(p.recent[2]*0x85ebca6b ^ w.hash ^ 0x27d4eb2f)
	}
	says := known.of(w.hash)
	p.kinds(says&kindBits, before)
	if w.size > 3 {
		p.parts(w)
	}
	if says&endsPhrase != 0 {
		p.match()
	}
}

// kinds notes the kinds of a word, with the word before it and with the kinds
// of those shortly before.
func (p *passage) kinds(says uint64, before uint32) {

	around := p.near[0] | p.near[1] | p.near[2] | p.near[3]
	copy(p.near[1:], p.near[:reach-1])
	p.near[0] = says
	p.seen |= says
	for ; says != 0; says &= says - 1 {
		kind := uint32(bits.TrailingZeros64(says)+1) * 0xcc9e2d51
		p.add(kind)
		p.add(before*0x01000193 ^ kind)
		for rest := around; rest != 0; rest &= rest - 1 {
			p.add((kind+uint32(bits.TrailingZeros64(rest)+1))*0x1b873593 ^ 0x38495ab5)
		}
	}
}

// together notes which kinds a passage has, two by two, in whichever order.
func (p *passage) together() {

	for one := p.seen; one != 0; one &= one - 1 {
		kind := uint32(bits.TrailingZeros64(one)+1) * 0xe6546b64
		for second := one & (one - 1); second != 0; second &= second - 1 {
			p.add((kind+uint32(bits.TrailingZeros64(second)+1))*0x1b873593 ^ 0x7f4a7c15)
		}
	}
}

// parts are the runs of four letters of a word, with its ends marked.
func (p *passage) parts(w *word) {
	var marked [longest + 2]byte
	marked[0] = '<'
	n := 1 + copy(marked[1:], w.bytes())
	marked[n] = '>'
	n++
	for i := 0; i+4 <= n; i++ {
		p.add(hashOf(marked[i:i+4]) ^ 0x9747b28c)
	}
}

func (p *passage) add(hash uint32) {
	bucket := (hash ^ hash>>15) * 0x2c1b3c6d >> (32 - bucketBits)
	p.grams++
	if p.buckets != nil {
		p.buckets(bucket)
		return
	}
	weights := &trained.weights[bucket]
	for i := range p.sums {
		p.sums[i] += int32(weights[i])
	}
}

// match looks for phrases that end with the last word.
func (p *passage) match() {
	var sum uint64
	for n := 0; n < min(longestRule, p.words); n++ {
		sum = chain(sum, p.recent[n])
		if category, ok := phrases[sum]; ok && !p.excused(n+1) {
			p.phrase[category] = true
		}
	}
}

// excused looks at the words before a phrase of n words.
func (p *passage) excused(n int) bool {
	for i := n; i < min(n+excuseReach, p.words); i++ {
		if known.of(p.recent[i])&isExcuse != 0 {
			return true
		}
	}
	return false
}

// score is the model's for one category. Longer passages have more features;
// by the root of their number they weigh alike.
func (m *model) score(p *passage, category int) float64 {
	z := m.bias[category] + m.scale*float64(p.sums[category])/math.Sqrt(float64(p.grams))
	return 1 / (1 + math.Exp(-z))
}
