package messages

import (
	"regexp"
	"unicode/utf8"
)

// maxEmoji is the limit of the column, in characters. The longest emoji of Unicode has ten.
const maxEmoji = 16

// isEmoji reports whether text is exactly one emoji as defined by UTS #51: a country flag,
// a keycap, or a sequence of joined pictures.
func isEmoji(text string) bool {
	return utf8.RuneCountInString(text) <= maxEmoji && emojiPattern.MatchString(text)
}

const (
	// A picture is a character below U+10000 with the property Emoji, except # and * and the
	// digits, or any character of the blocks of pictures, which includes emoji of future
	// versions.
	emojiPicture = `[©®‼⁉™ℹ↔-↙↩↪⌚⌛⌨⏏⏩-⏳⏸-⏺Ⓜ▪▫▶◀◻-◾☀-➿⤴⤵⬅-⬇⬛⬜⭐⭕〰〽㊗㊙` +
		`🀄🃏🅰🅱🅾🅿🆎🆑-🆚🈁🈂🈚🈯🈲-🈺🉐🉑🌀-🏺🐀-🙏🚀-🛿🟠-🟰🤀-🧿🩰-🫿]`
	// The emoji form, or a skin tone, after which some keyboards repeat the emoji form.
	emojiModifier = `(?:\x{FE0F}|[\x{1F3FB}-\x{1F3FF}]\x{FE0F}?)?`
	emojiRegion   = `🏴` + emojiModifier + `[\x{E0020}-\x{E007E}]*\x{E007F}`        // a black flag with tags, such as Scotland
	emojiElement  = `(?:` + emojiRegion + `|` + emojiPicture + emojiModifier + `)` // joined by U+200D
	emojiCountry  = `[\x{1F1E6}-\x{1F1FF}]{2}`                                     // two regional indicators
	emojiKeycap   = `[0-9#*]\x{FE0F}\x{20E3}`
	emojiSequence = emojiElement + `(?:\x{200D}` + emojiElement + `)*`
)

var emojiPattern = regexp.MustCompile(`^(?:` + emojiCountry + `|` + emojiKeycap + `|` + emojiSequence + `)$`)
