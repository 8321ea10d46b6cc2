package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/delivery"
	"heartward/api/platform/config"
	"heartward/api/platform/mail"
	"heartward/api/wiring"
	"heartward/jobs"
)

// maxReport is the number of bytes that are read of a report. What follows is the content of the returned mail.
const maxReport = 1 << 20

// exitTryAgain is the exit status by which a mail server keeps a mail and pipes it again later (sysexits.h, EX_TEMPFAIL).
const exitTryAgain = 75

type bounceCmd struct {
	Recipient string `arg:"" optional:"" help:"The address to which the report came, as the mail server passes it."`
}

// Run reads a report about a mail from standard input, and records it. A mail that is no report is no error: the mail server would
// return it. After other errors it ends with exitTryAgain.
func (cmd bounceCmd) Run() error {
	raw, err := io.ReadAll(io.LimitReader(os.Stdin, maxReport))
	if err == nil {
		err = withPool(func(ctx context.Context, c config.Config, pool *pgxpool.Pool) error {
			inserter, err := jobs.NewInserter(pool)
			if err != nil {
				return err
			}
			result, err := delivery.New(pool, noMails{}, inserter, wiring.DeliveryConfig(c)).HandleReport(ctx, cmd.Recipient, raw)
			if err == nil {
				fmt.Println(result)
			}
			return err
		})
	}
	if err != nil {
		return exitError{err, exitTryAgain}
	}
	return nil
}

// exitError is an error with an exit status other than 1.
type exitError struct {
	error
	status int
}

// noMails sends nothing: a report needs no answer.
type noMails struct{}

// Send returns an error.
func (noMails) Send(context.Context, mail.Message) error {
	return errors.New("this command sends no mail")
}
