package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api"
	"heartward/api/platform/config"
	"heartward/api/process"
	"heartward/api/seed"
	"heartward/push"
)

// commandConns is the maximum number of connections of a command.
const commandConns = 4

// withConfig runs fn with the configuration. The context of fn ends with the first signal to stop, after which the process
// exits in time.
func withConfig(fn func(ctx context.Context, c config.Config) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	process.ExitInTime(ctx)
	c, err := process.LoadConfig()
	if err != nil {
		return err
	}
	return fn(ctx, c)
}

// withWorkConfig is withConfig with an error for a public site that cannot send mails.
func withWorkConfig(fn func(ctx context.Context, c config.Config) error) error {
	return withConfig(func(ctx context.Context, c config.Config) error {
		if err := c.CheckMail(); err != nil {
			return err
		}
		return fn(ctx, c)
	})
}

// withDatabase runs fn with the configured database, without migrating it.
func withDatabase(fn func(ctx context.Context, c config.Config, db *process.Database) error) error {
	return withConfig(func(ctx context.Context, c config.Config) error {
		db, err := process.OpenDatabase(ctx, c, true)
		if err != nil {
			return err
		}
		defer db.Close()
		return fn(ctx, c, db)
	})
}

// withPool runs fn with a pool of the configured database, whose schema must be
// current.
func withPool(fn func(ctx context.Context, c config.Config, pool *pgxpool.Pool) error) error {
	return withDatabase(func(ctx context.Context, c config.Config, db *process.Database) error {
		if err := db.PrepareSchema(ctx); err != nil {
			return err
		}
		pool, err := db.OpenPool(ctx, commandConns)
		if err != nil {
			return err
		}
		defer pool.Close()
		return fn(ctx, c, pool)
	})
}

type migrateCmd struct{}

// Run migrates the configured or embedded database.
func (migrateCmd) Run() error {
	return withDatabase(func(ctx context.Context, _ config.Config, db *process.Database) error {
		if err := db.Migrate(ctx); err != nil {
			return err
		}
		fmt.Println("The schema is up to date")
		return nil
	})
}

type seedCmd struct {
	Members int `default:"60" help:"Number of members to create."`
	demoFlags
}

// Run creates demo members in an empty database.
func (cmd seedCmd) Run() error {
	return withPool(func(ctx context.Context, c config.Config, pool *pgxpool.Pool) error {
		if err := cmd.check(c); err != nil {
			return err
		}
		store, err := process.OpenFiles(ctx, c)
		if err != nil {
			return err
		}
		defer store.Close()
		made, err := seedDemo(ctx, c, pool, store, cmd.Members)
		switch {
		case err != nil:
			return err
		case made == 0:
			fmt.Println("The database has members already; nothing was changed")
		case c.IsPublic():
			fmt.Printf("Made %d members\n", made)
		default:
			fmt.Printf("Made %d members; sign in as %s or %s, password %s\n", made, seed.DemoEmail, seed.AdminEmail, seed.Password)
		}
		return nil
	})
}

type openAPICmd struct{}

// Run prints the document. It needs no database.
func (openAPICmd) Run() error {
	if _, err := config.Load(); err != nil {
		return err
	}
	document := api.Describe("1") // a fixed version, so that the file in the repository does not change with each build
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(document)
}

type vapidCmd struct{}

// Run prints a VAPID key pair as environment variables.
func (vapidCmd) Run() error {
	public, private, err := push.NewKeys()
	if err != nil {
		return err
	}
	fmt.Printf("VAPID_PUBLIC_KEY=%s\nVAPID_PRIVATE_KEY=%s\n", public, private)
	return nil
}

type versionCmd struct{}

// Run prints the version of the program and of Go.
func (versionCmd) Run(v version) error {
	text := "heartward " + string(v)
	if info, ok := debug.ReadBuildInfo(); ok {
		text += " " + info.GoVersion
	}
	fmt.Println(text)
	return nil
}
