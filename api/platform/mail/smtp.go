package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"heartward/api/platform/mailaddr"
)

type smtpSender struct {
	host    string
	options []gomail.Option
	ssl     bool // TLS from the start
	from    string
}

// NewSMTP returns a Sender for a server: smtp://user:password@host:port with
// STARTTLS, or smtps:// with TLS from the start. Mails contain sign-in codes, so
// sending fails if the server does not offer STARTTLS, unless the URL has ?tls=none
// or the server is on this machine.
func NewSMTP(address *url.URL, from string) (Sender, error) {
	options := []gomail.Option{gomail.WithTimeout(15 * time.Second)}
	ssl := address.Scheme == "smtps"
	if ssl {
		options = append(options, gomail.WithSSL())
	} else {
		policy, err := tlsPolicy(address)
		if err != nil {
			return nil, err
		}
		options = append(options, gomail.WithTLSPolicy(policy))
	}
	if port, err := strconv.Atoi(address.Port()); err == nil {
		options = append(options, gomail.WithPort(port))
	}
	if password, ok := address.User.Password(); ok {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(address.User.Username()), gomail.WithPassword(password))
	}
	if _, err := gomail.NewClient(address.Hostname(), options...); err != nil {
		return nil, fmt.Errorf("mail server: %w", err)
	}
	return &smtpSender{host: address.Hostname(), options: options, ssl: ssl, from: from}, nil
}

func tlsPolicy(address *url.URL) (gomail.TLSPolicy, error) {
	ip := net.ParseIP(address.Hostname())
	switch setting := address.Query().Get("tls"); {
	case setting == "none":
		return gomail.NoTLS, nil
	case setting != "":
		return 0, errors.New("mail server: ?tls= can only be none")
	case address.Hostname() == "localhost", ip != nil && ip.IsLoopback():
		return gomail.TLSOpportunistic, nil
	}
	return gomail.TLSMandatory, nil
}

func (s *smtpSender) Send(ctx context.Context, m Message) error {
	message := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := message.FromFormat(senderName(m), s.from); err != nil {
		return fmt.Errorf("mail sender: %w", err)
	}
	to := mailaddr.Wire(m.To)
	if err := message.To(to); err != nil {
		return withoutAddress(&UnsentError{
			Permanent: true, Outcome: NoMailbox, Answer: Answer{Text: "The address cannot be written in a mail."}, Cause: fmt.Errorf("mail receiver: %w", err),
		}, to)
	}
	if m.ReturnPath != "" {
		if err := message.EnvelopeFrom(m.ReturnPath); err != nil {
			return fmt.Errorf("mail return path: %w", err)
		}
	}
	compose(message, m, s.from)
	return withoutAddress(s.deliver(ctx, message), to)
}

// sendError is an error without the recipient's address, which the library and servers put
// into theirs.
type sendError struct {
	text  string
	cause error
}

func (e sendError) Error() string { return e.text }

func (e sendError) Unwrap() error { return e.cause }

// withoutAddress returns err with a text that does not contain the recipient's address, for the log.
func withoutAddress(err error, address string) error {
	if err == nil {
		return nil
	}
	var unsent *UnsentError
	if errors.As(err, &unsent) {
		unsent.Answer.Text = WithoutAddresses(unsent.Answer.Text)
	}
	text := regexp.MustCompile("(?i)"+regexp.QuoteMeta(address)).ReplaceAllString(err.Error(), "…")
	return sendError{text, err}
}

var anyAddress = regexp.MustCompile(`[^\s<>:,;]+@[^\s<>:,;]+`)

// WithoutAddresses returns an answer of a server without the addresses in it, as it may be stored.
func WithoutAddresses(text string) string { return anyAddress.ReplaceAllString(text, "…") }

// deliver sends the mail over a connection of its own. It dials itself, because the library does
// not close the connection when STARTTLS or authentication fails. For smtps the library must
// dial, because its authentication depends on the state of the connection.
func (s *smtpSender) deliver(ctx context.Context, message *gomail.Msg) error {
	options := slices.Clone(s.options)
	var opened net.Conn
	if !s.ssl {
		options = append(options, gomail.WithDialContextFunc(func(ctx context.Context, network, address string) (conn net.Conn, err error) {
			opened, err = (&net.Dialer{}).DialContext(ctx, network, address)
			return opened, err
		}))
	}
	client, err := gomail.NewClient(s.host, options...)
	if err != nil {
		return fmt.Errorf("mail server: %w", err)
	}
	err = client.DialAndSendWithContext(ctx, message)
	if opened != nil {
		_ = opened.Close() // already closed after success
	}
	if err == nil || message.IsDelivered() { // an error after the delivery, such as of QUIT
		return nil
	}
	return classifyError(err)
}

// stages maps the library's reasons of an error to stages. Other reasons are AtConnection.
var stages = map[gomail.SendErrReason]Stage{
	gomail.ErrSMTPMailFrom: AtSender, gomail.ErrSMTPRcptTo: AtRecipient,
	gomail.ErrSMTPData: AtContent, gomail.ErrSMTPDataClose: AtContent, gomail.ErrWriteContent: AtContent,
}

// answerPattern finds the answer of the server in an error of the library.
var answerPattern = regexp.MustCompile(`: ([45]\d\d[ -].*)$`)

// classifyError returns an UnsentError if the server did not accept the mail: the connection failed, the error came before
// the end of the content, or the server answered the end with an error. Without an answer to the end, the mail may have been
// accepted: the result is an UnknownError.
func classifyError(err error) error {
	var sending *gomail.SendError
	if !errors.As(err, &sending) { // the connection
		var answer Answer
		var reply *textproto.Error
		if errors.As(err, &reply) {
			answer = ParseAnswer(reply.Error())
		}
		return &UnsentError{Outcome: Classify(answer, AtConnection), Answer: answer, Cause: err}
	}
	switch sending.Reason {
	case gomail.ErrSMTPReset, gomail.ErrAmbiguous:
		return &UnknownError{err}
	case gomail.ErrSMTPDataClose:
		if sending.ErrorCode() == 0 {
			return &UnknownError{err}
		}
	}
	answer := Answer{Code: sending.ErrorCode()}
	text, _, _ := strings.Cut(strings.ReplaceAll(sending.Error(), "\n", " "), ", affected ")
	if found := answerPattern.FindStringSubmatch(text); found != nil {
		answer = ParseAnswer(found[1])
	}
	outcome := Classify(answer, stages[sending.Reason])
	return &UnsentError{Permanent: outcome.IsPermanent(), Outcome: outcome, Answer: answer, Cause: err}
}
