package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api"
	"heartward/api/platform/config"
	"heartward/api/platform/web"
	"heartward/api/seed"
	"heartward/push"
)

// version is set by the build; see scripts/lib.sh and the Dockerfile.
var version = "dev"

// commandConns is the maximum number of connections of a command.
const commandConns = 4

// withDatabase runs fn with the configured database, without migrating it.
func withDatabase(fn func(ctx context.Context, c config.Config, db *database) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	exitInTime(ctx)
	c, err := loadConfig()
	if err != nil {
		return err
	}
	db, err := openDatabase(ctx, c, true)
	if err != nil {
		return err
	}
	defer db.close()
	return fn(ctx, c, db)
}

// withPool runs fn with a pool of the configured database, whose schema must be
// current.
func withPool(fn func(ctx context.Context, c config.Config, pool *pgxpool.Pool) error) error {
	return withDatabase(func(ctx context.Context, c config.Config, db *database) error {
		if err := db.prepareSchema(ctx); err != nil {
			return err
		}
		pool, err := db.openPool(ctx, commandConns)
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
	return withDatabase(func(ctx context.Context, _ config.Config, db *database) error {
		if err := db.migrate(ctx); err != nil {
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
		store, err := openFiles(ctx, c)
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

type adminCmd struct {
	Grant  grantCmd  `cmd:"" help:"Make a member an admin."`
	Revoke revokeCmd `cmd:"" help:"Make an admin a member again."`
}

type grantCmd struct {
	Email string `arg:"" help:"Address of the member's account."`
}

// Run makes an existing member an admin. Open sessions are affected from their next
// request.
func (cmd grantCmd) Run() error {
	return setAdmin(cmd.Email, true)
}

type revokeCmd struct {
	Email string `arg:"" help:"Address of the admin's account."`
}

// Run removes the rights of an admin. Open sessions lose them from their next request.
func (cmd revokeCmd) Run() error {
	return setAdmin(cmd.Email, false)
}

// setAdmin makes a member an admin or an ordinary member. A demo member of a public site
// cannot become an admin, because the start of such a site would fail.
func setAdmin(email string, admin bool) error {
	return withPool(func(ctx context.Context, c config.Config, pool *pgxpool.Pool) error {
		var id uuid.UUID
		var demo bool
		err := pool.QueryRow(ctx, `
			UPDATE users
			SET
				is_admin = $2 AND NOT (is_demo AND $3),
				updated_at = now()
			WHERE email = $1
			RETURNING
				id,
				is_demo`, strings.ToLower(strings.TrimSpace(email)), admin, c.IsPublic()).Scan(&id, &demo)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return fmt.Errorf("no account has the address %s; sign up first", email)
		case err != nil:
			return err
		case admin && demo && c.IsPublic():
			return errors.New("a demo member cannot be an admin of a site that other machines can reach")
		}
		web.LogSecurity(ctx, web.EventRights, nil, "member", id, "admin", admin)
		if admin {
			fmt.Println(email, "is an admin now")
		} else {
			fmt.Println(email, "is no admin any more")
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
func (versionCmd) Run() error { //nolint:unparam // kong expects an error
	text := "heartward " + version
	if info, ok := debug.ReadBuildInfo(); ok {
		text += " " + info.GoVersion
	}
	fmt.Println(text)
	return nil
}
