// Command heartward is the whole product: API, socket, built app and workers. The default
// subcommand is serve.
package main

import (
	"os"

	"heartward/api/cli"
)

// version is set by the build; see scripts/lib.sh and the Dockerfile.
var version = "dev"

func main() { os.Exit(cli.Run(version)) }
