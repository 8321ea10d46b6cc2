package guard

import "bytes"

const urlWord = "Address"

// thing names what a run of signs is when it is no plain word: an address, a
// mail address, a name behind an @, an amount, a number to call. Empty for words.
func (r *reader) thing(body []byte) string {
	digits, signs := 0, 0
	for _, c := range body {
		if isDigit(c) {
			digits++
		} else if !isLetter(c) {
			signs++
		}
	}
	if digits+signs == len(body) && digits > 0 {
		return r.number(body, digits)
	}
	r.digits = 0
	at := bytes.IndexByte(body, '@')
	switch {
	case body[0] == '@' && len(body) > 3:
		return "Handle"
	case at > 0 && bytes.IndexByte(body[at:], '.') > 1:
		return "Mail"
	case body[0] == '$' && len(body) > 1 && isDigit(body[1]):
		return "Amount"
	case digits > 0 && digits == len(body)-1 && body[len(body)-1] == 'k':
		return "Number"
	case isAddress(body):
		return urlWord
	}
	return ""
}

// number tells amounts and numbers to call from others. A date is none, and
// neither is a time.
func (r *reader) number(body []byte, digits int) string {
	if bytes.IndexByte(body, '$') >= 0 {
		r.digits = 0
		return "Amount"
	}
	dated := bytes.IndexByte(body, '/') >= 0 || bytes.IndexByte(body, ':') >= 0 ||
		len(body) > 4 && body[4] == '-' && (body[0] == '1' || body[0] == '2')
	if dated || digits < 2 && body[0] != '+' || bytes.IndexByte(body, ',') > 0 {
		r.digits = 0
		return "Number"
	}
	r.digits += digits
	if r.digits >= 7 && r.digits <= 15 {
		r.digits = 0
		return "Phone"
	}
	return "Number"
}

// endings are those of addresses that people paste into messages.
var endings = [...]string{".com", ".net", ".org", ".io", ".me", ".ly", ".co", ".app", ".link", ".site", ".xyz", ".club", ".info",
	".ru", ".gg", ".online", ".shop", ".live", ".biz", ".top", ".vip", ".store", ".example", ".test"}

func isAddress(body []byte) bool {
	if bytes.HasPrefix(body, []byte("http")) && bytes.Contains(body, []byte("://")) || bytes.HasPrefix(body, []byte("www.")) {
		return true
	}
	host := body
	if slash := bytes.IndexByte(body, '/'); slash > 0 {
		host = body[:slash]
	}
	for _, ending := range endings {
		if len(host) > len(ending)+1 && string(host[len(host)-len(ending):]) == ending {
			return true
		}
	}
	return false
}
