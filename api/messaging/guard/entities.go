package guard

import "bytes"

const urlWord = "Address"

// classifyEntity returns the kind of a chunk that is an entity: Address, Mail, Handle,
// Amount, Number or Phone. It returns an empty string for words.
func (r *reader) classifyEntity(body []byte) string {
	digits, signs := 0, 0
	for _, c := range body {
		if isDigit(c) {
			digits++
		} else if !isLetter(c) {
			signs++
		}
	}
	if digits+signs == len(body) && digits > 0 {
		return r.classifyNumber(body, digits)
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
	case isURL(body):
		return urlWord
	}
	return ""
}

// classifyNumber distinguishes amounts and phone numbers from other numbers, such as dates
// and times.
func (r *reader) classifyNumber(body []byte, digits int) string {
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

// domainEndings are those of addresses that are common in messages.
var domainEndings = [...]string{".com", ".net", ".org", ".io", ".me", ".ly", ".co", ".app", ".link", ".site", ".xyz", ".club", ".info",
	".ru", ".gg", ".online", ".shop", ".live", ".biz", ".top", ".vip", ".store", ".example", ".test"}

func isURL(body []byte) bool {
	if bytes.HasPrefix(body, []byte("http")) && bytes.Contains(body, []byte("://")) || bytes.HasPrefix(body, []byte("www.")) {
		return true
	}
	host := body
	if slash := bytes.IndexByte(body, '/'); slash > 0 {
		host = body[:slash]
	}
	for _, ending := range domainEndings {
		if len(host) > len(ending)+1 && string(host[len(host)-len(ending):]) == ending {
			return true
		}
	}
	return false
}
