package guard

// A word of the normalised text. Those that begin with a capital are kinds of
// things: an address, a number to call, an amount.
type word struct {
	text  [longest]byte
	size  int
	hash  uint32
	stops bool // a sentence ends after it
}

// longest is how much of a word counts.
const longest = 24

func (w *word) bytes() []byte { return w.text[:w.size] }

func (w *word) set(text string) {
	w.size = copy(w.text[:], text)
	w.hash = hashOf(w.bytes())
}

// hashOf is FNV-1a.
func hashOf(text []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range text {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// reader cuts the folded text into words.
type reader struct {
	text     []byte
	at       int
	part     int // from here to partEnd is what is left of a run of signs that holds several words
	partEnd  int
	partStop bool
	digits   int // of the numbers that came one after another
	held     word
	holds    bool
}

// next reads the next word; false at the end. Letters that stand alone, four or
// more in a row, are one word that somebody has pulled apart.
func (r *reader) next(w *word) bool {
	if r.holds {
		*w, r.holds = r.held, false
		return true
	}
	if !r.single(w) {
		return false
	}
	if w.size != 1 || !isLetter(w.text[0]) || w.stops {
		return true
	}
	at, part, partEnd, stop := r.at, r.part, r.partEnd, r.partStop
	joined := *w
	count := 1
	var letter word
	for r.single(&letter) {
		if letter.size != 1 || !isLetter(letter.text[0]) {
			r.held, r.holds = letter, true
			break
		}
		if joined.size < longest {
			joined.text[joined.size] = letter.text[0]
			joined.size++
		}
		count++
		if joined.stops = letter.stops; letter.stops || r.gap() {
			break
		}
	}
	if count < 4 {
		r.at, r.part, r.partEnd, r.partStop, r.holds = at, part, partEnd, stop, false
		return true
	}
	joined.hash = hashOf(joined.bytes())
	*w = joined
	return true
}

// gap reports a wide space, by which pulled-apart words are kept apart.
func (r *reader) gap() bool {
	return r.part == r.partEnd && r.at+1 < len(r.text) && r.text[r.at] == ' ' && r.text[r.at+1] == ' '
}

// single reads the next word as it stands.
func (r *reader) single(w *word) bool {
	for {
		if r.part < r.partEnd {
			if r.fromPart(w) {
				return true
			}
			continue
		}
		for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == breakAt) {
			r.at++
		}
		if r.at >= len(r.text) {
			return false
		}
		from := r.at
		for r.at < len(r.text) && r.text[r.at] != ' ' && r.text[r.at] != breakAt && r.at-from < 256 {
			r.at++
		}
		if r.chunk(w, from, r.at < len(r.text) && r.text[r.at] == breakAt) {
			return true
		}
	}
}

// chunk reads what stands between two spaces: a thing of its own, or words.
func (r *reader) chunk(w *word, from int, lineEnds bool) bool {
	chunk := r.text[from:r.at]
	end := len(chunk)
	stops := lineEnds
	for end > 0 && !isWordish(chunk[end-1]) {
		if c := chunk[end-1]; c == '.' || c == '!' || c == '?' {
			stops = true
		}
		end--
	}
	start := 0
	for start < end && !isWordish(chunk[start]) && chunk[start] != '@' && chunk[start] != '$' && chunk[start] != '+' {
		start++
	}
	body := chunk[start:end]
	w.stops = stops
	if len(body) == 0 {
		if question(chunk) {
			w.set("?")
			return true
		}
		return false
	}
	if kind := r.thing(body); kind != "" {
		if kind == urlWord {
			r.part, r.partEnd, r.partStop = from+start, from+end, stops
			w.stops = false
		}
		w.set(kind)
		return true
	}
	r.part, r.partEnd, r.partStop = from+start, from+end, stops
	return false
}

func question(chunk []byte) bool {
	for _, c := range chunk {
		if c == '?' {
			return true
		}
	}
	return false
}

// fromPart reads one word of a run of signs: letters, with figures and signs
// that stand for letters among them.
func (r *reader) fromPart(w *word) bool {
	part := r.text[r.part:r.partEnd]
	from := 0
	for from < len(part) && !isWordish(part[from]) && part[from] != '$' && part[from] != '@' {
		from++
	}
	to := from
	for to < len(part) && belongs(part, to) && to-from < 64 {
		to++
	}
	if to == from {
		to = min(to+1, len(part))
	}
	raw := part[from:to]
	r.part += to
	w.stops = r.part == r.partEnd && r.partStop
	if len(raw) == 0 || !isWordish(raw[0]) && len(raw) == 1 {
		return false
	}
	if len(raw) == 1 && raw[0] < ' ' {
		w.set([...]string{laugh: "Laugh", heart: "Heart", eggplant: "Eggplant", finger: "Finger"}[raw[0]])
		return true
	}
	w.write(raw)
	return w.size > 0
}

// belongs reports that the sign at i goes on with a word.
func belongs(part []byte, i int) bool {
	c := part[i]
	if c < ' ' { // a picture is a word of its own
		return i == 0
	}
	if i > 0 && part[i-1] < ' ' {
		return false
	}
	if isWordish(c) {
		return true
	}
	between := i+1 < len(part) && (isLetter(part[i+1]) || isSign(part[i+1])) && (i == 0 || isLetter(part[i-1]) || isSign(part[i-1]))
	switch c {
	case '$':
		return i > 0 || between
	case '@', '!', '*':
		return between
	}
	return false
}

func isSign(c byte) bool { return c == '*' || c == '$' || c == '!' || c == '@' }

// write puts a raw word in order: signs and figures among letters are read as
// the letters they stand for, drawn-out letters are shortened, apostrophes go.
func (w *word) write(raw []byte) {
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
			c = meant(c)
		}
		if i > 0 && w.size > 0 && c == w.text[w.size-1] {
			run++
		} else {
			if run >= 2 {
				w.size -= min(run, w.size-1) // "soooo" is "so"
			}
			run = 0
		}
		if w.size < longest {
			w.text[w.size] = c
			w.size++
		}
	}
	if run >= 2 {
		w.size -= min(run, w.size-1)
	}
	w.shorthand()
}

// meant is the letter that a sign or figure stands for.
func meant(c byte) byte {
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

// shorthand spells out what is often shortened.
func (w *word) shorthand() {
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

func isWordish(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '\'' || c > 0 && c < ' ' && c != breakAt
}
