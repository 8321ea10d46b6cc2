package mail

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

type smtpSender struct {
	client *gomail.Client
	from   string
}

// NewSMTP sends through the server at address, smtp://user:password@host:port
// (STARTTLS where offered) or smtps:// (TLS from the start).
func NewSMTP(address *url.URL, from string) (Sender, error) {
	options := []gomail.Option{gomail.WithTimeout(15 * time.Second)}
	if address.Scheme == "smtps" {
		options = append(options, gomail.WithSSL())
	} else {
		options = append(options, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	}
	if port, err := strconv.Atoi(address.Port()); err == nil {
		options = append(options, gomail.WithPort(port))
	}
	if password, ok := address.User.Password(); ok {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(address.User.Username()), gomail.WithPassword(password))
	}
	client, err := gomail.NewClient(address.Hostname(), options...)
	if err != nil {
		return nil, fmt.Errorf("mail server: %w", err)
	}
	return &smtpSender{client: client, from: from}, nil
}

func (s *smtpSender) Send(ctx context.Context, m Message) error {
	message := gomail.NewMsg()
	if err := message.FromFormat("Heartward", s.from); err != nil {
		return fmt.Errorf("mail sender: %w", err)
	}
	if err := message.To(m.To); err != nil {
		return fmt.Errorf("mail receiver: %w", err)
	}
	message.Subject(m.Subject)
	if m.ID == "" {
		message.SetMessageID()
	} else {
		message.SetMessageIDWithValue(m.ID + s.from[strings.LastIndexByte(s.from, '@'):])
	}
	message.SetDate()
	message.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		message.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	return s.client.DialAndSendWithContext(ctx, message)
}
