package guard

// word is a word of the normalized text. One with a capital letter stands for an entity,
// such as an address or an amount, or for an emoji.
type word struct {
	text         [maxWord]byte
	size         int
	hash         uint32
	endsSentence bool // whether a sentence ends after it
}

// maxWord is the number of letters of a word that are read.
const maxWord = 24

func (w *word) bytes() []byte { return w.text[:w.size] }

func (w *word) set(text string) {
	w.size = copy(w.text[:], text)
	w.hash = hashOf(w.bytes())
}

// hashOf returns the FNV-1a hash.
func hashOf(text []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range text {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// reader divides the folded text into words.
type reader struct {
	text             []byte
	at               int // where the next chunk begins
	rest             int // where the unread words of the current chunk begin, which end at restEnd
	restEnd          int
	restEndsSentence bool
	digits           int // of the successive numbers so far, which may be parts of a phone number
	lookahead        word
	hasLookahead     bool
}

// next reads the next word. It returns false at the end. Four or more single letters
// in a row are one word that was written with spaces.
func (r *reader) next(w *word) bool {
	if r.hasLookahead {
		*w, r.hasLookahead = r.lookahead, false
		return true
	}
	if !r.readWord(w) {
		return false
	}
	if w.size != 1 || !isLetter(w.text[0]) || w.endsSentence {
		return true
	}
	at, rest, restEnd, stop := r.at, r.rest, r.restEnd, r.restEndsSentence
	joined := *w
	count := 1
	var letter word
	for r.readWord(&letter) {
		if letter.size != 1 || !isLetter(letter.text[0]) {
			r.lookahead, r.hasLookahead = letter, true
			break
		}
		if joined.size < maxWord {
			joined.text[joined.size] = letter.text[0]
			joined.size++
		}
		count++
		joined.endsSentence = letter.endsSentence
		if joined.endsSentence || r.atWideGap() {
			break
		}
	}
	if count < 4 {
		r.at, r.rest, r.restEnd, r.restEndsSentence, r.hasLookahead = at, rest, restEnd, stop, false
		return true
	}
	joined.hash = hashOf(joined.bytes())
	*w = joined
	return true
}

// atWideGap reports whether two spaces follow, which separate words whose letters are
// separated by one space.
func (r *reader) atWideGap() bool {
	return r.rest == r.restEnd && r.at+1 < len(r.text) && r.text[r.at] == ' ' && r.text[r.at+1] == ' '
}

// readWord reads the next word without joining single letters.
func (r *reader) readWord(w *word) bool {
	for {
		if r.rest < r.restEnd {
			if r.readRest(w) {
				return true
			}
			continue
		}
		for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == lineBreak) {
			r.at++
		}
		if r.at >= len(r.text) {
			return false
		}
		from := r.at
		for r.at < len(r.text) && r.text[r.at] != ' ' && r.text[r.at] != lineBreak && r.at-from < 256 {
			r.at++
		}
		if r.readChunk(w, from, r.at < len(r.text) && r.text[r.at] == lineBreak) {
			return true
		}
	}
}

// readChunk reads the text between two spaces. It sets w to an entity or a question mark and
// returns true, or returns false. It leaves the words of an address, and those of a chunk
// that is no entity, to readRest.
func (r *reader) readChunk(w *word, from int, lineEnds bool) bool {
	chunk := r.text[from:r.at]
	end := len(chunk)
	endsSentence := lineEnds
	for end > 0 && !isWordByte(chunk[end-1]) {
		if c := chunk[end-1]; c == '.' || c == '!' || c == '?' {
			endsSentence = true
		}
		end--
	}
	start := 0
	for start < end && !isWordByte(chunk[start]) && chunk[start] != '@' && chunk[start] != '$' && chunk[start] != '+' {
		start++
	}
	body := chunk[start:end]
	w.endsSentence = endsSentence
	if len(body) == 0 {
		if hasQuestionMark(chunk) {
			w.set("?")
			return true
		}
		return false
	}
	if kind := r.classifyEntity(body); kind != "" {
		if kind == urlWord {
			r.rest, r.restEnd, r.restEndsSentence = from+start, from+end, endsSentence
			w.endsSentence = false
		}
		w.set(kind)
		return true
	}
	r.rest, r.restEnd, r.restEndsSentence = from+start, from+end, endsSentence
	return false
}

func hasQuestionMark(chunk []byte) bool {
	for _, c := range chunk {
		if c == '?' {
			return true
		}
	}
	return false
}

// readRest reads the next word of a chunk: letters, and the digits and signs that stand for
// letters.
func (r *reader) readRest(w *word) bool {
	rest := r.text[r.rest:r.restEnd]
	from := 0
	for from < len(rest) && !isWordByte(rest[from]) && rest[from] != '$' && rest[from] != '@' {
		from++
	}
	to := from
	for to < len(rest) && continuesWord(rest, to) && to-from < 64 {
		to++
	}
	if to == from {
		to = min(to+1, len(rest))
	}
	raw := rest[from:to]
	r.rest += to
	w.endsSentence = r.rest == r.restEnd && r.restEndsSentence
	if len(raw) == 0 || !isWordByte(raw[0]) && len(raw) == 1 {
		return false
	}
	if len(raw) == 1 && raw[0] < ' ' {
		w.set([...]string{laugh: "Laugh", heart: "Heart", eggplant: "Eggplant", finger: "Finger"}[raw[0]])
		return true
	}
	w.normalize(raw)
	return w.size > 0
}

// continuesWord reports whether the character at i is part of the word before it.
func continuesWord(rest []byte, i int) bool {
	c := rest[i]
	if c < ' ' { // an emoji is a word of its own
		return i == 0
	}
	if i > 0 && rest[i-1] < ' ' {
		return false
	}
	if isWordByte(c) {
		return true
	}
	between := i+1 < len(rest) && (isLetter(rest[i+1]) || isSign(rest[i+1])) && (i == 0 || isLetter(rest[i-1]) || isSign(rest[i-1]))
	switch c {
	case '$':
		return i > 0 || between
	case '@', '!', '*':
		return between
	}
	return false
}

func isSign(c byte) bool { return c == '*' || c == '$' || c == '!' || c == '@' }

// normalize sets w to a raw word: signs and digits become the letters that they stand
// for, repeated letters are shortened, and apostrophes are removed.
func (w *word) normalize(raw []byte) {
	letters := 0
	for _, c := range raw {
		if isLetter(c) {
			letters++
		}
	}
	w.size = 0
	if letters == 0 {
		w.set("Number")
		return
	}
	run := 0
	for i, c := range raw {
		if c == '\'' {
			continue
		}
		if letters > 1 || len(raw) > 2 {
			c = letterFor(c)
		}
		if i > 0 && w.size > 0 && c == w.text[w.size-1] {
			run++
		} else {
			if run >= 2 {
				w.size -= min(run, w.size-1) // "soooo" is "so"
			}
			run = 0
		}
		if w.size < maxWord {
			w.text[w.size] = c
			w.size++
		}
	}
	if run >= 2 {
		w.size -= min(run, w.size-1)
	}
	w.expandShorthand()
}

// letterFor returns the letter that a sign or digit stands for, or c itself.
func letterFor(c byte) byte {
	switch c {
	case '0':
		return 'o'
	case '1', '!':
		return 'i'
	case '3':
		return 'e'
	case '4', '@':
		return 'a'
	case '5', '$':
		return 's'
	case '7':
		return 't'
	}
	return c
}

// expandShorthand replaces common abbreviations and spellings.
func (w *word) expandShorthand() {
	switch string(w.bytes()) {
	case "u", "ya", "yu":
		w.set("you")
	case "ur", "youre":
		w.set("your")
	case "r":
		w.set("are")
	case "pls", "plz", "plss", "plzz":
		w.set("please")
	case "pix", "pics", "pictures", "photos":
		w.set("pics")
	case "picture", "photo":
		w.set("pic")
	case "nudez", "noods", "newds", "noodz":
		w.set("nudes")
	case "insta", "ig":
		w.set("instagram")
	case "watsapp", "whatsap", "wsp", "wapp", "watsap":
		w.set("whatsapp")
	case "tele", "telegramm":
		w.set("telegram")
	case "snap", "snapchat":
		w.set("snapchat")
	case "phuck", "fuk", "fck", "fuc", "f*ck", "f**k":
		w.set("fuck")
	case "b*tch", "biatch", "bitc", "b**ch":
		w.set("bitch")
	case "wh*re", "hoe":
		w.set("whore")
	default:
		w.hash = hashOf(w.bytes())
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

func isWordByte(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '\'' || c > 0 && c < ' ' && c != lineBreak
}
