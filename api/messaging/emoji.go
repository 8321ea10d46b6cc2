package messaging

import "unicode"

// maxEmoji is what the column allows, in characters; the longest families have ten.
const maxEmoji = 16

const (
	zeroWidthJoiner = 0x200D
	emojiForm       = 0xFE0F // VARIATION SELECTOR-16
	keycap          = 0x20E3
	blackFlag       = 0x1F3F4
	tagEnd          = 0xE007F
)

// isEmoji reports whether text is exactly one emoji, as UTS #51 builds them:
// pictures, each with its skin tone, joined to one; a flag; or a keycap. What
// it knows are blocks of pictures, so tomorrow's emoji pass today.
func isEmoji(text string) bool {
	runes := []rune(text)
	if len(runes) == 0 || len(runes) > maxEmoji {
		return false
	}
	if len(runes) == 2 && regional(runes[0]) && regional(runes[1]) {
		return true
	}
	if isKeycap(runes) {
		return true
	}
	for {
		rest, ok := afterPicture(runes)
		if !ok {
			return false
		}
		if len(rest) == 0 {
			return true
		}
		if rest[0] != zeroWidthJoiner {
			return false
		}
		runes = rest[1:]
	}
}

func isKeycap(runes []rune) bool {
	digit := runes[0] >= '0' && runes[0] <= '9' || runes[0] == '#' || runes[0] == '*'
	return digit && len(runes) == 3 && runes[1] == emojiForm && runes[2] == keycap
}

// afterPicture takes one picture with what belongs to it from the front.
func afterPicture(runes []rune) (rest []rune, ok bool) {
	if len(runes) == 0 || !unicode.Is(pictures, runes[0]) {
		return nil, false
	}
	flagOfLand := runes[0] == blackFlag
	runes = runes[1:]
	if len(runes) > 0 && (runes[0] == emojiForm || skinTone(runes[0])) {
		runes = runes[1:]
	}
	if flagOfLand && len(runes) > 0 && tag(runes[0]) {
		for len(runes) > 0 && tag(runes[0]) && runes[0] != tagEnd {
			runes = runes[1:]
		}
		if len(runes) == 0 || runes[0] != tagEnd {
			return nil, false
		}
		runes = runes[1:]
	}
	return runes, true
}

func regional(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }
func skinTone(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }
func tag(r rune) bool      { return r >= 0xE0020 && r <= tagEnd }

// pictures are the characters that may be an emoji by themselves: those with
// the property Emoji below U+10000 (digits aside), and the blocks of pictures.
var pictures = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00A9, 0x00A9, 1},
		{0x00AE, 0x00AE, 1},
		{0x203C, 0x203C, 1},
		{0x2049, 0x2049, 1},
		{0x2122, 0x2122, 1},
		{0x2139, 0x2139, 1},
		{0x2194, 0x2199, 1},
		{0x21A9, 0x21AA, 1},
		{0x231A, 0x231B, 1},
		{0x2328, 0x2328, 1},
		{0x23CF, 0x23CF, 1},
		{0x23E9, 0x23F3, 1},
		{0x23F8, 0x23FA, 1},
		{0x24C2, 0x24C2, 1},
		{0x25AA, 0x25AB, 1},
		{0x25B6, 0x25B6, 1},
		{0x25C0, 0x25C0, 1},
		{0x25FB, 0x25FE, 1},
		{0x2600, 0x27BF, 1},
		{0x2934, 0x2935, 1},
		{0x2B05, 0x2B07, 1},
		{0x2B1B, 0x2B1C, 1},
		{0x2B50, 0x2B50, 1},
		{0x2B55, 0x2B55, 1},
		{0x3030, 0x3030, 1},
		{0x303D, 0x303D, 1},
		{0x3297, 0x3297, 1},
		{0x3299, 0x3299, 1},
	},
	R32: []unicode.Range32{
		{0x1F004, 0x1F004, 1},
		{0x1F0CF, 0x1F0CF, 1},
		{0x1F170, 0x1F171, 1},
		{0x1F17E, 0x1F17F, 1},
		{0x1F18E, 0x1F18E, 1},
		{0x1F191, 0x1F19A, 1},
		{0x1F201, 0x1F202, 1},
		{0x1F21A, 0x1F21A, 1},
		{0x1F22F, 0x1F22F, 1},
		{0x1F232, 0x1F23A, 1},
		{0x1F250, 0x1F251, 1},
		{0x1F300, 0x1F3FA, 1},
		{0x1F400, 0x1F64F, 1},
		{0x1F680, 0x1F6FF, 1},
		{0x1F7E0, 0x1F7F0, 1},
		{0x1F900, 0x1F9FF, 1},
		{0x1FA70, 0x1FAFF, 1},
	},
	LatinOffset: 2,
}
