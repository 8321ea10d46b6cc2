package mail

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
)

// ReportKind says what a Report is about.
type ReportKind string

// The kinds of reports.
const (
	NoReport  ReportKind = ""          // an automatic reply, or something else
	Bounce    ReportKind = "bounce"    // the mail is not delivered
	Complaint ReportKind = "complaint" // the recipient called the mail spam
)

// Report is what a mail to the return path reports.
type Report struct {
	Kind   ReportKind
	Answer Answer // of a bounce
}

// maxParts is the number of parts of a mail that ParseReport reads, nested ones included.
const maxParts = 20

// ParseReport reads a report on the delivery of a mail (RFC 3464) or a complaint about it (RFC 5965). A mail that is neither, one
// about a delay or a success, and one that cannot be read, are NoReport.
func ParseReport(raw []byte) Report {
	message, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return Report{}
	}
	parts := maxParts
	return parsePart(textproto.MIMEHeader(message.Header), message.Body, &parts)
}

// parsePart reads a part of a mail and its parts. left is the number of parts that may still be read.
func parsePart(header textproto.MIMEHeader, body io.Reader, left *int) Report {
	if *left--; *left < 0 {
		return Report{}
	}
	kind, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return Report{}
	}
	switch {
	case kind == "message/delivery-status":
		return parseStatus(decoded(header, body))
	case kind == "message/feedback-report":
		fields, _ := textproto.NewReader(bufio.NewReader(decoded(header, body))).ReadMIMEHeader()
		if strings.EqualFold(fields.Get("Feedback-Type"), "abuse") {
			return Report{Kind: Complaint}
		}
		return Report{}
	case !strings.HasPrefix(kind, "multipart/"):
		return Report{}
	}
	for reader := multipart.NewReader(body, parameters["boundary"]); ; {
		part, err := reader.NextRawPart()
		if err != nil {
			return Report{}
		}
		if report := parsePart(part.Header, part, left); report.Kind != NoReport {
			return report
		}
	}
}

// decoded returns the body without its transfer encoding.
func decoded(header textproto.MIMEHeader, body io.Reader) io.Reader {
	switch strings.ToLower(header.Get("Content-Transfer-Encoding")) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		return quotedprintable.NewReader(body)
	}
	return body
}

// parseStatus reads a message/delivery-status: the fields of the mail, and then those of each recipient. It returns the
// report of the first recipient to whom the delivery failed; our mails have only one recipient.
func parseStatus(body io.Reader) Report {
	reader := textproto.NewReader(bufio.NewReader(body))
	for {
		fields, err := reader.ReadMIMEHeader()
		if strings.EqualFold(strings.TrimSpace(fields.Get("Action")), "failed") {
			_, text, found := strings.Cut(fields.Get("Diagnostic-Code"), ";")
			if !found {
				text = fields.Get("Diagnostic-Code")
			}
			answer := ParseAnswer(text)
			// The answer that the reporting server got is more precise than its own status, which may be as general as 5.0.0.
			if status := ParseAnswer(fields.Get("Status")).Status; answer.Status == "" && !strings.HasSuffix(status, ".0.0") {
				answer.Status = status
			}
			answer.Text = WithoutAddresses(answer.Text)
			return Report{Kind: Bounce, Answer: answer}
		}
		if err != nil {
			return Report{}
		}
	}
}
