// Command heartward is the whole product: API, socket, built app and workers. The default
// subcommand is serve.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

type cli struct {
	Serve    serveCmd    `cmd:"" default:"withargs" help:"Serve API, socket and app, and run the workers."`
	Work     workCmd     `cmd:"" help:"Run the workers only."`
	Migrate  migrateCmd  `cmd:"" help:"Bring the database's schema up to date."`
	Seed     seedCmd     `cmd:"" help:"Fill an empty database with demo members."`
	Restored restoredCmd `cmd:"" help:"Give the database a new identity after its files were restored from a copy."`
	Redelete redeleteCmd `cmd:"" help:"Delete accounts again that a restore brought back; reads the log since the backup from standard input."`
	Cleanup  cleanupCmd  `cmd:"" help:"Delete what is stored no longer, as the workers do every ten minutes."`
	Badges   badgesCmd   `cmd:"" help:"Maintain the badges of members."`
	Admin    adminCmd    `cmd:"" help:"Manage admins."`
	Audit    auditCmd    `cmd:"" help:"Check the audit log."`
	Bounce   bounceCmd   `cmd:"" help:"Record that a mail came back; reads the report from standard input."`
	Doctor   doctorCmd   `cmd:"" help:"Check that mail arrives: SPF, DKIM, DMARC and the name of the mail server."`
	OpenAPI  openAPICmd  `cmd:"" name:"openapi" help:"Print the OpenAPI document."`
	VAPID    vapidCmd    `cmd:"" name:"vapid" help:"Print a new pair of keys for Web Push."`
	Version  versionCmd  `cmd:"" help:"Print the version."`
}

func main() {
	command := kong.Parse(&cli{}, kong.Name("heartward"), kong.Description("Dating with intention. Always free."))
	if err := command.Run(); err != nil {
		// Errors are printed on one line for the operator's log.
		fmt.Fprintln(os.Stderr, "heartward:", strings.Join(strings.Fields(err.Error()), " "))
		var other exitError
		if errors.As(err, &other) {
			os.Exit(other.status)
		}
		os.Exit(1)
	}
}
