package mail

import gomail "github.com/wneessen/go-mail"

// Written returns a mail as it is sent from an address.
func Written(m Message, from string) (*gomail.Msg, error) {
	message := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := message.FromFormat(senderName(m), from); err != nil {
		return nil, err
	}
	if err := message.To(m.To); err != nil {
		return nil, err
	}
	compose(message, m, from)
	return message, nil
}
