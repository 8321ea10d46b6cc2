package guard

import "unicode/utf8"

// maxText is the number of folded characters of a text that are read. A message has
// at most 4,000.
const maxText = 4096

// Folded characters below ' ' stand for emoji with a meaning, except dropped and lineBreak.
const (
	dropped   byte = 0
	laugh     byte = 1
	heart     byte = 2
	eggplant  byte = 3
	finger    byte = 4
	lineBreak byte = '\n'
)

// fold writes text in lower-case ASCII into out and returns the length. It removes
// accents and invisible characters, and replaces letters of other alphabets that look
// like Latin ones. Invalid UTF-8 becomes spaces.
func fold(text string, out *[maxText]byte) int {
	n := 0
	for i := 0; i < len(text) && n < maxText; {
		if c := text[i]; c < utf8.RuneSelf {
			i++
			switch {
			case c >= 'A' && c <= 'Z':
				c += 'a' - 'A'
			case c == '\t' || c == '\r':
				c = ' '
			case c < ' ' && c != '\n', c == 0x7f:
				continue
			}
			out[n] = c
			n++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if c := foldRune(r); c != dropped {
			out[n] = c
			n++
		}
	}
	return n
}

// foldRune folds a character outside of ASCII.
func foldRune(r rune) byte {
	switch {
	case r >= 0x300 && r <= 0x36f, r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x2064,
		r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe0fff, r >= 0x1f3fb && r <= 0x1f3ff,
		r == 0xad, r == 0xfeff, r == 0x34f, r == 0x180e, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0:
		return dropped
	case r >= 0xff01 && r <= 0xff5e: // full width
		return lower(byte(r - 0xff01 + '!'))
	case r >= 0x1d400 && r <= 0x1d6a3: // mathematical letters, 26 capital and 26 small ones of each style
		return 'a' + byte((r-0x1d400)%26)
	case r >= 0x1d7ce && r <= 0x1d7ff:
		return '0' + byte((r-0x1d7ce)%10)
	case r >= 0x24b6 && r <= 0x24e9: // in circles
		return 'a' + byte((r-0x24b6)%26)
	case r >= 0x1f130 && r <= 0x1f149:
		return 'a' + byte(r-0x1f130)
	case r >= 0x1f150 && r <= 0x1f169:
		return 'a' + byte(r-0x1f150)
	case r >= 0x1f170 && r <= 0x1f189:
		return 'a' + byte(r-0x1f170)
	}
	if c, ok := lookalikes[r]; ok {
		return c
	}
	return ' '
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// lookalikes maps characters to the ASCII character that they resemble.
var lookalikes = func() map[rune]byte {
	all := map[rune]byte{}
	for to, from := range map[byte]string{
		'a': "àáâãäåāăąǎªÀÁÂÃÄÅĀĂĄаАαΑᴀɑ", 'b': "ßвВΒʙЬь", 'c': "çćĉċčÇĆČсСϲᴄ", 'd': "ðďđÐĎĐԁᴅ", 'e': "èéêëēĕėęěÈÉÊËĒĘĚеЕεΕёЁᴇ",
		'f': "ƒꜰ", 'g': "ĝğġģĞɡɢ", 'h': "ĥħнНΗʜһ", 'i': "ìíîïĩīĭįıÌÍÎÏĪİіІιΙɪ¡", 'j': "ĵјЈᴊ", 'k': "ķĸкКκΚᴋ", 'l': "ĺļľŀłŁʟӏ|",
		'm': "мМΜᴍ", 'n': "ñńņňŋÑŃηΝɴո", 'o': "òóôõöøōŏőºÒÓÔÕÖØŌоОοΟᴏ", 'p': "рРρΡᴘ", 'q': "ԛ", 'r': "ŕŗřŘʀ", 's': "śŝşšŚŞŠѕЅꜱ",
		't': "ţťŧтТτΤᴛ", 'u': "ùúûüũūŭůűųÙÚÛÜŪυᴜ", 'v': "νѵᴠ", 'w': "ŵԝᴡω", 'x': "хХχΧ×", 'y': "ýÿŷÝуУγʏ", 'z': "źżžŹŻŽΖᴢ",
		'\'': "’‘ʼ´", '-': "–—‐‑−", '.': "…·•", '?': "¿", '$': "€£¥₹₿", lineBreak: "\u2028\u2029",
		laugh: "😂🤣😅😆😄😁😜😝", heart: "❤♥💕💖💗💘💙💚💛💜🧡🥰😍😘💋", eggplant: "🍆🍑💦👅🥵", finger: "🖕🤬",
	} {
		for _, r := range from {
			all[r] = to
		}
	}
	return all
}()
