package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api"
	"heartward/api/platform/config"
	"heartward/jobs"
)

type cleanupCmd struct {
	DryRun bool `help:"Delete nothing, and print how many rows would be deleted or emptied."`
}

// Run deletes the rows whose retention has ended, as the workers do every ten minutes, and prints the number for each entry of
// the registry. It can run beside them. Contents of files are removed by the workers.
func (cmd cleanupCmd) Run() error {
	return withPool(func(ctx context.Context, _ config.Config, pool *pgxpool.Pool) error {
		if cmd.DryRun {
			due, err := jobs.CountDue(ctx, pool, api.Data())
			if err != nil {
				return err
			}
			return printCleaned(os.Stdout, "rows due", due)
		}
		cleaned, err := jobs.CleanUp(ctx, pool, api.Data())
		if printErr := printCleaned(os.Stdout, "deleted or emptied", cleaned); err == nil {
			err = printErr
		}
		return err
	})
}

// printCleaned prints a table with a line for each entry, and the sum.
func printCleaned(out io.Writer, counted string, cleaned []jobs.Cleaned) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(table, "%s\tdata\tend\n", counted)
	sum := 0
	for _, c := range cleaned {
		sum += c.Count
		_, _ = fmt.Fprintf(table, "%d\t%s\t%s\n", c.Count, c.Entry.Name(), c.Entry.End)
	}
	_, _ = fmt.Fprintf(table, "%d\tin all\t\n", sum)
	return table.Flush()
}
