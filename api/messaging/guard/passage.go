package guard

import (
	"math"
	"math/bits"
)

// A text is classified by passages, so that one bad sentence among many good ones is
// found. A passage ends with the first sentence that ends after minPassageWords, and
// after maxPassageWords at the latest.
const (
	minPassageWords = 14
	maxPassageWords = 40
)

// passage holds the sums of the features of some sentences.
type passage struct {
	words       int
	features    int // number of features
	sums        [categories]int32
	phrase      [categories]bool
	buckets     func(uint32) // receives the features in training, else nil
	recent      [maxPhraseWords + maxCueDistance]uint32
	recentKinds [kindWindow]uint64 // kinds of the last words
	allKinds    uint64             // kinds of all words
}

// kindWindow is the number of earlier words whose kinds are paired with those of a word.
const kindWindow = 4

// next reads the next passage. It returns false at the end of the text.
func (p *passage) next(words *reader) bool {
	*p = passage{buckets: p.buckets}
	var w word
	for words.next(&w) {
		p.addWord(&w)
		if p.words >= maxPassageWords || w.endsSentence && p.words >= minPassageWords {
			break
		}
	}
	p.addKindPairs()
	return p.words > 0
}

// PassageInfo is what is known about a passage without the model: the categories of
// its phrases and the number of its words.
type PassageInfo struct {
	Phrase [categories]bool
	Words  int
}

// Features calls add with the bucket of each feature, and done after each passage.
// The model is trained with it.
func Features(text string, add func(bucket uint32), done func(PassageInfo)) {
	var folded [maxText]byte
	words := reader{text: folded[:fold(text, &folded)]}
	for p := (passage{buckets: add}); p.next(&words); {
		done(PassageInfo{p.phrase, p.words})
	}
}

// The constants in the hashes of features are arbitrary odd numbers. They give each kind of feature hashes of its own. The model
// was trained with them, so a change needs a new model.

// addWord adds the features of a word: itself, itself with the words before it, its
// kinds and its four-grams. It then matches the phrases that end with it.
func (p *passage) addWord(w *word) {
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
	properties := knownWords.lookup(w.hash)
	p.addKinds(properties&kindBits, before)
	if w.size > 3 {
		p.addFourGrams(w)
	}
	if properties&endsPhrase != 0 {
		p.matchPhrases()
	}
}

// addKinds adds the kinds of a word, alone, with the word before it, and with the
// kinds of the words in the window.
func (p *passage) addKinds(properties uint64, before uint32) {
	around := p.recentKinds[0] | p.recentKinds[1] | p.recentKinds[2] | p.recentKinds[3]
	copy(p.recentKinds[1:], p.recentKinds[:kindWindow-1])
	p.recentKinds[0] = properties
	p.allKinds |= properties
	for ; properties != 0; properties &= properties - 1 {
		kind := uint32(bits.TrailingZeros64(properties)+1) * 0xcc9e2d51
		p.add(kind)
		p.add(before*0x01000193 ^ kind)
		for rest := around; rest != 0; rest &= rest - 1 {
			p.add((kind+uint32(bits.TrailingZeros64(rest)+1))*0x1b873593 ^ 0x38495ab5)
		}
	}
}

// addKindPairs adds each pair of kinds of the passage, in any order.
func (p *passage) addKindPairs() {
	for one := p.allKinds; one != 0; one &= one - 1 {
		kind := uint32(bits.TrailingZeros64(one)+1) * 0xe6546b64
		for second := one & (one - 1); second != 0; second &= second - 1 {
			p.add((kind+uint32(bits.TrailingZeros64(second)+1))*0x1b873593 ^ 0x7f4a7c15)
		}
	}
}

// addFourGrams adds each run of four letters of a word, with its ends marked.
func (p *passage) addFourGrams(w *word) {
	var marked [maxWord + 2]byte
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
	p.features++
	if p.buckets != nil {
		p.buckets(bucket)
		return
	}
	weights := &trained.weights[bucket]
	for i := range p.sums {
		p.sums[i] += int32(weights[i])
	}
}

// matchPhrases finds the phrases that end with the last word.
func (p *passage) matchPhrases() {
	var sum uint64
	for n := range min(maxPhraseWords, p.words) {
		sum = prependHash(sum, p.recent[n])
		if category, ok := phrases[sum]; ok && !p.hasCue(n+1) {
			p.phrase[category] = true
		}
	}
}

// hasCue reports whether there is a cue before a phrase of n words.
func (p *passage) hasCue(n int) bool {
	for i := n; i < min(n+maxCueDistance, p.words); i++ {
		if knownWords.lookup(p.recent[i])&isCue != 0 {
			return true
		}
	}
	return false
}

// score returns the probability of a category. Dividing by the root of the number of
// features makes long and short passages comparable.
func (m *model) score(p *passage, category int) float64 {
	z := m.bias[category] + m.scale*float64(p.sums[category])/math.Sqrt(float64(p.features))
	return 1 / (1 + math.Exp(-z))
}
