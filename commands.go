package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"heartward/api"
	"heartward/api/platform/config"
	"heartward/api/seed"
	"heartward/push"
)

// version is set by the build; see scripts/lib.sh and the Dockerfile.
var version = "dev"

// withDatabase runs fn with the configured database, migrated.
func withDatabase(fn func(ctx context.Context, s *system) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	exitInTime(ctx)
	c, err := loadConfig()
	if err != nil {
		return err
	}
	s, err := openDatabase(ctx, c, true)
	if err != nil {
		return err
	}
	defer s.close()
	return fn(ctx, s)
}

type workCmd struct{}

// Run works off jobs until the process is told to stop.
func (workCmd) Run() error {
	return withDatabase(func(ctx context.Context, s *system) error {
		if err := s.openFiles(ctx); err != nil {
			return err
		}
		client, err := s.newJobs(s.notifications(), true)
		if err != nil {
			return err
		}
		if err := client.Start(context.Background()); err != nil {
			return err
		}
		fmt.Println("Heartward works; Ctrl-C ends it when the running jobs are done")
		<-ctx.Done()
		stopping, cancel := context.WithTimeout(context.Background(), stopTimeout)
		defer cancel()
		return client.Stop(stopping)
	})
}

type migrateCmd struct{}

// Run migrates; opening the database has done it.
func (migrateCmd) Run() error {
	return withDatabase(func(context.Context, *system) error {
		fmt.Println("The schema is up to date")
		return nil
	})
}

type seedCmd struct {
	Members int `default:"60" help:"How many members to make."`
}

// Run fills an empty database.
func (cmd seedCmd) Run() error {
	return withDatabase(func(ctx context.Context, s *system) error {
		if err := s.openFiles(ctx); err != nil {
			return err
		}
		made, err := seed.Run(ctx, s.pool, s.files, seed.Options{Members: cmd.Members})
		switch {
		case err != nil:
			return err
		case made == 0:
			fmt.Println("The database has members already; nothing was changed")
		default:
			fmt.Printf("Made %d members; sign in as %s or %s, password %s\n", made, seed.DemoEmail, seed.AdminEmail, seed.Password)
		}
		return nil
	})
}

type adminCmd struct {
	Grant grantCmd `cmd:"" help:"Make a member an admin."`
}

type grantCmd struct {
	Email string `arg:"" help:"Address of the member's account."`
}

// Run makes an existing member an admin. Sessions that are open learn it at
// their next call.
func (cmd grantCmd) Run() error {
	return withDatabase(func(ctx context.Context, s *system) error {
		tag, err := s.pool.Exec(ctx, `UPDATE users SET is_admin = true, updated_at = now() WHERE email = $1`,
			strings.ToLower(strings.TrimSpace(cmd.Email)))
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return fmt.Errorf("nobody has signed up with %s; sign up first", cmd.Email)
		}
		fmt.Println(cmd.Email, "is an admin now")
		return nil
	})
}

type openAPICmd struct{}

// Run prints the document. It needs no database: nothing is called.
func (openAPICmd) Run() error {
	c, err := config.Load()
	if err != nil {
		return err
	}
	c.Secret = make([]byte, 32)
	s := &system{config: c}
	document := api.New(s.services(nil, s.notifications())).API.OpenAPI()
	document.Info.Version = "1" // the file in the repository must not change with each build
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(document)
}

type vapidCmd struct{}

// Run prints a pair as environment variables.
func (vapidCmd) Run() error {
	public, private, err := push.NewKeys()
	if err != nil {
		return err
	}
	fmt.Printf("VAPID_PUBLIC_KEY=%s\nVAPID_PRIVATE_KEY=%s\n", public, private)
	return nil
}

type versionCmd struct{}

// Run prints the version and what built it.
func (versionCmd) Run() error {
	text := "heartward " + version
	if info, ok := debug.ReadBuildInfo(); ok {
		text += " " + info.GoVersion
	}
	fmt.Println(text)
	return nil
}
