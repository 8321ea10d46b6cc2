package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/config"
	"heartward/api/process"
	"heartward/api/seed"
)

// demoFlags are the flags of the commands that create demo members, whose password is in
// the README.
type demoFlags struct {
	DemoInPublic bool `help:"Permit demo members, with a random password and without an admin, on a site that other machines can reach."`
}

// check returns an error if the site is public and the flag is not set.
func (f demoFlags) check(c config.Config) error {
	if c.IsPublic() && !f.DemoInPublic {
		return errors.New("demo members have a published password; on a site that other machines can reach they require --demo-in-public")
	}
	return nil
}

// seedDemo fills an empty database with that many demo members, at least 60, and returns how many it created: none if the
// database has members. On a public site it prints their random password.
func seedDemo(ctx context.Context, c config.Config, pool *pgxpool.Pool, blobs seed.Blobs, members int) (created int, err error) {
	options := seed.Options{Members: members}
	if c.IsPublic() {
		options.Password, options.WithoutAdmin = rand.Text(), true
	}
	created, err = seed.Run(ctx, pool, blobs, options)
	if err == nil && created > 0 && c.IsPublic() {
		printDemoPassword(options.Password)
	}
	return created, err
}

// prepareDemo prepares the demo members of a public site: it returns an error if one of them
// is an admin or a moderator, and replaces the published password if demo members may sign in.
func prepareDemo(ctx context.Context, core *process.Core) error {
	if !core.Config.IsPublic() {
		return nil
	}
	staff, err := seed.StaffAddress(ctx, core.Pool)
	if err != nil {
		return err
	}
	if staff != nil {
		return fmt.Errorf("the demo member %s is an admin or a moderator of a site that other machines can reach; "+
			"run: heartward admin revoke %[1]s", *staff)
	}
	if !core.DemoPasswords {
		return nil
	}
	password := rand.Text()
	changed, err := seed.ReplacePublishedPassword(ctx, core.Pool, password)
	if err == nil && changed > 0 {
		printDemoPassword(password)
	}
	return err
}

func printDemoPassword(password string) {
	fmt.Printf("Sign in as %s, password %s, which is not printed again\n", seed.DemoEmail, password)
}
