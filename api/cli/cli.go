// Package cli has the subcommands of the program. All find the database and the files by the environment; those other than
// serve and work run beside a server.
package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

type commands struct {
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

// version is the version of the program, which kong passes to the commands that need it.
type version string

// Run runs the command that the arguments of the process name, and returns the exit status.
func Run(programVersion string) (status int) {
	command := kong.Parse(&commands{}, kong.Name("heartward"), kong.Description("Dating with intention. Always free."))
	err := command.Run(version(programVersion))
	if err == nil {
		return 0
	}
	// Errors are printed on one line for the operator's log.
	fmt.Fprintln(os.Stderr, "heartward:", strings.Join(strings.Fields(err.Error()), " "))
	var other exitError
	if errors.As(err, &other) {
		return other.status
	}
	return 1
}
