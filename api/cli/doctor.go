package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"time"

	"heartward/api/platform/config"
	"heartward/api/platform/maildoctor"
)

// doctorTimeout is the limit of all look-ups together.
const doctorTimeout = 30 * time.Second

type doctorCmd struct {
	IP       []netip.Addr `name:"ip" help:"Address from which mails leave, if it is not that of SMTP_URL."`
	Selector []string     `help:"Selector of a DKIM key."`
	Message  string       `type:"existingfile" help:"A mail of this installation as it arrived in a mailbox, with all headers: its signature is checked."`
	DNS      string       `name:"dns" help:"Name server to ask, as host:port; by default that of the system." placeholder:"HOST:PORT"`
}

// Run prints what each check found and what to do, and returns an error if a check found a problem. It needs no database.
func (cmd doctorCmd) Run() error {
	c, err := config.Load()
	if err != nil {
		return err
	}
	sender := maildoctor.Sender{From: c.MailAddress(), Bounces: c.BounceAddress, Addresses: cmd.IP, Selectors: cmd.Selector}
	if c.SMTPURL != nil {
		sender.Server = c.SMTPURL.Hostname()
	}
	if cmd.Message != "" {
		if sender.Received, err = os.ReadFile(cmd.Message); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), doctorTimeout)
	defer cancel()
	problems := 0
	findings := append(maildoctor.Examine(ctx, cmd.resolver(), sender), examineFFmpeg(ctx, c.FFmpeg))
	for _, f := range findings {
		fmt.Printf("%-8s %s: %s\n", f.Verdict, f.Check, f.Found)
		if f.Do != "" {
			fmt.Printf("         To do: %s\n", f.Do)
		}
		if f.Verdict == maildoctor.Problem {
			problems++
		}
	}
	if problems > 0 {
		return errors.New("mails may not arrive, or videos not be accepted: see the problems above")
	}
	return nil
}

func (cmd doctorCmd) resolver() *net.Resolver {
	if cmd.DNS == "" {
		return net.DefaultResolver
	}
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, cmd.DNS)
	}}
}
