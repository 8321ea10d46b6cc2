package mail

import (
	"regexp"
	"strconv"
	"strings"
)

// Outcome is what an answer of a mail server, or a report about a mail, means.
type Outcome string

// The outcomes of a mail that was not accepted.
const (
	// NoMailbox: the address has no mailbox. It gets no mail until a check by its owner succeeds.
	NoMailbox Outcome = "no_mailbox"

	// MailboxFull: the mailbox exists and accepts no mail now. After several such outcomes the address gets no optional mails
	// for a while.
	MailboxFull Outcome = "mailbox_full"

	// Later: the server, for a reason other than the mailbox, does not accept the mail now and may accept it later.
	Later Outcome = "later"

	// TooMany: like Later, because the server wants fewer mails from us.
	TooMany Outcome = "too_many"

	// Refused: the server never accepts this mail, but may accept others to the address.
	Refused Outcome = "refused"
)

// IsPermanent reports whether the same mail is refused again.
func (o Outcome) IsPermanent() bool { return o == NoMailbox || o == Refused }

// Stage is the part of an SMTP transaction to which a server has answered.
type Stage int

// The stages of a transaction. AtReport is that of a report that arrived by mail after it.
const (
	AtConnection Stage = iota
	AtSender
	AtRecipient
	AtContent
	AtReport
)

// Answer is an answer of a mail server, or the status in a report.
type Answer struct {
	Code   int    // of three digits; 0 if there is none
	Status string // class.subject.detail (RFC 3463); empty if there is none
	Text   string
}

// statusPattern finds class.subject.detail where an answer has it: after the code of three digits. An address or a host name
// further on may look like one.
var statusPattern = regexp.MustCompile(`^\s*(?:[245]\d\d[ -])?\s*#?([245]\.\d{1,3}\.\d{1,3})\b`)

// ParseAnswer returns the parts of an answer such as "550 5.1.1 no such mailbox".
func ParseAnswer(text string) Answer {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 4 && text[4] == '"' { // the library quotes the text of some errors
		if unquoted, err := strconv.Unquote(text[4:]); err == nil {
			text = text[:4] + strings.Join(strings.Fields(unquoted), " ")
		}
	}
	a := Answer{Text: text}
	if len(text) >= 3 {
		if code, err := strconv.Atoi(text[:3]); err == nil && code >= 200 && code < 600 {
			a.Code = code
		}
	}
	if found := statusPattern.FindStringSubmatch(text); found != nil {
		a.Status = found[1]
	}
	return a
}

// statuses maps prefixes of class.subject.detail to outcomes. The first prefix that matches decides, so a longer one is before
// a shorter one. Any status of class 4 is temporary.
var statuses = []struct {
	prefix  string
	outcome Outcome
}{
	{"5.1.7", Refused}, // the sender's address
	{"5.1.8", Refused},
	{"5.1.9", Refused}, // the relay's protocol
	{"5.1.", NoMailbox},
	{"5.2.1", NoMailbox}, // the mailbox is closed
	{"5.2.2", MailboxFull},
	{"5.2.3", Refused}, // the mail is too long
	{"5.2.", MailboxFull},
	{"5.4.1", NoMailbox}, // no host answers for the domain
	{"5.4.4", NoMailbox}, // the domain does not exist
	{"5.3.4", Refused},   // the mail is too long
	{"5.3.", Later},
	{"5.4.", Later},
	{"5.5.", Refused},
	{"5.6.", Refused},
	{"5.7.", Later},
	{"4.1.", Later}, // the domain's name servers do not answer
	{"4.2.2", MailboxFull},
	{"4.2.1", TooMany},
	{"4.7.28", TooMany}, // a status of Gmail
	{"4.", Later},
}

// aboutSender finds answers without a status that are about us, not about the mailbox.
var aboutSender = regexp.MustCompile(`(?i)spam|block|black ?list|reputation|polic|denied|dmarc|dkim|\bspf\b|rate|too many|relay|authenticat`)

// Classify returns what an answer means. Class.subject.detail decides if there is one, else the code and the stage.
func Classify(a Answer, stage Stage) Outcome {
	outcome := classify(a, stage)
	switch {
	case outcome == NoMailbox && stage == AtSender: // the answer is about our address
		return Refused
	case outcome == Later && (a.Code == 421 || a.Code == 450): // these ask for fewer mails, with any status
		return TooMany
	}
	return outcome
}

func classify(a Answer, stage Stage) Outcome {
	for _, s := range statuses {
		if strings.HasPrefix(a.Status, s.prefix) {
			return s.outcome
		}
	}
	switch {
	case a.Code < 500 && a.Status == "" || stage == AtConnection:
		if a.Code == 452 && stage == AtRecipient {
			return MailboxFull
		}
		return Later
	case a.Code == 552 && stage == AtRecipient:
		return MailboxFull
	case stage != AtRecipient && stage != AtReport:
		return Refused
	case aboutSender.MatchString(a.Text):
		return Later
	case a.Code == 550, a.Code == 551, a.Code == 553, a.Code == 556, a.Code == 521:
		return NoMailbox
	}
	return Refused
}
